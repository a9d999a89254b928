package cold

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// fileOf returns a file of a FastLocal filter of the given number of blocks, without keys.
func fileOf(blocks, pieceBytes int) (data string, is Part) {
	f := must(bloom.NewMutable(1, 10, keyhash.XX64, simdbloom.WithSizeBytes(64*blocks+5)))
	file := must(stored.New(f.Name(), f.Bytes(), pieceBytes))
	return string(file.AppendTo(nil)), Part{Keys: -1, Bytes: file.Offset + file.Length, Sum: file.Sum()}
}

// remote returns a Filter that reads a text, with the least memory.
func remote(s *text) *Filter {
	memory, none := int64(leastMemory), int64(0)
	return must(New(s, Options{Memory: &memory, ReadCost: &none}))
}

// TestHeads: of a file whose size is known, the header is read by one request, of no more bytes than there are. Sizes
// that no file has are errors before anything is read.
func TestHeads(t *testing.T) {
	small, smallIs := fileOf(10, stored.PieceBytes)
	medium, mediumIs := fileOf(1000, stored.PieceBytes)
	large, largeIs := fileOf(10_000, stored.PieceBytes)
	many, manyIs := fileOf(100_000, stored.LeastPieceBytes) // 12 KiB of checksums
	for what, c := range map[string]struct {
		data  string
		bytes int64
		reads int
		first int
		is    error
	}{
		"small":                 {small, smallIs.Bytes, 1, len(small), nil},
		"small, of any size":    {small, -1, 1, firstBytes, nil},
		"large":                 {large, largeIs.Bytes, 1, firstBytes + 8*int(largeIs.Bytes/stored.PieceBytes), nil},
		"large, of any size":    {large, -1, 1, firstBytes, nil},
		"of one piece":          {medium, mediumIs.Bytes, 1, len(medium), nil},
		"many checksums":        {many, manyIs.Bytes, 2, firstBytes + 8*int(manyIs.Bytes/stored.PieceBytes), nil},
		"no bytes":              {small, 0, 0, 0, contents.ErrCorrupt},
		"too few for any":       {small, stored.LeastBytes - 1, 0, 0, contents.ErrCorrupt},
		"fewer than its header": {large, stored.LeastBytes, 1, stored.LeastBytes, contents.ErrCorrupt},
		"more than there are":   {small, int64(len(small)) + 1, 1, len(small) + 1, io.ErrUnexpectedEOF},
	} {
		s := &text{data: c.data}
		head, err := remote(s).readHead(t.Context(), "f", Part{Bytes: c.bytes})
		if !errors.Is(err, c.is) || (err == nil) != (c.is == nil) || len(s.reads) != c.reads || c.reads > 0 && s.reads[0] != c.first {
			t.Errorf("%s: reads of %d bytes, %v", what, s.reads, err)
		}
		if err == nil {
			if _, _, err := stored.ParseHead(head); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	foreign := strings.Repeat("x", 5000)
	if head, err := remote(&text{data: foreign}).readHead(t.Context(), "f", Part{Bytes: 5000}); head != nil && err == nil || !errors.Is(err, contents.ErrCorrupt) {
		t.Errorf("no filter file: %v", err)
	}
	s := &text{data: many, fails: true}
	if _, err := remote(s).readHead(t.Context(), "f", Part{Bytes: -1}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	s = &text{data: many, after: 1}
	if _, err := remote(s).readHead(t.Context(), "f", manyIs); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	huge, is := fileOf(1<<19, stored.LeastPieceBytes) // 64 KiB of checksums, and 64 KiB may be taken
	if _, err := remote(&text{data: huge}).readHead(t.Context(), "f", is); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Error(err)
	}
}

// TestOpening: a small file is one request, and what is known of it stays: lookups read no header again.
func TestOpening(t *testing.T) {
	small, is := fileOf(10, stored.PieceBytes)
	s := &text{data: small}
	f := remote(s)
	if err := f.UseFile(t.Context(), "f"); err != nil || len(s.reads) != 1 || f.layers[0].Part(0) != is {
		t.Errorf("%d requests, %+v, %v", len(s.reads), f.layers[0].Part(0), err)
	}
	hits := []bool{true}
	if err := f.ContainsHashes(t.Context(), []uint64{1}, hits); err != nil || hits[0] || len(s.reads) != 1 || f.Counters().CacheHits != 1 {
		t.Errorf("%+v, %v, %v", f.Counters(), hits, err)
	}
	large, _ := fileOf(1000, stored.LeastPieceBytes)
	s = &text{data: large}
	f = remote(s)
	if err := f.UseFile(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	of := must(f.open(t.Context(), 0))
	if of.more < of.length-100 || of.unit != stored.LeastPieceBytes {
		t.Errorf("units of %d bytes, headers of Linear from %d of %d", of.unit, of.more, of.length)
	}
	if f.cache.used != of.memory()+overhead {
		t.Errorf("the cache counts %d bytes for %d", f.cache.used, of.memory())
	}
	if tail := must(f.readChecked(t.Context(), of, of.length-5, of.length)); len(tail) != 5 || cap(tail) > 64 {
		t.Errorf("%d bytes keep %d", len(tail), cap(tail))
	}
	if middle := must(f.readChecked(t.Context(), of, 10, 1010)); len(middle) != 1000 || cap(middle) > 1100 {
		t.Errorf("%d bytes keep %d", len(middle), cap(middle))
	}
	if all := must(f.readChecked(t.Context(), of, 0, of.length)); uint64(len(all)) != of.length {
		t.Errorf("%d bytes of %d", len(all), of.length)
	}
	if none, err := f.readChecked(t.Context(), of, 7, 7); none != nil || err != nil {
		t.Errorf("%d bytes, %v", len(none), err)
	}
	if _, err := New(nil, Options{}); err == nil {
		t.Error("no ranges are no error")
	}
	wrong := []byte(large)
	wrong[len(wrong)-int(of.length)] ^= 1
	f = remote(&text{data: string(wrong)})
	wants := []want{{file: of, from: 0}}
	if f.fetch(t.Context(), wants); !errors.Is(wants[0].err, contents.ErrCorrupt) || f.Counters().Errors != 1 {
		t.Errorf("a wrong piece: %v, %+v", wants[0].err, f.Counters())
	}
	memory := int64(leastMemory)
	f = must(New(s, Options{Memory: &memory, Unchecked: true}))
	if err := f.UseFile(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	s.reads = nil
	if err := f.ContainsHashes(t.Context(), []uint64{1}, hits); err != nil || hits[0] || len(s.reads) != 1 || s.reads[0] != 64 {
		t.Errorf("without checks: reads of %d bytes, %v, %v", s.reads, hits, err)
	}
	for _, data := range []string{small, large} {
		wrong := []byte(data)
		wrong[len(wrong)-7] ^= 1
		f := remote(&text{data: string(wrong)})
		if err := f.UseFile(t.Context(), "f"); !errors.Is(err, contents.ErrCorrupt) || f.Counters().Errors != 1 {
			t.Errorf("a wrong byte in %d: %v, %+v", len(wrong), err, f.Counters())
		}
	}
}

// TestMemoryOfFiles: all that is known of a file counts.
func TestMemoryOfFiles(t *testing.T) {
	none := new(file).memory()
	for want, f := range map[int64]*file{
		3: {name: "abc"}, 80: {sums: make([]uint64, 10)}, 7: {head: make([]byte, 7)}, 9: {tail: make([]byte, 9)}, 1000: {whole: new(simdbloom.Filter), length: 1000},
	} {
		if got := f.memory() - none; got != want {
			t.Errorf("%d bytes count as %d", want, got)
		}
	}
}

// TestClasses: the cache keeps headers of Linear rather than other pieces.
func TestClasses(t *testing.T) {
	f := remote(&text{data: strings.Repeat("x", 1000)})
	of := &file{unit: 100, length: 1000, more: 550}
	wants := []want{{file: of, from: 400}, {file: of, from: 500}, {file: of, from: 600}}
	f.fetch(t.Context(), wants)
	for i, class := range []int{pieces, headers, headers} {
		if w := wants[i]; w.err != nil || w.entry.class != class || len(w.data) != 100 {
			t.Errorf("unit %d is of class %d, %d bytes, %v", i, w.entry.class, len(w.data), w.err)
		}
	}
	if f.fetch(t.Context(), wants); f.Counters().CacheHits != 3 || f.Counters().Requests != 1 {
		t.Errorf("%+v", f.Counters())
	}
}

// TestWholeFilters: those of which a lookup may read any byte are read whole, if they are not more than the memory has
// for them.
func TestWholeFilters(t *testing.T) {
	share := remote(new(text)).share
	for size, fits := range map[int64]bool{share: true, share + 1: false} {
		f := must(leveldb.Open(append(make([]byte, size-1), 6), keyhash.LevelDB32))
		file := must(stored.New(f.Name(), f.Bytes(), stored.PieceBytes))
		if err := remote(&text{data: string(file.AppendTo(nil))}).UseFile(t.Context(), "f"); (err == nil) != fits {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestWaitingForMemory: a call that is ended while it waits for memory has its error, and "may contain".
func TestWaitingForMemory(t *testing.T) {
	small, _ := fileOf(10, stored.PieceBytes)
	f := remote(&text{data: small})
	if err := f.UseFile(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	all := f.working.left
	if err := f.working.take(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	hits := make([]bool, 2)
	if err := f.ContainsHashes(ended, []uint64{1, 2}, hits); !errors.Is(err, context.Canceled) || !hits[0] || !hits[1] || f.working.left != 0 {
		t.Errorf("%v, %v", hits, err)
	}
	if f.working.give(all); f.ContainsHashes(t.Context(), []uint64{1, 2}, hits) != nil || f.working.left != all || hits[0] || hits[1] {
		t.Errorf("%v, %d bytes are left of %d", hits, f.working.left, all)
	}
	f.cache = newCache(1 << 20)
	f.opening.left = 0
	if of, err := f.open(ended, 0); of != nil || !errors.Is(err, context.Canceled) || f.opening.left != 0 {
		t.Errorf("opening: %v, %d bytes are left", err, f.opening.left)
	}
}

// TestShortHits panic before a hit is written, even if there is room behind them.
func TestShortHits(t *testing.T) {
	f := remote(new(text))
	f.hash = keyhash.XX64
	for i, look := range []func(hits []bool) error{
		func(hits []bool) error { return f.ContainsHashes(t.Context(), []uint64{1, 2}, hits) },
		func(hits []bool) error { return f.ContainsKeys(t.Context(), make([][]byte, 2), hits) },
	} {
		room := make([]bool, 2)
		func() {
			defer func() {
				if recover() == nil || room[0] || room[1] {
					t.Errorf("lookup %d: %v", i, room)
				}
			}()
			look(room[:1])
		}()
	}
}

// TestBesideOthers: a call that waits for what another one reads has its error, but reads it itself if only the other
// one was ended.
func TestBesideOthers(t *testing.T) {
	small, is := fileOf(10, stored.PieceBytes)
	for _, failed := range []error{errBroken, context.Canceled} {
		f := remote(&text{data: small})
		f.layers = []Layer{{Of: func(uint64) int { return 0 }, Part: func(int) Part { return is }, Name: func(int) string { return "f" }}}
		f.name, f.hash = "simdbloom.FastLocal.XX64", keyhash.XX64
		beside := func(k key) {
			e, _ := f.cache.get(k, files)
			go func() {
				time.Sleep(time.Millisecond)
				e.err = failed
				f.cache.put(e, 0)
			}()
		}
		beside(key{0, ofFile})
		if of, err := f.open(t.Context(), 0); (of == nil) != (failed == errBroken) || (err == nil) != (of != nil) || of == nil && err != errBroken {
			t.Errorf("%v: %v", failed, err)
		}
		beside(key{0, 100})
		wants := []want{{file: &file{name: "f", unit: 100, length: 200}, from: 100}}
		if f.fetch(t.Context(), wants); (wants[0].err == nil) != (failed != errBroken) || wants[0].err == nil && len(wants[0].data) != 100 {
			t.Errorf("%v: %d bytes, %v", failed, len(wants[0].data), wants[0].err)
		}
	}
}

// wide looks up in ranges of the given size.
type wide uint32

func (w wide) Begin(hash uint64) contents.Query { return contents.Query{Hash: hash, Bytes: uint32(w)} }

func (wide) Next(*contents.Query, []byte) contents.Answer { return contents.No }

// TestWideRanges: a lookup that reads more than the memory has for it is an error, and "may contain".
func TestWideRanges(t *testing.T) {
	f := remote(new(text))
	f.layers = []Layer{{Of: func(uint64) int { return 0 }, Part: func(int) Part { return Part{Bytes: -1} }}}
	for bytes, fits := range map[int64]bool{f.share / 4: true, f.share/4 + 1: false} {
		of := &file{name: "f", length: 1 << 20, unit: 64, lookup: wide(bytes), tail: make([]byte, 1<<20)}
		f.cache = newCache(1 << 20)
		e, _ := f.cache.get(key{0, ofFile}, files)
		e.file = of
		f.cache.put(e, 1)
		hits := make([]bool, 1)
		if err := f.ContainsHashes(t.Context(), []uint64{1}, hits); (err == nil) != fits || hits[0] == fits {
			t.Errorf("ranges of %d bytes: %v, %v", bytes, hits[0], err)
		}
	}
}
