package pebble_test

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// failing is a file system of which one read fails.
type failing struct {
	vfs.FS
	reads atomic.Int64 // so far
	fails int64        // which one
}

var errRead = errors.New("this read fails")

func (f *failing) Open(name string, options ...vfs.OpenOption) (vfs.File, error) {
	file, err := f.FS.Open(name, options...)
	return failingFile{file, f}, err
}

type failingFile struct {
	vfs.File
	fs *failing
}

func (f failingFile) ReadAt(p []byte, at int64) (int, error) {
	if f.fs.reads.Add(1) == f.fs.fails {
		return 0, errRead
	}
	return f.File.ReadAt(p, at)
}

// TestEveryReadFailsOnce looks keys up while one read of the store fails, each in turn. Whatever is found has the right
// value, and a present key is missing only with an error.
func TestEveryReadFailsOnce(t *testing.T) {
	step := int64(1)
	if testing.Short() {
		step = 7
	}
	for _, policy := range []pebble.FilterPolicy{simdbloom.FastLocal(10), simdbloom.Linear(16)} {
		disk := vfs.NewMem()
		separate := func(o *pebble.Options) {
			onAllLevels(policy)(o)
			c := *comparer
			c.Name, c.Split = "versions behind @", func(key []byte) int {
				if at := bytes.IndexByte(key, '@'); at >= 0 {
					return at
				}
				return len(key)
			}
			o.Comparer = &c
			o.Experimental.EnableValueBlocks = func() bool { return true }
		}
		s := open(t, disk, separate)
		var keys, absent [][]byte
		for _, key := range numbered(10, 16) {
			// The values of a prefix's later versions are in blocks of their own.
			for _, version := range []string{"", "@1\x00", "@2\x00", "@3", "x\x00"} {
				keys = append(keys, append(bytes.Clone(key), version...))
			}
			for _, version := range []string{"@0\x00", "@1", "@2\x00\x00", "y", "z\x00"} {
				absent = append(absent, append(bytes.Clone(key), version...))
			}
		}
		s.flush(keys)
		s.compact()
		s.flush([][]byte{keys[0], keys[len(keys)-1]}) // a table whose filter excludes most keys between
		s.must(s.Close())

		asked := append(append([][]byte{}, keys...), absent...)
		for fails := int64(0); ; fails += step {
			fs, cache := &failing{FS: disk}, pebble.NewCache(1<<10) // blocks are read again
			s := open(t, fs, func(o *pebble.Options) {
				separate(o)
				o.Logger = silent{}
				o.Cache = cache
			})
			fs.reads.Store(0)
			fs.fails = fails
			checkFaulty(t, s, asked, len(keys))
			ended := fs.reads.Load() < fails
			s.must(s.Close())
			cache.Unref()
			if ended {
				t.Logf("%d reads failed", (fails-1)/step)
				break
			}
		}
	}
}

// checkFaulty looks keys up, of which the first few are present.
func checkFaulty(t *testing.T, s store, keys [][]byte, present int) {
	t.Helper()
	check := func(by string, i int, value []byte, found bool, err error) {
		t.Helper()
		switch {
		case found && (i >= present || !bytes.Equal(value, valueOf(keys[i]))):
			t.Fatalf("%s: %q has the value %q", by, keys[i], value)
		case !found && i < present && err == nil:
			t.Fatalf("%s: %q is missing, and no error", by, keys[i])
		}
	}
	batch := s.NewIndexedBatch() // of which all keys are looked up through an iterator
	defer func() { s.must(batch.Close()) }()
	for _, r := range []pebble.Reader{s.DB, batch} {
		for _, n := range []int{len(keys), 6, 1} {
			for first := 0; first < len(keys); first += n {
				found, some := make(map[int]bool), keys[first:min(first+n, len(keys))]
				err := simdbloom.GetMany(r, some, func(i int, value []byte) error {
					check("GetMany", first+i, value, true, nil)
					found[i] = true
					return nil
				})
				for i := range some {
					if first+i < present {
						check("GetMany", first+i, valueOf(some[i]), found[i], err)
					}
				}
			}
		}
	}
}
