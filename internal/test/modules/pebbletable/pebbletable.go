// Package pebbletable has Pebble write tables. Only tests use it.
package pebbletable

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// Write has Pebble write a table with the given number of keys, every tenth of them
// deleted, and, except in LevelDB's format, two deleted ranges. It returns the file.
func Write(options sstable.WriterOptions, keys int) ([]byte, error) {
	options.Comparer = pebble.DefaultComparer
	files := vfs.NewMem()
	file, err := files.Create("table", vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(file), options)
	for i := range keys {
		key := Key(i)
		if i%10 == 9 {
			err = w.Delete(key)
		} else {
			err = w.Set(key, key)
		}
		if err != nil {
			return nil, err
		}
	}
	if options.TableFormat > sstable.TableFormatLevelDB {
		for _, ends := range []string{"ab", "cd"} {
			if err := w.DeleteRange([]byte(ends[:1]), []byte(ends[1:])); err != nil {
				return nil, err
			}
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if file, err = files.Open("table"); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	if _, err := file.ReadAt(data, 0); err != nil {
		return nil, err
	}
	return data, file.Close()
}

// Read has Pebble read a table. The reader must be closed.
func Read(data []byte) (*sstable.Reader, error) {
	files := vfs.NewMem()
	file, err := files.Create("table", vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(bytes.Clone(data)); err != nil { // with -race, Pebble overwrites its argument
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	if file, err = files.Open("table"); err != nil {
		return nil, err
	}
	readable, err := sstable.NewSimpleReadable(file)
	if err != nil {
		return nil, err
	}
	return sstable.NewReader(context.Background(), readable, sstable.ReaderOptions{})
}

// Layout returns where a table's blocks are, according to Pebble.
func Layout(data []byte) (*sstable.Layout, error) {
	r, err := Read(data)
	if err != nil {
		return nil, err
	}
	layout, err := r.Layout()
	return layout, errors.Join(err, r.Close())
}

// Key is the key with the number.
func Key(i int) []byte { return fmt.Appendf(nil, "key%05d", i) }

// Policy is a policy of this library as a Pebble policy, recorded under a name.
type Policy struct {
	*policy.Policy
	Recorded string
}

// Name returns the name that Pebble records.
func (p Policy) Name() string { return p.Recorded }

// MayContain queries a filter.
func (p Policy) MayContain(_ pebble.FilterType, filter, key []byte) bool {
	return p.Policy.MayContain(filter, key)
}

// NewWriter begins a filter.
func (p Policy) NewWriter(pebble.FilterType) pebble.FilterWriter { return writer{p.NewBuilder()} }

type writer struct{ *simdbloom.Builder }

func (w writer) AddKey(key []byte) { w.Add(key) }

func (w writer) Finish(dst []byte) []byte {
	dst, err := w.AppendFinish(dst)
	if err != nil {
		panic(err)
	}
	return dst
}
