package filterfile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteFile writes a filter file. It writes another file in the same folder, has the system
// store it, and renames it to path, so that after a crash there is the old file or the new one,
// whole, and whoever has the old one open keeps it. A symbolic link is replaced, not what it
// points to. A new file's permissions are 0666 before umask; an old one's are kept.
//
// After an error the old file is there, unless the error says that path is written. After a crash,
// a file named ".NAME.NUMBER.tmp" may be left beside path, where NAME is path's last element. Nothing
// uses it, and nothing removes it: another program could be writing it. Remove such files when nobody
// writes path. The name takes up to 26 bytes more than NAME, for which file systems have a limit.
//
// Any number of goroutines and programs may write the same file: one of them is the last.
func WriteFile(path string, f Source, options ...WriteOption) (err error) {
	made, err := New(f, options...)
	if err != nil {
		return err
	}
	file, err := createBeside(path)
	if err != nil {
		return wrap(err)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if _, err = made.WriteTo(file); err != nil {
		return err
	}
	if old, err := os.Lstat(path); err == nil && old.Mode().IsRegular() {
		file.Chmod(old.Mode().Perm()) // as far as the system lets us
	}
	for _, step := range []func() error{
		file.Sync,
		file.Close,
		func() error { return os.Rename(file.Name(), path) },
	} {
		if err = step(); err != nil {
			return wrap(err)
		}
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("filterfile: %s is written, but may be the old file after a crash: %w", path, err)
	}
	return nil
}

// createBeside makes a new file in the folder of path.
func createBeside(path string) (file *os.File, err error) {
	folder, name := filepath.Split(path)
	for range 100 {
		temporary := fmt.Sprintf("%s.%s.%d.tmp", folder, name, rand.Uint64())
		file, err = os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !os.IsExist(err) {
			break
		}
	}
	return file, err
}
