package filterset

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/simdbloom/simdbloom/internal/replace"
)

// setFolder is the folder that a builder writes a set to.
type setFolder struct {
	dir  string
	made []string // folders that this builder made, the outermost first: dir is the last one, or none of them
}

// hold locks the folder. If there is none, it makes it and its parents, or returns an error if make is not set.
func (f *setFolder) hold(make bool) (*folderLock, error) {
	if f.dir == "" {
		return nil, errNoFolder
	}
	const mostTimes = 100 // without them, it would go on for ever in a working directory that was removed
	for times := 1; ; times++ {
		if make {
			made, err := makeFolders(f.dir)
			f.made = append(f.made, made...)
			if times < mostTimes && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist)) {
				continue // another builder was aborted, and removed a parent, or a folder that had been in the way
			}
			if err != nil {
				return nil, err
			}
		}
		held, err := lockFolder(f.dir, true)
		switch {
		case make && errors.Is(err, fs.ErrNotExist): // the builder that had made it was aborted, and removed it
		case err != nil:
			return nil, err
		case held.isAt(f.dir):
			return held, nil
		default:
			held.unlock()
		}
	}
}

// locked calls do while it holds the lock of the folder, which must be there.
func (f *setFolder) locked(do func() error) error {
	held, err := f.hold(false)
	if err != nil {
		return err
	}
	defer held.unlock()
	return do()
}

// begin calls do while it holds the lock of the folder, which it creates if it does not exist. After an error it is as
// before.
func (f *setFolder) begin(do func() error) error {
	held, err := f.hold(true)
	if err == nil {
		if err = do(); err == nil {
			held.unlock()
			return nil
		}
	}
	f.abandon(held)
	return err
}

// abandon removes the folders that were made, if nothing is in them, and unlocks the set's folder, or nothing if held
// is nil. Folders and links that were there stay.
func (f *setFolder) abandon(held *folderLock) {
	made := f.made
	f.made = nil
	if n := len(made); held != nil && n > 0 && made[n-1] == f.dir {
		if made = made[:n-1]; !held.remove(f.dir) {
			made = nil
		}
	}
	if held != nil {
		held.unlock()
	}
	for i := len(made) - 1; i >= 0 && removeFolder(made[i]); i-- {
	}
}

// removeFolder removes an empty folder. A link that has taken its place is none. With a separator at the end, the
// system would follow it.
func removeFolder(path string) bool {
	path = withoutSeparators(path)
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && os.Remove(path) == nil
}

// store is a variable for tests.
var store = replace.Sync

// makeFolders is os.MkdirAll. It has the system store the names of new folders, without which a crash would lose the
// set, but path's own, which commit does. It returns the folders that it made, the outermost first.
func makeFolders(path string) (made []string, err error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, nil
	case err == nil:
		return nil, &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	}
	if parent := parentOf(path); parent != "" {
		if made, err = makeFolders(parent); err == nil && len(made) > 0 {
			err = syncParent(parent)
		}
		if err != nil {
			return made, err
		}
	}
	if err = os.Mkdir(path, 0o777); err == nil {
		return append(made, path), nil
	}
	if info, there := os.Stat(path); there == nil && info.IsDir() { // another builder was first, or it is "a/." or "a/.."
		return made, nil
	}
	return made, err
}

// syncParent has the system store the name of a folder. Users who may write in a folder, but not read it, cannot.
func syncParent(path string) error {
	parent := parentOf(path)
	if parent == "" {
		parent = filepath.VolumeName(path) + "."
	}
	err := store(parent)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// parentOf returns a path without its last element, or nothing if it has no other. It does not resolve "..", which may
// follow a link.
func parentOf(path string) string {
	volume := len(filepath.VolumeName(path))
	rest := withoutSeparators(path[volume:])
	last := strings.LastIndexFunc(rest, isSeparator)
	if last < 0 {
		return ""
	}
	return path[:volume+last+1]
}

// withoutSeparators returns a path without those at its end.
func withoutSeparators(path string) string { return strings.TrimRightFunc(path, isSeparator) }

func isSeparator(c rune) bool { return c < 0x80 && os.IsPathSeparator(byte(c)) }
