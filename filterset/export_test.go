package filterset

import (
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/mmap"
)

// UnmapParts has sets opened as if too many files were mapped, until restore is called.
func UnmapParts() (restore func()) {
	mmap.Count.Add(mmap.Most)
	return func() { mmap.Count.Add(-mmap.Most) }
}

// DiscardLayer is what ends the use of a layer that was built in a set's folder.
func DiscardLayer(dir, id string, committed bool) error {
	held, err := lockFolder(filepath.Join(dir, layerPrefix+id), false)
	if err == nil {
		discard(&setFolder{dir: dir}, []string{id}, []*folderLock{held}, committed)
	}
	return err
}

// Underway looks up as a lookup that began before the set is closed.
func (s *Set) Underway() (contains func(hash uint64) bool) { return s.state().contains }

// NumMapped is the number of files that are mapped.
func NumMapped() int64 { return mmap.Count.Load() }

// SyncFolders has the system's storing of folders, and of files that are linked, replaced, until restore is called.
func SyncFolders(by func(name string) error) (restore func()) {
	before := store
	store = by
	return func() { store = before }
}

// CloseHashes closes the file of hashes that a builder writes.
func CloseHashes(b *Builder) { b.spill.file.Close() }
