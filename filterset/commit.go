package filterset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/simdbloom/simdbloom/internal/checked"
)

// commit puts a set, whose files the system has stored, into the place of the one in the folder, or adds its layers to
// that.
// Nobody needs to hold the layers' locks afterwards.
func commit(folder *setFolder, made Info, extend bool) error {
	dir := folder.dir
	return folder.locked(func() error {
		info := made
		if extend {
			there, err := toExtend(dir, made.Format, len(made.Layers))
			if err != nil {
				return err
			}
			info.Layers = append(there.Layers, made.Layers...)
		}
		err := store(dir) // the layers' folders, before a manifest names them
		if err == nil {
			err = syncParent(dir) // this builder or another one may have made it
		}
		if err == nil {
			err = replaceManifest(dir, &info)
		}
		if err == nil {
			removeUnused(dir)
		}
		return err
	})
}

// toExtend returns the set to which the given number of layers are added: the one in the folder, or an empty one.
func toExtend(dir, format string, layers int) (Info, error) {
	info, err := readInfo(dir)
	switch none := errors.Is(err, fs.ErrNotExist); {
	case err != nil && !none:
	case !none && info.Format != format:
		err = otherFormat(info.Format, format)
	case len(info.Layers)+layers > mostLayers:
		err = fmt.Errorf("%d layers and %d more, above %d: build the set of all keys", len(info.Layers), layers, mostLayers)
	case none:
		err = nil
	}
	return info, checked.About(dir, err)
}

func otherFormat(is, want string) error {
	return fmt.Errorf("the set has filters of the format %s, not %s", is, want)
}

// discard ends the use of layers that were built: those that the manifest does not list are removed, and without a
// manifest the folders that were made for them. If commit was called, the manifest may list them, and they stay if it
// cannot be read.
func discard(folder *setFolder, ids []string, held []*folderLock, committed bool) {
	whole, err := folder.hold(false)
	var info Info
	if err == nil {
		info, err = readInfo(folder.dir)
	}
	none := errors.Is(err, fs.ErrNotExist)
	unknown := committed && err != nil && !none
	for i, id := range ids {
		listed := unknown || slices.ContainsFunc(info.Layers, func(l Layer) bool { return l.ID == id })
		path := filepath.Join(folder.dir, layerPrefix+id)
		held[i].unlock() // Windows keeps the lock's file until then
		if !listed {
			os.RemoveAll(path)
		}
	}
	switch {
	case none:
		folder.abandon(whole)
	case whole != nil:
		whole.unlock()
	}
}
