package sliced

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// filtersOfSize returns n filters of a size, filter i with vectors.Hashes(i, keys).
func filtersOfSize(n, blocks, keys int) []*simdbloom.Filter {
	filters := make([]*simdbloom.Filter, n)
	for i := range filters {
		b := contract.Must(bloom.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(64*blocks+5)))
		b.AddHashes(vectors.Hashes(uint64(i), keys))
		filters[i] = contract.Must(b.Filter())
	}
	return filters
}

// written returns the Filters in the bytes that s writes.
func written(s *Filters, options ...filterfile.OpenOption) *Filters {
	var file bytes.Buffer
	contract.Must(s.WriteTo(&file))
	return contract.Must(OpenBytes(file.Bytes(), options...))
}

// TestFewStayAsTheyAre: filters of a size are sliced from 32 on, and then by eight, however they come, and also if they
// were stored meanwhile.
func TestFewStayAsTheyAre(t *testing.T) {
	filters := filtersOfSize(56, 1, 10)
	loose := func(s *Filters) int { return len(s.collection().loose.ids) }
	for _, stores := range []bool{false, true} {
		s := New(keyhash.XX64)
		for i, f := range filters {
			want := i + 1
			if contract.Must(s.Append(f)); want >= 32 {
				want %= 8
			}
			if stores {
				s = written(s)
			}
			if got := loose(s); got != want {
				t.Errorf("stored %v: %d of %d filters are not sliced, want %d", stores, got, i+1, want)
			}
		}
		s = New(keyhash.XX64)
		for _, c := range []struct{ n, want int }{{20, 20}, {11, 31}, {1, 0}, {7, 7}, {1, 0}, {30, 0}} {
			if contract.Must(s.AppendAll(slices.Repeat(filters[:1], c.n))); stores {
				s = written(s)
			}
			if got := loose(s); got != c.want {
				t.Errorf("stored %v: %d of %d filters are not sliced, want %d", stores, got, s.Len(), c.want)
			}
		}
	}
}

// TestOrderOfIDs: a file whose ids ascend in each shape is looked up without sorting, also after others took the ids of
// removed filters, as long as these come in that order.
func TestOrderOfIDs(t *testing.T) {
	s := New(keyhash.XX64)
	for _, filters := range [][]*simdbloom.Filter{filtersOfSize(100, 1, 10), filtersOfSize(100, 2, 10)} {
		contract.Must(s.AppendAll(filters))
	}
	for _, id := range []int{0, 50, 98, 99, 100, 101, 170} {
		if err := s.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	ordered := func(s *Filters, want ...bool) {
		t.Helper()
		for i, of := range s.collection().shapes {
			if of.unordered == want[i] {
				t.Errorf("shape %d: unordered is %v", i, of.unordered)
			}
		}
	}
	ordered(s, true, true)
	s = written(s)
	ordered(s, true, true)
	for i := range 7 { // 100 and 101 are the second shape's, 170 is not
		contract.Must(s.Append(filtersOfSize(1, []int{1, 1, 1, 1, 2, 2, 1}[i], 10)[0]))
	}
	contract.Must(s.AppendAll(filtersOfSize(2, 1, 10)))
	ordered(s, true, true)
	ordered(written(s), true, true)
	if err := s.Remove(7); err != nil {
		t.Fatal(err)
	}
	contract.Must(s.Append(filtersOfSize(1, 2, 10)[0])) // id 7 is behind 199
	ordered(s, true, false)
	ordered(written(s), true, false)

	s = New(keyhash.XX64) // removed filters cost lookups a row as long as their columns are free
	contract.Must(s.AppendAll(filtersOfSize(40, 1, 10)))
	for i, f := range filtersOfSize(8, 1, 10) {
		if i < 3 {
			if err := s.Remove(i); err != nil || !s.collection().shapes[0].stale {
				t.Errorf("a removed filter is not hidden: %v", err)
			}
		}
		contract.Must(s.Append(f))
	}
	if s.collection().shapes[0].stale {
		t.Error("no column is free, and lookups read the row of live ones")
	}
}

// TestRoomOfTiles: rows double, and grow by a quarter from 512 bytes on.
func TestRoomOfTiles(t *testing.T) {
	s, f := New(keyhash.XX64), filtersOfSize(1, 1, 10)[0]
	var rooms []int
	for range 8000 {
		contract.Must(s.Append(f))
		for _, of := range s.collection().shapes[0].tiles {
			if n := of.room; !slices.Contains(rooms, n) {
				rooms = append(rooms, n)
			}
		}
	}
	if want := []int{8, 16, 32, 64, 128, 256, 512, 640, 832, 1088}; !slices.Equal(rooms, want) {
		t.Errorf("rows of %d bytes, want %d", rooms, want)
	}
}

// TestTiles: filters of a size that need two tiles are found, and come back, on both sides of the border: in memory, in
// a file, in one that is checked lazily, and where filters were removed from that and appended.
func TestTiles(t *testing.T) {
	const kinds, tile = 61, tileColumns
	some := filtersOfSize(kinds, 1, 50)
	all := slices.Repeat(some, tile/kinds+10)[:tile+500] // filter id is some[id%kinds]
	s := New(keyhash.XX64)
	contract.Must(s.AppendAll(all[:tile-1]))
	for _, f := range all[tile-1 : tile+17] {
		contract.Must(s.Append(f))
	}
	contract.Must(s.AppendAll(all[tile+17:]))
	all = slices.Clone(all)
	random := rand.New(rand.NewPCG(1, 1))
	hashes := make([]uint64, 128)
	for i := range hashes {
		hashes[i] = vectors.Hashes(uint64(i%kinds), 50)[i/kinds]
	}
	check := func(s *Filters) {
		t.Helper()
		checkLookups(t, s, all, hashes, random)
		for _, id := range []int{0, 1, tile - 2, tile - 1, tile, tile + 1, len(all) - 1} {
			checkFilter(t, s, all, id)
		}
	}
	check(s)
	check(written(s))
	lazy := written(s, filterfile.WithLazyCheck())
	check(lazy)
	for _, id := range []int{tile - 1, tile, tile + 3} {
		if err := lazy.Remove(id); err != nil {
			t.Fatal(err)
		}
		all[id] = nil
	}
	check(lazy)
	check(written(lazy))
	all[tile-1] = some[5]
	contract.Must(lazy.Append(some[5]))
	check(lazy)
}

// TestTilesInWrongPieces: rows of a tile that are in wrong pieces rule out no filter of that tile. Where all rows of a
// tile are in right ones, its answers are exact.
func TestTilesInWrongPieces(t *testing.T) {
	const kinds = 61
	s := New(keyhash.XX64)
	contract.Must(s.AppendAll(slices.Repeat(filtersOfSize(kinds, 1, 50), tileColumns/kinds+10)[:tileColumns+500]))
	var file bytes.Buffer
	contract.Must(s.WriteTo(&file))
	data := file.Bytes()
	for piece := 20; piece < 500; piece += 40 {
		clear(contract.Must(stored.Parse(data)).Body[4096*piece:][:4096])
	}
	lazy := contract.Must(OpenBytes(data, filterfile.WithLazyCheck()))
	c, differ := lazy.collection(), 0
	for i := range uint64(kinds) {
		for _, hash := range vectors.Hashes(i, 4) {
			got, want := lazy.AppendHits(nil, hash), s.AppendHits(nil, hash)
			var right [2]bool
			for i := range right {
				tile := &c.shapes[0].tiles[i]
				rows := c.shapes[0].appendRows(nil, tile, hash)
				right[i] = !slices.ContainsFunc(rows, func(row uint64) bool { return !c.source.isRight(tile.at+int(row), tile.room) })
				in := func(id int) bool { return id/tileColumns != i }
				ours, theirs := slices.DeleteFunc(slices.Clone(got), in), slices.DeleteFunc(slices.Clone(want), in)
				if right[i] && !slices.Equal(ours, theirs) || slices.ContainsFunc(theirs, func(id int) bool { return !slices.Contains(ours, id) }) {
					t.Fatalf("tile %d, right %v: %d hits, want %d", i, right[i], len(ours), len(theirs))
				}
			}
			if right[0] != right[1] {
				differ++
			}
		}
	}
	if differ == 0 || lazy.Err() == nil {
		t.Error("no hash has rows in wrong pieces of one tile only")
	}
	for piece := 100; piece < 400; piece += 75 { // one wrong piece, that has bits of some filters
		file.Reset()
		contract.Must(s.WriteTo(&file))
		clear(contract.Must(stored.Parse(file.Bytes())).Body[4096*piece:][:4096])
		lazy, lost := contract.Must(OpenBytes(file.Bytes(), filterfile.WithLazyCheck())), 0
		for id := 0; id < s.Len(); id += 97 {
			if f := lazy.Filter(id); f == nil {
				lost++
			} else if !bytes.Equal(f.Bytes(), s.Filter(id).Bytes()) {
				t.Fatalf("filter %d came back changed", id)
			}
		}
		if lost == 0 {
			t.Error("no filter has a bit in the wrong piece")
		}
	}
}
