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
	before atomic.Int64 // reads up to the one that fails, and with it; 0 or less after it
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
	if f.fs.before.Add(-1) == 0 {
		return 0, errRead
	}
	return f.File.ReadAt(p, at)
}

// TestEveryReadFailsOnce looks keys up while one read of the store fails: each of the reads of each GetMany, in turn.
// Whatever is found has the right value, and a present key is missing only with an error.
func TestEveryReadFailsOnce(t *testing.T) {
	policies, groups := []pebble.FilterPolicy{simdbloom.FastLocal(10), simdbloom.Linear(16)}, 16
	if testing.Short() {
		policies, groups = policies[:1], 5
	}
	for _, policy := range policies {
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
		for _, key := range numbered(10, groups) {
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

		fs, cache := &failing{FS: disk}, pebble.NewCache(1<<10) // blocks are read again
		s = open(t, fs, func(o *pebble.Options) {
			separate(o)
			o.Logger = silent{}
			o.Cache = cache
		})
		checkFaulty(t, s, fs, append(append([][]byte{}, keys...), absent...), len(keys))
		s.must(s.Close())
		cache.Unref()
	}
}

// checkFaulty looks keys up, of which the first few are present.
func checkFaulty(t *testing.T, s store, fs *failing, keys [][]byte, present int) {
	t.Helper()
	batch := s.NewIndexedBatch() // of which all keys are looked up through an iterator
	defer func() { s.must(batch.Close()) }()
	failures := 0
	for _, r := range []pebble.Reader{s.DB, batch} {
		for _, n := range []int{len(keys), 6, 1} {
			for first := 0; first < len(keys); first += n {
				some := keys[first:min(first+n, len(keys))]
				for read := int64(1); ; read++ {
					fs.before.Store(read)
					found, err := many(r, some)
					for i, key := range some {
						value, is := found[i]
						switch {
						case is && (first+i >= present || value != string(valueOf(key))):
							t.Fatalf("%q has the value %q", key, value)
						case !is && first+i < present && err == nil:
							t.Fatalf("%q is missing, and no error", key)
						}
					}
					if fs.before.Load() > 0 {
						break
					}
					failures++
				}
			}
		}
	}
	t.Logf("%d reads failed", failures)
}
