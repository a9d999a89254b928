// Package lookups is shared by the adapters' benchmarks of single lookups: their cases,
// keys and filters.
package lookups

import (
	"encoding/binary"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

var every = flag.Bool("every", false, "benchmark every combination of settings, not only those that differ from the first in one")

// setting is one way to look keys up.
type setting struct {
	keyBytes  int
	scattered bool // keys are anywhere in memory, not one behind the other
	filters   int  // that are queried in turn
	bytes     int  // of each filter
	half      bool // half of the keys are present, not none
	branch    bool // an answer decides a branch, and is not only added up
	offset    int  // of filters behind a multiple of 64
}

// String is the part of a benchmark's name, for -bench.
func (s setting) String() string {
	choose := func(which bool, yes, no string) string {
		if which {
			return yes
		}
		return no
	}
	size := fmt.Sprintf("%dKiB", s.bytes>>10)
	if s.bytes >= 1<<20 {
		size = fmt.Sprintf("%dMiB", s.bytes>>20)
	}
	if s.filters > 1 {
		size = fmt.Sprintf("%dx%s", s.filters, size)
	}
	return fmt.Sprintf("filter=%s/key=%dB/keys=%s/present=%s/answers=%s/offset=%d", size, s.keyBytes,
		choose(s.scattered, "scattered", "contiguous"), choose(s.half, "half", "none"), choose(s.branch, "branch", "added"), s.offset)
}

var (
	sizes       = []setting{{filters: 1, bytes: 16 << 10}, {filters: 1, bytes: 1 << 20}, {filters: 64, bytes: 1 << 20}, {filters: 1, bytes: 32 << 20}}
	allKeyBytes = []int{16, 8, 24, 32, 64}
	noneFirst   = []bool{false, true}
	offsets     = []int{0, 16}
)

// settings returns the settings to measure. Filters of a size follow each other, since
// building them takes longest.
func settings() (chosen []setting) {
	for a, size := range sizes {
		for b, bytes := range allKeyBytes {
			for c, scattered := range noneFirst {
				for d, half := range noneFirst {
					for e, branch := range noneFirst {
						for f, offset := range offsets {
							others := 0
							for _, index := range []int{a, b, c, d, e, f} {
								others += min(index, 1)
							}
							if *every || others <= 1 {
								chosen = append(chosen, setting{bytes, scattered, size.filters, size.bytes, half, branch, offset})
							}
						}
					}
				}
			}
		}
	}
	return chosen
}

// Filter is a filter as a database has it.
type Filter struct {
	Name       string // for -bench, such as FastLocal=10
	BitsPerKey float64
	Loops      Loops
}

// Loops call a database's interface and do nothing else. They are methods of the adapter's
// tests instead of closures, because the compiler did not inline One into closures, and a
// call has a branch.
type Loops interface {
	// Write returns the filter's bytes.
	Write(keys iter.Seq[[]byte]) []byte

	// Added and Branch look keys up in filters, in turn, and count the hits. Branch
	// calls ReadTable for each.
	Added(filters, keys [][]byte) (hits int)
	Branch(filters, keys [][]byte) (hits int)
}

// Benchmark measures lookups in the filters, side by side for every setting. A pass has at
// least as many keys as the filters have lines, so that the caches do not have the lines of
// the pass before, and at least 64 Ki, more than a branch predictor learns.
func Benchmark(b *testing.B, of []Filter) {
	fewest := of[0].BitsPerKey
	for _, f := range of {
		fewest = max(fewest, f.BitsPerKey)
	}
	written := make(map[string][]byte) // of one size
	last := setting{}
	for _, s := range settings() {
		if s.bytes != last.bytes || s.keyBytes != last.keyBytes {
			clear(written)
		}
		last = s
		var keys [][]byte
		for _, f := range of {
			b.Run(s.String()+"/"+f.Name, func(b *testing.B) {
				if keys == nil {
					keys = s.queries(keysIn(s.bytes, fewest), keysIn(s.bytes, 1))
				}
				if written[f.Name] == nil {
					written[f.Name] = f.Loops.Write(s.present(keysIn(s.bytes, f.BitsPerKey)))
				}
				filters, look := s.copies(written[f.Name]), f.Loops.Added
				if s.branch {
					look = f.Loops.Branch
				}
				look(filters, keys) // warms the caches up
				b.ResetTimer()
				hits := 0
				for done := 0; done < b.N; done += len(keys) {
					hits += look(filters, keys[:min(len(keys), b.N-done)])
				}
				b.ReportMetric(100*float64(hits)/float64(b.N), "%hits")
			})
		}
	}
}

func keysIn(bytes int, bitsPerKey float64) uint64 { return uint64(8 * float64(bytes) / bitsPerKey) }

// fillKey makes key the key of a number: all of its bytes differ at random from other keys'.
func fillKey(key []byte, number uint64) {
	for at := 0; at < len(key); at += 8 {
		binary.LittleEndian.PutUint64(key[at:], splitmix.Value(uint64(at), number))
	}
}

// present returns the first n keys.
func (s setting) present(n uint64) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		key := make([]byte, s.keyBytes)
		for number := range n {
			if fillKey(key, number); !yield(key) {
				return
			}
		}
	}
}

// queries returns keys to look up: keys with numbers below shared are in all filters, keys
// from absent on in none.
func (s setting) queries(shared, absent uint64) [][]byte {
	const line = 64
	stride, random := s.keyBytes, rand.New(rand.NewPCG(1, 2))
	if s.scattered {
		stride = line
	}
	keys := make([][]byte, max(64<<10, s.filters*s.bytes/line))
	memory, places := make([]byte, len(keys)*stride), random.Perm(len(keys))
	for i := range keys {
		place := i
		if s.scattered {
			place = places[i]
		}
		keys[i] = memory[place*stride:][:s.keyBytes]
		number := absent + uint64(i)
		if s.half && random.IntN(2) == 0 {
			number = random.Uint64N(shared)
		}
		fillKey(keys[i], number)
	}
	return keys
}

// copies returns the setting's number of filters, at its offset.
func (s setting) copies(data []byte) (filters [][]byte) {
	const line = 64
	for range s.filters {
		memory := make([]byte, len(data)+2*line)
		address := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
		start := int(-address%line) + s.offset
		filters = append(filters, append(memory[start:start], data...))
	}
	return filters
}
