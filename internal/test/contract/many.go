package contract

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Many are a package's functions that look up in many filters, with the filters given.
type Many struct {
	AppendFilters func(dst []int, hash uint64) []int
	Candidates    func(hashes, wanted []uint64) iter.Seq2[int, []int]
}

// ManyOf returns a package's functions for filters that are of its own type, or nil.
func ManyOf[F Filter](filters []Filter,
	appendFilters func(dst []int, filters []F, hash uint64) []int,
	candidates func(filters []F, hashes, wanted []uint64) iter.Seq2[int, []int],
) Many {
	own := make([]F, len(filters))
	for i, f := range filters {
		own[i], _ = f.(F)
	}
	return Many{
		func(dst []int, hash uint64) []int { return appendFilters(dst, own, hash) },
		func(hashes, wanted []uint64) iter.Seq2[int, []int] { return candidates(own, hashes, wanted) },
	}
}

func (p Package) testMany(t *testing.T) {
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if !cpu.Current().Includes(level) {
			continue
		}
		t.Run(level.String(), func(t *testing.T) {
			defer cpu.Limit(level)()
			for _, bytes := range []int{p.UnitBytes, 128 << 10} { // near alone, and far among many
				for _, n := range []int{0, 1, 2, 7, 8, 9, 63, 64, 65, 70, 130} {
					t.Run(fmt.Sprintf("%d of %d bytes", n, bytes), func(t *testing.T) { p.manyFilters(n, bytes).test(t) })
				}
			}
		})
	}
}

// manyCase is filters, hashes, and which filters contain which of them.
type manyCase struct {
	Many
	hashes   []uint64
	contains [][]bool // by filter
}

// manyFilters makes filters of bytes, of which three quarters of the bits are set, and
// among them some that contain everything or nothing.
func (p Package) manyFilters(n, bytes int) (c manyCase) {
	c.hashes = vectors.Hashes(7, 1000)
	filters := make([]Filter, n)
	for i := range filters {
		var data []byte
		switch i % 11 {
		case 3: // no bytes contain nothing
		case 9:
			data = p.AlwaysTrue
		default:
			trailer := p.Trailer(bytes)
			data = make([]byte, 0, bytes+len(trailer))
			for _, word := range vectors.Hashes(uint64(i), bytes/4) {
				word |= word >> 32
				data = append(data, byte(word), byte(word>>8), byte(word>>16), byte(word>>24))
			}
			data = append(data, trailer...)
		}
		f, err := p.Open(data, keyhash.XX64)
		if err != nil {
			panic(err)
		}
		filters[i] = f
		contains := make([]bool, len(c.hashes))
		for i, hash := range c.hashes {
			contains[i] = f.ContainsHash(hash)
		}
		c.contains = append(c.contains, contains)
	}
	c.Many = p.Many(filters)
	return c
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
		if got := c.AppendFilters(nil, hash); !slices.Equal(got, want[1:]) {
			t.Fatalf("hash %d: %d, want %d", i, got, want[1:])
		}
		if got := c.AppendFilters(room, hash); !slices.Equal(got, want) || &got[0] != &room[0] {
			t.Fatalf("hash %d: %d in memory with room, want %d", i, got, want)
		}
	}
	if allocs := testing.AllocsPerRun(10, func() { c.AppendFilters(room, c.hashes[0]) }); allocs != 0 {
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
	steps := c.Candidates(c.hashes[:n], wanted)
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

func (p Package) testManyMisused(t *testing.T) {
	f := p.open(t, p.AlwaysTrue)
	hashes := vectors.Hashes(1, 129)
	wanted := []uint64{1, 1, 1}
	const nilPointer = "nil pointer"
	for what, misuse := range map[string]struct {
		says string
		do   func()
	}{
		"a nil filter": {nilPointer, func() { p.Many([]Filter{f, nil}).AppendFilters(nil, 1) }},
		"a nil filter among many": {nilPointer, func() {
			p.Many(append(slices.Repeat([]Filter{f}, 20), nil)).AppendFilters(nil, 1)
		}},
		"Candidates of a nil filter": {nilPointer, func() {
			for range p.Many([]Filter{f, nil}).Candidates(hashes, wanted) {
				continue
			}
		}},
		"a short bitmap": {"simdbloom: len(wanted) is 2, but 129 hashes need 3 words", func() {
			p.Many([]Filter{f}).Candidates(hashes, wanted[:2])
		}},
		"no bitmap": {"simdbloom: len(wanted) is 0, but 129 hashes need 3 words", func() {
			p.Many(nil).Candidates(hashes, nil)
		}},
	} {
		if emulated && misuse.says == nilPointer {
			continue // qemu-ppc64le sometimes reports another address, which is fatal in Go
		}
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, misuse.says) {
					t.Errorf("%s: %s", what, said)
				}
			}()
			misuse.do()
		}()
	}
	for range p.Many([]Filter{f}).Candidates(nil, nil) {
		t.Error("no hashes have candidates")
	}
}
