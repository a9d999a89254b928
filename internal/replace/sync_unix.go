//go:build unix

package replace

import (
	"errors"
	"os"
	"syscall"
)

// Sync has the system store the names in a folder, or the bytes of a file. Some file systems cannot store names.
func Sync(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	err = file.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
