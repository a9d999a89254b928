package filterset

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// folderLock is a lock on a file in a folder, which ends with the program.
type folderLock struct {
	file   *os.File
	locked bool
}

var errLocked = errors.New("the folder is in use")

// lockFolder locks a folder. If another one has the lock, it waits, or returns errLocked. Where the file
// system has no locks, nothing is locked.
func lockFolder(path string, wait bool) (*folderLock, error) {
	file, err := openLock(filepath.Join(path, "lock"))
	if err != nil {
		return nil, err
	}
	how := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err = windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		file.Close()
		return nil, errLocked
	}
	return &folderLock{file, err == nil}, nil
}

// openLock opens the lock's file, or makes it. Windows refuses that for a moment while somebody removes the file.
func openLock(name string) (file *os.File, err error) {
	for range 100 {
		file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return file, err
}

// certain reports whether nobody else has the folder.
func (l *folderLock) certain() bool { return l.locked }

// unlock also removes the lock's file, unless somebody else has it open: Windows refuses that. So nobody has or waits
// for the lock of a file that is removed.
func (l *folderLock) unlock() {
	if l.file.Close() == nil {
		os.Remove(l.file.Name())
	}
}

// remove unlocks the folder, and removes it if only the lock's file is in it, which nobody else has open.
func (l *folderLock) remove(path string) bool {
	l.unlock()
	return removeFolder(path)
}

// isAt reports whether the locked folder is still the one of that name: an open file keeps it.
func (l *folderLock) isAt(string) bool { return true }
