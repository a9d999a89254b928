package filterset

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// TestSpilledHashes: each list has its hashes again, in memory or from the file, and what cannot be read is an error.
func TestSpilledHashes(t *testing.T) {
	const lists = 4
	for _, n := range []int{0, 1, 1000, 100_000} {
		s := newSpill(filepath.Join(t.TempDir(), "hashes"), lists, 1)
		var want [lists]uint64
		var lens [lists]int64
		for i := range n {
			hash := uint64(i+1) * 0x9e3779b97f4a7c15
			s.add([]uint64{hash})
			list := partOf(hash, s.shift)
			want[list] += hash
			lens[list]++
		}
		if err := s.end(); err != nil {
			t.Fatal(err)
		}
		if onDisk := s.file != nil; onDisk != (n == 100_000) {
			t.Errorf("%d hashes are on disk: %v", n, onDisk)
		}
		block := make([]uint64, s.room)
		for list := range lists {
			got, seen := uint64(0), int64(0)
			err := s.each(list, block, func(hashes []uint64) {
				for _, hash := range hashes {
					got += hash
				}
				seen += int64(len(hashes))
			})
			if err != nil || got != want[list] || seen != lens[list] || s.len(list) != seen {
				t.Errorf("%d hashes, list %d: %d of %d, %v", n, list, seen, lens[list], err)
			}
		}
		if s.file != nil {
			if err := os.Truncate(s.path, 1000); err != nil {
				t.Log("the system does not change a file in use: ", err)
			} else if err := s.each(0, block, func([]uint64) {}); err == nil {
				t.Error("hashes that were cut off were read")
			}
		}
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	}
}

// TestFullBlocks: a list of exactly a block or a hash more, on disk, where it takes 8 bytes a hash, and one of none.
func TestFullBlocks(t *testing.T) {
	for more := range 2 {
		s := newSpill(filepath.Join(t.TempDir(), "hashes"), 2, 1)
		n, full := s.room+more, int(partOf(1, s.shift))
		for range n {
			s.add([]uint64{1})
		}
		if err := s.end(); err != nil || s.file == nil {
			t.Fatal(err)
		}
		if info, err := s.file.Stat(); err != nil || info.Size() != int64(8*n) {
			t.Errorf("%d bytes are written for %d hashes: %v", info.Size(), n, err)
		}
		for list, want := range map[int]int{full: n, 1 - full: 0} {
			seen := 0
			err := s.each(list, make([]uint64, s.room), func(hashes []uint64) { seen += len(hashes) })
			if err != nil || seen != want || s.len(list) != int64(want) {
				t.Errorf("%d hashes, and a length of %d, want %d: %v", seen, s.len(list), want, err)
			}
		}
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	}
}

// TestRoomOfSpills: a list has the largest block, of a power of two of bytes from 4 KiB to 256 KiB, with which all fit
// in the memory, with some for those that are written meanwhile.
func TestRoomOfSpills(t *testing.T) {
	for _, c := range []struct {
		lists        int
		memory       int64
		queued, room int
	}{
		{1, 0, 2, 512},
		{16, 0, 4, 512},
		{32, 0, 8, 512},
		{64, 0, 16, 512},
		{1024, 0, 16, 512},
		{16, 20 * 8192, 4, 1024},
		{16, 20*8192 - 1, 4, 512},
		{16, 20 * 16384, 4, 2048},
		{16, 1 << 40, 4, 32 << 10},
	} {
		s := newSpill("", c.lists, c.memory)
		if cap(s.free) != c.queued || len(s.free) != c.queued || s.room != c.room || len(s.lists) != c.lists {
			t.Errorf("%d lists in %d bytes: %d more blocks, of %d hashes each, want %d and %d", c.lists, c.memory, cap(s.free), s.room, c.queued, c.room)
		}
	}
}

// TestSortHashes of many, a few, and those that differ in their last bits alone.
func TestSortHashes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, 2047, 2048, 10_001} {
		for _, bits := range []int{64, 34, 31, 5, 0} {
			hashes := make([]uint64, n)
			for i := range hashes {
				hashes[i] = 0xabcdef0123456789&^(1<<bits-1) | random.Uint64()&(1<<bits-1)
			}
			want := slices.Sorted(slices.Values(hashes))
			if sortHashes(hashes, make([]uint64, n)); !slices.Equal(hashes, want) {
				t.Errorf("%d hashes that differ in %d bits are not sorted", n, bits)
			}
		}
	}
}

// TestReports: a phase is reported after each million keys, whatever was before it.
func TestReports(t *testing.T) {
	var seen []int64
	r := reporter{report: func(p Progress) { seen = append(seen, p.Done) }}
	for _, phase := range []string{addingKeys, buildingParts} {
		seen = nil
		for done := int64(0); done <= 4<<20; done += 1 << 18 {
			r.now(phase, done, 4<<20, false)
		}
		if want := []int64{1 << 20, 2 << 20, 3 << 20, 4 << 20}; !slices.Equal(seen, want) {
			t.Errorf("%s: reports at %d, want %d", phase, seen, want)
		}
	}
}

// TestWorkers: parts that fit in three quarters of the memory are built at once, at least one.
func TestWorkers(t *testing.T) {
	for _, c := range []struct {
		memory, keys int64
		p            *policy.Policy
		distinct     bool
		want         int
	}{
		{16 << 20, 4 << 20, policy.FastLocal(10), false, 1},
		{256 << 20, 100_000, policy.FastLocal(10), false, 8},
		{64 << 20, 1_000_000, policy.FastLocal(10), false, 2},
		{64 << 20, 1_000_000, policy.FastLocal(10), true, 1},
		{512 << 20, 1_000_000, policy.Ribbon(10), false, 3},
	} {
		b := &Builder{memory: c.memory, policy: c.p, options: options{goroutines: 8, distinct: c.distinct}}
		if got := b.workers(c.keys); got != c.want {
			t.Errorf("%s, %d keys in %d bytes: %d parts at once, want %d", c.p.Name(), c.keys, c.memory, got, c.want)
		}
	}
}

// TestPartsThatAreRead stay so, whatever happens to their file. Those that are gone before are an error.
func TestPartsThatAreRead(t *testing.T) {
	defer UnmapParts()()
	dir := filepath.Join(t.TempDir(), "set")
	b, err := NewBuilder(dir, policy.FastLocal(10), 1, leastMemory, WithParts(4))
	if err != nil {
		t.Fatal(err)
	}
	for hash := range uint64(5000) {
		b.AddHash(hash)
	}
	if len(b.staged) != 5000-stagedHashes || cap(b.staged) != stagedHashes {
		t.Errorf("%d hashes wait, in memory for %d", len(b.staged), cap(b.staged))
	}
	if err := b.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := s.state()
	read, closed, gone := &o.layers[0].parts[0], &o.layers[0].parts[1], &o.layers[0].parts[2]
	var first *simdbloom.Filter
	if first = o.part(read); first == nil {
		t.Fatal(s.Err())
	}
	s.Close()
	if o.part(closed) == nil {
		t.Error("a part was not read after Close")
	}
	os.RemoveAll(dir)
	if o.read(read) != first || o.verify(read) != nil {
		t.Error("a part was read again")
	}
	if o.read(gone) != nil || o.verify(gone) == nil || o.read(gone) != nil {
		t.Error("a part was read that is gone")
	}
	if _, _, err := newLayer(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a layer in a folder that is gone: %v", err)
	}
}

// TestPartsFor: a part has at most four million keys, and 128 bytes of memory for each.
func TestPartsFor(t *testing.T) {
	for _, c := range []struct {
		keys, memory int64
		want         int
	}{
		{0, 16 << 20, 1}, {131_072, 16 << 20, 1}, {131_073, 16 << 20, 2}, {262_145, 16 << 20, 2}, {262_146, 16 << 20, 4}, {4 << 20, 1 << 40, 1}, {9 << 20, 1 << 40, 4}, {math.MaxInt64, 16 << 20, mostParts},
	} {
		if got := partsFor(c.keys, c.memory); got != c.want {
			t.Errorf("%d keys in %d bytes: %d parts, want %d", c.keys, c.memory, got, c.want)
		}
	}
}
