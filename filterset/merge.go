package filterset

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/mmap"
)

// Merge adds the layers of other sets to the set in the folder dir, which it creates, with its parents, if it does not
// exist. The result contains the keys of all of them. All must have the same format and key hash; bits per key and the
// number of parts may differ. It reads no keys and builds no filters: files are linked, or else copied, as they are. It
// checks their sizes, but not their bytes: [Set.Verify] does. So a lookup reads the layers of all sets, and
// false-positive rates add up. To have one layer again, build the set of all keys. A set that is named twice, or is
// dir, is an error: the second copy of its layers would only double its rate.
//
// Killed at any time, or after an error, dir has the old set or the new one, whole. After an error, folders that it
// made are gone. The other sets are unchanged.
func Merge(dir string, from ...string) error {
	var made Info
	var sources, ids []string
	var held []*folderLock
	for _, source := range from {
		info, err := readInfo(source)
		if err == nil && made.Format != "" && info.Format != made.Format {
			err = otherFormat(info.Format, made.Format)
		}
		if err != nil {
			return checked.About(source, wrap(err))
		}
		made.Format, made.Hash = info.Format, info.Hash
		for _, layer := range info.Layers {
			made.Layers = append(made.Layers, layer)
			sources = append(sources, filepath.Join(source, layer.Folder()))
		}
	}
	if made.Format == "" {
		return errors.New("filterset: no sets to merge")
	}
	if err := distinct(dir, from); err != nil {
		return err
	}
	committed := false
	folder := setFolder{dir: dir}
	defer func() { discard(&folder, ids, held, committed) }()
	err := folder.begin(func() error {
		if _, err := toExtend(dir, made.Format, len(made.Layers)); err != nil {
			return err
		}
		for i := range made.Layers {
			id, lock, err := newLayer(dir)
			if err != nil {
				return err
			}
			made.Layers[i].ID, ids, held = id, append(ids, id), append(held, lock)
		}
		return nil
	})
	if err != nil {
		return wrap(err)
	}
	for i, layer := range made.Layers {
		target := filepath.Join(dir, layer.Folder())
		for part, said := range layer.Parts {
			name := PartFile(part)
			if err := linkOrCopy(filepath.Join(sources[i], name), filepath.Join(target, name), said.Bytes); err != nil {
				return wrap(err)
			}
		}
		if err := store(target); err != nil {
			return wrap(err)
		}
	}
	committed = true
	return wrap(commit(&folder, made, true))
}

// distinct reports a set that would be merged with itself.
func distinct(dir string, from []string) error {
	var folders []os.FileInfo
	for _, name := range append([]string{dir}, from...) {
		folder, _ := os.Stat(name) // or nil: dir, which is made
		if slices.ContainsFunc(folders, func(f os.FileInfo) bool { return os.SameFile(f, folder) }) {
			return fmt.Errorf("filterset: the set %s would be merged with itself", name)
		}
		folders = append(folders, folder)
	}
	return nil
}

// linkOrCopy gives a file of the given size, which never changes, another name, or else copies it.
func linkOrCopy(from, to string, size int64) error {
	file, err := mmap.OpenRegular(from)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && info.Size() != size {
		err = fmt.Errorf("%w: %s has %d bytes, and %d by the manifest", simdbloom.ErrCorrupt, from, info.Size(), size)
	}
	if err != nil {
		return err
	}
	if err := store(from); err != nil { // a copied set may not be stored yet
		return err
	}
	if os.Link(from, to) == nil {
		if made, err := os.Lstat(to); err == nil && os.SameFile(made, info) {
			return nil
		}
		os.Remove(to) // it is a symbolic link, as from is
	}
	return writeSynced(to, func(copied io.Writer) error {
		_, err := io.CopyN(copied, file, size)
		return err
	})
}
