// Package replace replaces files whole: after a crash there is the old file or the new one.
package replace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// File writes a file. It makes another one, ".NAME.NUMBER.tmp", in the folder of path, lets write fill it, has the
// system store it, renames it to path, and has the system store the folder. A file that was there keeps its permissions as far as
// the system lets it, and a new one has perm before umask. A symbolic link is replaced, not what it points to.
//
// The error is write's, unchanged, or one of the system. After an error the old file is there, unless the error says
// that path was written.
func File(path string, perm os.FileMode, write func(*os.File) error) (err error) {
	old, failed := os.Lstat(path)
	replaces := failed == nil && old.Mode().IsRegular()
	if replaces {
		perm = old.Mode().Perm()
	}
	file, err := createBeside(path, perm|0o200) // never readable by more users than the old file is
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err = write(file); err != nil {
		return err
	}
	if replaces {
		file.Chmod(perm)
	}
	for _, step := range []func() error{
		file.Sync,
		file.Close,
		func() error { return rename(file.Name(), path) },
	} {
		if err = step(); err != nil {
			return err
		}
	}
	if err := SyncFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%s is written, but may be the old file after a crash: %w", path, err)
	}
	return nil
}

// rename is os.Rename. Windows refuses it for a moment while somebody reads the old file.
func rename(from, to string) (err error) {
	for range 100 {
		if err = os.Rename(from, to); err == nil || runtime.GOOS != "windows" {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return err
}

// createBeside makes a new file in the folder of path.
func createBeside(path string, perm os.FileMode) (file *os.File, err error) {
	folder, name := filepath.Split(path)
	for range 100 {
		temporary := fmt.Sprintf("%s.%s.%d.tmp", folder, name, rand.Uint64())
		file, err = os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !os.IsExist(err) {
			break
		}
	}
	return file, err
}
