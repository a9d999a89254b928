package sliced_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
	"github.com/simdbloom/simdbloom/splitblock"
)

// bytesOf returns the bytes of a file.
func bytesOf(s *sliced.Filters) []byte {
	var file bytes.Buffer
	contract.Must(s.WriteTo(&file))
	return file.Bytes()
}

// mixedFilters has filters of two shapes, others that stay as they are, ones that give every key the same answer, and
// removed ones.
func mixedFilters() *sliced.Filters {
	s := newFilters(someFilters(70))
	for i := range 45 {
		b := contract.Must(splitblock.NewBuilder(16, keyhash.XX64))
		b.AddHashes(vectors.Hashes(uint64(i), 20+5*(i/40)))
		contract.Must(s.Append(contract.Must(b.Filter())))
	}
	contract.Must(s.Append(contract.Must(bloom.Open(nil, keyhash.XX64))))
	contract.Must(s.Append(contract.Must(bloom.Open(make([]byte, 6), keyhash.XX64))))
	for _, id := range []int{3, 69, 75, 112} {
		if err := s.Remove(id); err != nil {
			panic(err)
		}
	}
	return s
}

// TestEveryFlippedBit: each is an error, also where only what is read is checked.
func TestEveryFlippedBit(t *testing.T) {
	data := bytesOf(mixedFilters())
	for bit := range 8 * len(data) {
		if bit > 8*4096 && bit%97 != 0 || testing.Short() && bit%17 != 0 {
			continue
		}
		data[bit/8] ^= 1 << (bit % 8)
		if _, err := sliced.OpenBytes(data); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("bit %d: %v", bit, err)
		}
		s, err := sliced.OpenBytes(data, filterfile.WithLazyCheck())
		if err == nil {
			err = s.Check()
		}
		if !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("bit %d: %v", bit, err)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	for n := 0; n < len(data); n += 1 + n/30 {
		if _, err := sliced.OpenBytes(data[:n]); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
	if _, err := sliced.OpenBytes(append(data, 0)); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Fatal(err)
	}
}

// TestWrongPieces: no key is lost where a piece is wrong, and what reads it by itself returns an error.
func TestWrongPieces(t *testing.T) {
	const n = 600
	filters := someFilters(n)
	s := newFilters(filters)
	data := bytesOf(s)
	random := rand.New(rand.NewPCG(1, 1))
	wrong := 0
	for range 10 {
		changed := bytes.Clone(data)
		for range 1 + random.IntN(3) {
			changed[len(data)*3/4-random.IntN(len(data)/2)] ^= 0xff
		}
		opened, err := sliced.OpenBytes(changed, filterfile.WithLazyCheck())
		if err != nil {
			t.Fatal(err)
		}
		for id := range filters {
			hashes := vectors.Hashes(uint64(id), 20)
			for _, hash := range hashes {
				got, want := opened.AppendHits(nil, hash), s.AppendHits(nil, hash)
				if !slices.Contains(got, id) || len(got) > len(want) && opened.Err() == nil || slices.ContainsFunc(want, func(id int) bool { return !slices.Contains(got, id) }) {
					t.Fatalf("%v, want %v: %v", got, want, opened.Err())
				}
			}
			if id%50 == 0 {
				found := 0
				for other, keys := range opened.Candidates(hashes, []uint64{1<<20 - 1}) {
					if other == id {
						found = len(keys)
					}
				}
				if found != 20 {
					t.Fatalf("filter %d has %d of its keys", id, found)
				}
			}
		}
		if f := opened.Filter(5); f == nil {
			wrong++
			if !errors.Is(opened.Err(), simdbloom.ErrCorrupt) {
				t.Fatal(opened.Err())
			}
		} else if !bytes.Equal(f.Bytes(), filters[5].Bytes()) {
			t.Fatal("a filter came back changed")
		}
		if err := opened.Remove(7); !errors.Is(err, simdbloom.ErrCorrupt) || opened.Len() != n {
			t.Errorf("Remove in a tile that is wrong: %v", err)
		}
		for _, some := range [][]*simdbloom.Filter{filters[:50], filters[:500]} { // in the tile's room, and in more
			if first, err := opened.AppendAll(some); first != 0 || !errors.Is(err, simdbloom.ErrCorrupt) || opened.Len() != n {
				t.Errorf("AppendAll to a tile that is wrong: %d, %v", first, err)
			}
		}
		for i := range 8 { // the last one makes columns of all
			if id, err := opened.Append(filters[i]); errors.Is(err, simdbloom.ErrCorrupt) != (i == 7) || (id == 0) != (i == 7) || opened.Len() != n+min(i+1, 7) {
				t.Fatalf("Append to a tile that is wrong: %d, %v", id, err)
			}
		}
		if err := opened.Remove(n + 3); err != nil {
			t.Error(err)
		}
		if _, err := opened.Append(filters[7]); err != nil || opened.Len() != n+7 { // seven wait again
			t.Errorf("Append after an error and Remove: %v", err)
		}
		if err := opened.WriteFile(filepath.Join(t.TempDir(), "filters")); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("WriteFile: %v", err)
		}
		if err := opened.Check(); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "piece") {
			t.Error(err)
		}
	}
	if wrong == 0 {
		t.Error("each filter came back")
	}
}

// TestOtherFiles: files of one filter, and of another key hash, are ErrUnknown.
func TestOtherFiles(t *testing.T) {
	one := contract.Must(filterfile.Append(nil, someFilters(1)[0]))
	own := keyhash.New("own", keyhash.XX64.Sum64)
	many := bytesOf(newFilters(someFilters(40)))
	ofOwn := bytesOf(sliced.New(own))
	for i, err := range []error{
		errorOf(sliced.OpenBytes(one)),
		errorOf(sliced.OpenBytes(many, filterfile.WithHash(keyhash.XXPH3))),
		errorOf(sliced.OpenBytes(ofOwn)),
		errorOf(filterfile.OpenBytes(many)),
	} {
		if i == 0 && !strings.Contains(err.Error(), "filterfile opens") || !errors.Is(err, simdbloom.ErrUnknown) || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := errorOf(sliced.OpenBytes(ofOwn, filterfile.WithHash(own))); err != nil {
		t.Error(err)
	}
	if _, err := sliced.New(keyhash.Hash{}).WriteTo(new(bytes.Buffer)); err == nil {
		t.Error("Filters of the zero key hash were written")
	}
}

func errorOf[T any](_ T, err error) error { return err }

// TestFiles writes, opens and replaces a file that is in use.
func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filters.sliced")
	filters := someFilters(200)
	if err := newFilters(filters).WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".other", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := contract.Must(os.Stat(path)).Mode(), contract.Must(os.Stat(path+".other")).Mode(); got != want {
		t.Errorf("permissions %v, and others have %v", got, want)
	}
	for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
		first := contract.Must(sliced.Open(path))
		s := contract.Must(sliced.Open(path, options...))
		contract.Must(s.Append(filters[0]))
		if err := s.Remove(1); err != nil {
			t.Fatal(err)
		}
		if err := s.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		if s := contract.Must(sliced.Open(path)); s.Len() != first.Len() || s.Filter(1) != nil || s.Filter(200) == nil {
			t.Error("the file does not have what was changed")
		}
		if first.Filter(1) == nil || !slices.Contains(first.AppendHits(nil, vectors.Hashes(1, 1)[0]), 1) {
			t.Error("a file that is open has changed")
		}
		if err := newFilters(filters).WriteFile(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{filepath.Dir(path), path + "none"} {
		if _, err := sliced.Open(path); err == nil || !strings.Contains(err.Error(), path) || errors.Is(err, fs.ErrNotExist) != strings.HasSuffix(path, "none") {
			t.Error(err)
		}
	}
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sliced.Open(path); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

// TestCloseDuringLookups: other goroutines' lookups are right, or panic as documented. The file is unmapped meanwhile,
// which would end the program if one still read it.
func TestCloseDuringLookups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filters")
	if err := newFilters(someFilters(500)).WriteFile(path); err != nil {
		t.Fatal(err)
	}
	for round := range 10 {
		var options []filterfile.OpenOption
		if round%2 == 1 {
			options = append(options, filterfile.WithLazyCheck())
		}
		s := contract.Must(sliced.Open(path, options...))
		var group sync.WaitGroup
		var lookups atomic.Int64
		for g := range 4 {
			group.Add(1)
			go func() {
				defer group.Done()
				defer func() {
					if text, _ := recover().(string); !strings.Contains(text, "closed") {
						t.Errorf("panic: %v", text)
					}
				}()
				for i := g; ; i = (i + 7) % 500 {
					hashes := vectors.Hashes(uint64(i), 20)
					if !slices.Contains(s.AppendHits(nil, hashes[3]), i) {
						t.Error("a key is lost")
						return
					}
					for _, ids := range s.Hits(hashes) {
						if !slices.Contains(ids, i) {
							t.Error("a key is lost")
							return
						}
					}
					s.Filter(i)
					lookups.Add(1)
				}
			}()
		}
		for lookups.Load() < 20 {
			time.Sleep(time.Millisecond)
		}
		s.Close()
		runtime.GC()
		group.Wait()
		runtime.GC()
	}
}

// TestFilesOfRemovedFilters: filters of one shape have no matrix while there are few, whatever their ids are.
func TestFilesOfRemovedFilters(t *testing.T) {
	s := sliced.New(keyhash.XX64)
	const together = 16 // so that some time there are 32 ids
	for ids := 0; ids < 300; ids += together {
		var filters []*simdbloom.Filter
		for i := range together {
			b := contract.Must(bloom.NewBuilder(10, keyhash.XX64))
			b.AddHash(uint64(ids + i))
			filters = append(filters, contract.Must(b.Filter()))
		}
		first := contract.Must(s.AppendAll(filters))
		for id := max(0, first-1); id < first+together-1; id++ { // of those before, the last is left
			if err := s.Remove(id); err != nil {
				t.Fatal(err)
			}
			again, err := sliced.OpenBytes(bytesOf(s))
			if err != nil {
				t.Fatalf("filters %d to %d: %v", id+1, first+together-1, err)
			}
			if !bytes.Equal(bytesOf(again), bytesOf(s)) || !slices.Equal(again.Shapes(), s.Shapes()) {
				t.Fatalf("filters %d to %d: %v, want %v, or another file", id+1, first+together-1, again.Shapes(), s.Shapes())
			}
			for hash := range uint64(ids + together) {
				if got, wanted := again.AppendHits(nil, hash), s.AppendHits(nil, hash); !slices.Equal(got, wanted) {
					t.Fatalf("filters %d to %d: %v have %d, and not %v", id+1, first+together-1, got, hash, wanted)
				}
			}
		}
	}
}

// TestRowsOfFiles: rows have as few lines of 64 bytes as their columns need, but an odd number from 26 on.
func TestRowsOfFiles(t *testing.T) {
	f := contract.Must(bloom.Open(append(make([]byte, 64), 0xff, 0, 6, 0, 0), keyhash.XX64))
	for lines, want := range map[int]int{24: 24, 25: 25, 26: 27, 27: 27, 28: 29} {
		file := contract.Must(stored.Parse(bytesOf(newFilters(slices.Repeat([]*simdbloom.Filter{f}, 512*lines)))))
		rows := 8*64 + 1
		if got := len(file.Body) - int(binary.LittleEndian.Uint64(file.Body)); got != 64*want*rows {
			t.Errorf("a matrix of %d columns has %d bytes, want %d", 512*lines, got, 64*want*rows)
		}
	}
}
