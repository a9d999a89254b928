package ranges_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/policy"
)

// store is files in memory, whose ranges are read as fail says.
type store struct {
	files    map[string][]byte
	requests atomic.Int64
	bytes    atomic.Int64

	// read is ReadRange, if it is not nil. n counts requests, from 1 on.
	read func(ctx context.Context, n int64, name string, p []byte, off int64) error
}

func (s *store) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	n := s.requests.Add(1)
	s.bytes.Add(int64(len(p)))
	if s.read != nil {
		return s.read(ctx, n, name, p, off)
	}
	return s.copy(name, p, off)
}

// copy reads as it should be.
func (s *store) copy(name string, p []byte, off int64) error {
	data, ok := s.files[name]
	switch {
	case !ok:
		return fmt.Errorf("%w: %s", fs.ErrNotExist, name)
	case off > int64(len(data)):
		return io.ErrUnexpectedEOF
	case copy(p, data[off:]) < len(p):
		return io.ErrUnexpectedEOF
	}
	return nil
}

// storeOf returns the files of a folder.
func storeOf(t testing.TB, dir string) *store {
	t.Helper()
	s := &store{files: make(map[string][]byte)}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			s.files[name], err = os.ReadFile(filepath.Join(dir, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// setOf returns a set of hashes, as a store and opened from files.
func setOf(t testing.TB, p *policy.Policy, hashes []uint64, options ...filterset.Option) (*store, *filterset.Set) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	addSet(t, dir, p, hashes, options...)
	s := contract.Must(filterset.Open(dir))
	t.Cleanup(func() { s.Close() })
	return storeOf(t, dir), s
}

func addSet(t testing.TB, dir string, p *policy.Policy, hashes []uint64, options ...filterset.Option) {
	t.Helper()
	b := contract.Must(filterset.NewBuilder(dir, p, int64(len(hashes)), 64<<20, options...))
	defer b.Close()
	b.AddHashes(hashes)
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// check compares the answers of a filter with the wanted ones, in one call and in several.
func check(t testing.TB, name string, r *filterfile.Remote, hashes []uint64, want func(hash uint64) bool) {
	t.Helper()
	hits := make([]bool, len(hashes))
	for _, n := range []int{len(hashes), 1, 7, 1000} {
		n = min(n, len(hashes))
		if err := r.ContainsHashes(context.Background(), hashes[:n], hits); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, hash := range hashes[:n] {
			if hits[i] != want(hash) {
				t.Fatalf("%s: hash %d of %d: %v", name, i, n, hits[i])
			}
		}
	}
}

var errFails = errors.New("the store fails")

func sum(data []byte) uint64 { return xxhash.Sum64(data) }
