package main

import "github.com/cockroachdb/pebble/v2/vfs"

// unsynced is a file system that never waits for the disk. A killed process loses nothing by that:
// the operating system has what was written, and goes on to have it. What a kill does lose is what
// Pebble had not written yet, and it still writes its log before it acknowledges a write with Sync.
type unsynced struct{ vfs.FS }

type unsyncedFile struct{ vfs.File }

func (unsyncedFile) Sync() error { return nil }

func (unsyncedFile) SyncData() error { return nil }

func (unsyncedFile) SyncTo(int64) (fullSync bool, err error) { return true, nil }

func withoutSync(file vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return unsyncedFile{file}, nil
}

func (fs unsynced) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return withoutSync(fs.FS.Create(name, category))
}

func (fs unsynced) OpenReadWrite(name string, category vfs.DiskWriteCategory, options ...vfs.OpenOption) (vfs.File, error) {
	return withoutSync(fs.FS.OpenReadWrite(name, category, options...))
}

func (fs unsynced) OpenDir(name string) (vfs.File, error) { return withoutSync(fs.FS.OpenDir(name)) }

func (fs unsynced) ReuseForWrite(from, to string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return withoutSync(fs.FS.ReuseForWrite(from, to, category))
}

func (fs unsynced) Unwrap() vfs.FS { return fs.FS }
