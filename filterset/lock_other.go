//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filterset

import "os"

// folderLock locks nothing: the system has no locks that end with the program. Programs that build in the
// same folder at once must be kept apart by their callers, and leftovers of a crash stay.
type folderLock struct{}

func lockFolder(path string, _ bool) (*folderLock, error) {
	_, err := os.Stat(path)
	return new(folderLock), err
}

func (*folderLock) certain() bool { return false }

func (*folderLock) unlock() {}

func (*folderLock) remove(path string) bool { return removeFolder(path) }

func (*folderLock) isAt(string) bool { return true }
