//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filterset

import (
	"errors"
	"os"
	"syscall"
)

// folderLock is a lock on a folder, which ends with the program.
type folderLock struct {
	folder *os.File
	locked bool
}

var errLocked = errors.New("the folder is in use")

// lockFolder locks a folder. If another one has the lock, it waits, or returns errLocked. Where the file
// system has no locks, nothing is locked.
func lockFolder(path string, wait bool) (*folderLock, error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err = syscall.Flock(int(folder.Fd()), how)
		if err != syscall.EINTR {
			break
		}
	}
	if err == syscall.EWOULDBLOCK {
		folder.Close()
		return nil, errLocked
	}
	return &folderLock{folder, err == nil}, nil
}

// certain reports whether nobody else has the folder.
func (l *folderLock) certain() bool { return l.locked }

func (l *folderLock) unlock() { l.folder.Close() }

// remove removes the locked folder, if it is empty. It stays locked: others that wait for it find it gone.
func (l *folderLock) remove(path string) bool { return removeFolder(path) }

// isAt reports whether the locked folder is still the one of that name.
func (l *folderLock) isAt(path string) bool {
	mine, _ := l.folder.Stat() // or nil
	there, err := os.Stat(path)
	return err == nil && os.SameFile(mine, there)
}
