// Package replace replaces files whole: after a crash there is the old file or the new one.
package replace

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// File writes a file. It makes another one, ".NAME.NUMBER.tmp", in the folder of path, lets write fill it, has the
// system store it, renames it to path, and has the system store the folder. A file that was there keeps its permissions
// as far as the system lets it, and a new one has perm before umask. A symbolic link is replaced, not what it points
// to. Files that killed writers of path left are removed.
//
// The error is write's, unchanged, or one of the system. After an error the old file is there, unless the error says
// that path was written.
func File(path string, perm os.FileMode, write func(*os.File) error) (err error) {
	removeLeft(path)
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
		file.Close()
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	if err = write(file); err != nil {
		return err
	}
	if replaces {
		file.Chmod(perm)
	}
	if err = file.Sync(); err == nil && !renamesHeld {
		err = file.Close()
	}
	if err == nil {
		err = rename(file.Name(), path)
	}
	if err != nil {
		return err
	}
	if err := Sync(filepath.Dir(path)); err != nil {
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

const temporarySuffix = ".tmp"

// temporaryPrefix returns how the names of path's temporary files begin, before a number.
func temporaryPrefix(name string) string { return "." + name + "." }

// createBeside makes a new file in the folder of path, and holds it.
func createBeside(path string, perm os.FileMode) (file *os.File, err error) {
	folder, name := filepath.Split(path)
	for range 100 {
		temporary := folder + temporaryPrefix(name) + strconv.FormatUint(rand.Uint64(), 10) + temporarySuffix
		file, err = os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		switch {
		case err == nil && !hold(file): // another writer took it for one that is left
			file.Close()
			err = os.ErrExist
		case !os.IsExist(err):
			return file, err
		}
	}
	return nil, err
}

// mostNames is how many names of a folder are read to find files that are left: more take longer than it takes to have
// the system store a file.
const mostNames = 10_000

// removeLeft removes the temporary files of path that no writer holds.
func removeLeft(path string) {
	folder, name := filepath.Split(path)
	dir, err := os.Open(cmp.Or(folder, "."))
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(mostNames)
	for _, left := range names {
		number, begins := strings.CutPrefix(left, temporaryPrefix(name))
		number, ends := strings.CutSuffix(number, temporarySuffix)
		if _, err := strconv.ParseUint(number, 10, 64); !begins || !ends || err != nil {
			continue
		}
		if info, err := os.Lstat(folder + left); err == nil && info.Mode().IsRegular() {
			removeUnheld(folder+left, info)
		}
	}
}
