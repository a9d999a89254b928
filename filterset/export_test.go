package filterset

import "path/filepath"

// UnmapParts has sets opened as if too many files were mapped, until restore is called.
func UnmapParts() (restore func()) {
	numMapped.Add(mostMapped)
	return func() { numMapped.Add(-mostMapped) }
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

// NumMapped is the number of parts that sets have mapped.
func NumMapped() int64 { return numMapped.Load() }

// SyncFolders has the system's storing of folders replaced, until restore is called.
func SyncFolders(by func(name string) error) (restore func()) {
	before := syncFolder
	syncFolder = by
	return func() { syncFolder = before }
}
