//go:build unix

package replace

import (
	"errors"
	"os"
	"syscall"
)

// SyncFolder has the system store the names of a folder's files. Some file systems cannot.
func SyncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
