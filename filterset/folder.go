package filterset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/replace"
)

// A set's folder has the manifest, and a folder for each layer. A layer's folder that the manifest does not
// list is being built, or is left of a crash or of a set that was replaced. Its builder holds a lock on
// it, which the system drops when the program ends: so the next builder knows which ones to remove. The set's
// own lock is held only while folders are made or removed, and the manifest is replaced.

// errNoFolder is returned for an empty name, which would be the working directory's.
var errNoFolder = errors.New("the name of the set's folder is empty")

// readInfo reads the manifest.
func readInfo(dir string) (Info, error) {
	if dir == "" {
		return Info{}, errNoFolder
	}
	file, err := mmap.OpenRegular(filepath.Join(dir, Manifest))
	if err != nil {
		if info, failed := os.Stat(dir); failed == nil && !info.IsDir() {
			err = &fs.PathError{Op: "open", Path: dir, Err: errors.New("not a folder: filterfile.Open opens filter files")}
		}
		return Info{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostManifest))
	if err != nil {
		return Info{}, err
	}
	return readManifest(text)
}

// newLayer makes the folder of a layer that is being built, and holds its lock. The set's lock is held.
func newLayer(dir string) (id string, held *folderLock, err error) {
	id = fmt.Sprintf("%016x", rand.Uint64())
	path := filepath.Join(dir, layerPrefix+id)
	if err = os.Mkdir(path, 0o777); err == nil {
		if held, err = lockFolder(path, false); err != nil {
			os.Remove(path)
		}
	}
	return id, held, err
}

// removeUnused removes the layers' folders that neither the manifest lists nor a builder holds. What cannot be
// removed stays for the next time. The set's lock is held.
func removeUnused(dir string) {
	info, err := readInfo(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // the manifest may list any of them
	}
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		name := entry.Name()
		id, isLayer := strings.CutPrefix(name, layerPrefix)
		switch listed := slices.ContainsFunc(info.Layers, func(l Layer) bool { return l.ID == id }); {
		case isLayer && isLayerID(id) && entry.IsDir() && !listed:
			path := filepath.Join(dir, name)
			if held, err := lockFolder(path, false); err == nil {
				held.unlock() // Windows keeps the lock's file until then
				if held.certain() {
					os.RemoveAll(path)
				}
			}
		case strings.HasPrefix(name, temporaryManifest):
			os.Remove(filepath.Join(dir, name))
		}
	}
}

const temporaryManifest = "." + Manifest + "."

// replaceManifest writes another manifest. After a crash there is the old one or the new one. The set's
// lock is held.
func replaceManifest(dir string, info *Info) error {
	text, err := info.appendText(nil)
	if err != nil {
		return err
	}
	return replace.File(filepath.Join(dir, Manifest), 0o666, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
}
