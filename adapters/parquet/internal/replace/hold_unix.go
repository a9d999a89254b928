//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package replace

import (
	"errors"
	"os"
	"syscall"
)

// renamesHeld tells that a held file can be renamed.
const renamesHeld = true

// hold locks a new file until it is closed or the program ends. It returns false if the file was removed before. Where
// the file system has no locks, nothing is locked.
func hold(file *os.File) bool {
	if flock(file, syscall.LOCK_EX) != nil {
		return true
	}
	mine, err := file.Stat()
	if err != nil {
		return true
	}
	there, err := os.Lstat(file.Name())
	return err == nil && os.SameFile(mine, there)
}

// removeUnheld removes a file that nobody has locked.
func removeUnheld(name string, _ os.FileInfo) {
	file, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0) // network file systems lock only files that are open for writing
	if errors.Is(err, os.ErrPermission) {
		file, err = os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	if err != nil {
		return
	}
	defer file.Close()
	if flock(file, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(name)
	}
}

func flock(file *os.File, how int) error {
	for {
		if err := syscall.Flock(int(file.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
