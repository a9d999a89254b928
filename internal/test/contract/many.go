package contract

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestMany looks up in many filters, one format's after the other's.
func TestMany(t *testing.T, formats ...Format) {
	numbers, sizes := []int{0, 1, 2, 7, 8, 9, 63, 64, 65, 70, 130}, []int{0, 128 << 10} // one unit, near alone; and far among many
	data := make([][]stored, len(sizes))
	for i, bytes := range sizes {
		data[i] = storedFilters(formats, slices.Max(numbers), bytes)
	}
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if !cpu.Current().Includes(level) || program.Raced && level != cpu.Current() {
			continue // one goroutine: the race detector learns nothing at the other levels
		}
		t.Run(level.String(), func(t *testing.T) {
			defer cpu.Limit(level)()
			for i, bytes := range sizes {
				all := opened(t, data[i])
				for _, n := range numbers {
					t.Run(fmt.Sprintf("%d of %d bytes", n, bytes), func(t *testing.T) { all.first(n).test(t) })
				}
			}
		})
	}
	t.Run("misused", func(t *testing.T) { testManyMisused(t, formats[0]) })
}

// manyCase is filters, hashes, and which filters contain which of them.
type manyCase struct {
	filters  []*simdbloom.Filter
	hashes   []uint64
	contains [][]bool // by filter
}

// stored is a filter's bytes.
type stored struct {
	format Format
	data   []byte
}

// storedFilters makes filters of bytes, of which three quarters of the bits are set, and
// among them some that contain everything or nothing.
func storedFilters(formats []Format, n, bytes int) []stored {
	all := make([]stored, n)
	for i := range all {
		f := formats[i%len(formats)]
		var data []byte
		switch i % 11 {
		case 3: // no bytes contain nothing
		case 9:
			data = f.AlwaysTrue
		default:
			size := max(bytes/f.UnitBytes, 1) * f.UnitBytes
			data = make([]byte, 0, size+4)
			for _, word := range vectors.Hashes(uint64(i), (size+3)/4) {
				data = binary.LittleEndian.AppendUint32(data, uint32(word|word>>32))
			}
			data = f.Framed(data[:size])
		}
		all[i] = stored{f, data}
	}
	return all
}

// opened opens filters at this level, and looks up every hash in each.
func opened(t *testing.T, all []stored) manyCase {
	t.Helper()
	c := manyCase{hashes: vectors.Hashes(7, 1000)}
	for _, one := range all {
		filter := one.format.Opened(t, one.data)
		contains := make([]bool, len(c.hashes))
		for i, hash := range c.hashes {
			contains[i] = filter.ContainsHash(hash)
		}
		c.filters, c.contains = append(c.filters, filter), append(c.contains, contains)
	}
	return c
}

// first returns the case of the first n filters.
func (c manyCase) first(n int) manyCase {
	return manyCase{c.filters[:n:n], c.hashes, c.contains[:n:n]}
}

func (c manyCase) test(t *testing.T) {
	c.testAppendFilters(t)
	var running sync.WaitGroup
	for seed := range uint64(2) {
		running.Add(1)
		go func() {
			defer running.Done()
			r := rand.New(rand.NewPCG(seed, uint64(len(c.contains))))
			for _, n := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 192, 256, 300, 513, 1000} {
				c.testCandidates(t, r, n)
			}
		}()
	}
	running.Wait()
}

func (c manyCase) testAppendFilters(t *testing.T) {
	room := make([]int, 1, 1+len(c.contains))
	room[0] = -5
	for i, hash := range c.hashes[:100] {
		want := []int{-5}
		for filter, contains := range c.contains {
			if contains[i] {
				want = append(want, filter)
			}
		}
		if got := simdbloom.AppendFilters(nil, c.filters, hash); !slices.Equal(got, want[1:]) {
			t.Fatalf("hash %d: %d, want %d", i, got, want[1:])
		}
		if got := simdbloom.AppendFilters(room, c.filters, hash); !slices.Equal(got, want) || &got[0] != &room[0] {
			t.Fatalf("hash %d: %d in memory with room, want %d", i, got, want)
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { simdbloom.AppendFilters(room, c.filters, c.hashes[0]) }); allocs != 0 {
		t.Errorf("AppendFilters: %v allocations", allocs)
	}
}

// testCandidates iterates over the first n hashes, or some of them, and clears some bits
// meanwhile. It compares each step with a loop over everything.
func (c manyCase) testCandidates(t *testing.T, r *rand.Rand, n int) {
	wanted := make([]uint64, (n+63)/64+r.IntN(2))
	density := r.IntN(5)
	for i := range wanted { // bits beyond the last hash, too
		wanted[i] = [...]uint64{^uint64(0), r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64(), 1 << r.IntN(64), 0}[density]
	}
	now := slices.Clone(wanted) // what the loop has made of it
	isWanted := func(i int) bool { return now[i/64]>>(i%64)&1 != 0 }
	next := 0 // the first filter that may be yielded
	candidates := func() (filter int, hashes []int) {
		for ; next < len(c.contains); next++ {
			for i := range n {
				if isWanted(i) && c.contains[next][i] {
					hashes = append(hashes, i)
				}
			}
			if hashes != nil {
				return next, hashes
			}
		}
		return -1, nil
	}
	drop := func(i int) {
		wanted[i/64] &^= 1 << (i % 64)
		now[i/64] &^= 1 << (i % 64)
	}
	found, others, end := r.IntN(4), r.IntN(3), r.IntN(3) != 0
	steps := simdbloom.Candidates(c.filters, c.hashes[:n], wanted)
	if !slices.Equal(wanted, now) {
		t.Error("Candidates changed the bitmap")
	}
	broken := false
	for filter, hashes := range steps {
		if wantFilter, want := candidates(); filter != wantFilter || !slices.Equal(hashes, want) {
			t.Errorf("%d hashes: filter %d with %d, want %d with %d", n, filter, hashes, wantFilter, want)
			return
		}
		for _, i := range hashes {
			if found == 3 || found == 2 && r.IntN(2) == 0 || found == 1 && r.IntN(20) == 0 {
				drop(i)
			}
		}
		for range r.IntN(1 + n*others/16) { // any other keys
			drop(r.IntN(n))
		}
		for i := range hashes {
			hashes[i] = -1 // the caller may
		}
		next = filter + 1
		if broken = !end && r.IntN(10) == 0; broken {
			break
		}
	}
	if filter, want := candidates(); !broken && filter >= 0 {
		t.Errorf("%d hashes: ended before filter %d with %d", n, filter, want)
	}
	if !slices.Equal(wanted, now) {
		t.Errorf("%d hashes: the bitmap was changed", n)
	}
}

func testManyMisused(t *testing.T, format Format) {
	f := format.Opened(t, format.AlwaysTrue)
	one, withNil := []*simdbloom.Filter{f}, []*simdbloom.Filter{f, nil}
	hashes, wanted := vectors.Hashes(1, 129), []uint64{1, 1, 1}
	const nilPointer = "nil pointer"
	for what, misuse := range map[string]struct {
		says string
		do   func()
	}{
		"a nil filter": {nilPointer, func() { simdbloom.AppendFilters(nil, withNil, 1) }},
		"a nil filter among many": {nilPointer, func() {
			simdbloom.AppendFilters(nil, append(slices.Repeat(one, 20), nil), 1)
		}},
		"Candidates of a nil filter": {nilPointer, func() {
			for range simdbloom.Candidates(withNil, hashes, wanted) {
				continue
			}
		}},
		"a short bitmap": {"simdbloom: len(wanted) is 2, but 129 hashes need 3 words", func() {
			simdbloom.Candidates(one, hashes, wanted[:2])
		}},
		"no bitmap": {"simdbloom: len(wanted) is 0, but 129 hashes need 3 words", func() {
			simdbloom.Candidates(nil, hashes, nil)
		}},
	} {
		if emulated && misuse.says == nilPointer {
			continue // qemu-ppc64le sometimes reports another address, which is fatal in Go
		}
		if said := Panic(misuse.do); !strings.Contains(said, misuse.says) {
			t.Errorf("%s: %s", what, said)
		}
	}
	for range simdbloom.Candidates(one, nil, nil) {
		t.Error("no hashes have candidates")
	}
}
