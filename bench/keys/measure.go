package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	_ "github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/keyhash"
	_ "github.com/simdbloom/simdbloom/linear"
	_ "github.com/simdbloom/simdbloom/paired"
	_ "github.com/simdbloom/simdbloom/splitblock"
)

// A kind is a format with a setting and a key hash.
type kind struct {
	name       string
	format     simdbloom.Format
	bitsPerKey float64
	hash       keyhash.Hash
}

var kinds = []kind{
	{"FastLocal by XX64", simdbloom.FastLocal, 10, keyhash.XX64},
	{"FastLocal by XXPH3", simdbloom.FastLocal, 10, keyhash.XXPH3},
	{"SplitBlock by XX64", simdbloom.SplitBlock, 10, keyhash.XX64},
	{"Paired by XX64", simdbloom.Paired, 23.4, keyhash.XX64},
	{"Linear by XX64", simdbloom.Linear, 16, keyhash.XX64},
}

// keysFor returns the number of keys of a filter of a size.
func (k kind) keysFor(bytes int) int { return int(float64(8*bytes) / k.bitsPerKey) }

// mostPresent is the most keys of each length that a filter has. Random hashes fill the rest.
const mostPresent = 1 << 20

// present returns the number of keys of each length in a filter of a size.
func (k kind) present(bytes int) uint64 {
	return uint64(min(mostPresent, k.keysFor(bytes)/len(allLengths)))
}

// build builds a filter of a size.
func (k kind) build(bytes int) (*simdbloom.Filter, error) {
	b, err := simdbloom.NewBuilder(k.format, k.bitsPerKey, k.hash)
	if err != nil {
		return nil, err
	}
	n, present, key := k.keysFor(bytes), k.present(bytes), make([]byte, slotBytes)
	for _, l := range allLengths {
		for number := range present {
			b.Add(l.put(key, number))
		}
	}
	r := rand.New(rand.NewPCG(2, uint64(bytes)))
	for range n - len(allLengths)*int(present) {
		b.AddHash(r.Uint64())
	}
	return b.Filter()
}

// order has the ways in which keys lie in memory.
var order = []struct {
	name      string
	scattered bool
}{{"in order", false}, {"scattered", true}}

// calls are the numbers of keys in a call. The last one stands for all.
var calls = []int{1, 8, 32, 1 << 20}

// lookups prints a table of lookups. In each cell are the times of all calls.
func (s *settings) lookups(w io.Writer, k kind) error {
	var filters []*simdbloom.Filter
	for _, size := range s.sizes {
		f, err := k.build(size.bytes)
		if err != nil {
			return err
		}
		filters = append(filters, f)
	}
	table := markdown.New("bytes of a key")
	for _, o := range order {
		for _, l := range allLengths {
			for i, size := range s.sizes {
				p := s.newPool(l, o.scattered, k.present(size.bytes))
				var cells []string
				for _, n := range calls {
					ns, err := s.time(p, func(keys [][]byte, hits []bool) { look(filters[i], n, keys, hits) })
					if err != nil {
						return err
					}
					cells = append(cells, fmt.Sprintf("%.3g", ns))
				}
				table.Put(rowOf(l, o.name), size.name+": one · 8 · 32 · all", strings.Join(cells, " · "))
			}
		}
	}
	table.Write(w)
	return nil
}

func rowOf(l lengths, order string) string { return fmt.Sprintf("%v, %s", l, order) }

// newPool returns a pool of keys for rounds.
func (s *settings) newPool(l lengths, scattered bool, present uint64) *pool {
	if scattered {
		return newPool(l, s.scattered, true, present)
	}
	return newPool(l, s.queries, false, present)
}

// look looks up keys, n in a call.
func look(f *simdbloom.Filter, n int, keys [][]byte, hits []bool) {
	if n == 1 {
		for i, key := range keys {
			hits[i] = f.Contains(key)
		}
		return
	}
	for len(keys) > 0 {
		n = min(n, len(keys))
		f.ContainsKeys(keys[:n], hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
}

// time returns the median time of a key.
func (s *settings) time(p *pool, pass func(keys [][]byte, hits []bool)) (float64, error) {
	var all []float64
	hits := make([]bool, s.queries)
	pass(p.take(s.queries), hits) // not timed
	for range s.rounds {
		keys := p.take(s.queries)
		all = append(all, timing.PerKey(len(keys), func() { pass(keys, hits) }))
	}
	if !slices.Contains(hits, true) {
		return 0, errors.New("the keys that are present were not found")
	}
	return measured.Median(all), nil
}

// hashing prints the table of AppendHashes.
func (s *settings) hashing(w io.Writer) error {
	table := markdown.New("bytes of a key")
	for _, o := range order {
		for _, l := range allLengths {
			for _, h := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32} {
				var hashed [512]uint64 // they are soon used up, and stay in the cache
				ns, err := s.time(s.newPool(l, o.scattered, 1), func(keys [][]byte, hits []bool) {
					for block := range slices.Chunk(keys, len(hashed)) {
						h.AppendHashes(hashed[:0], block)
					}
					hits[0] = true
				})
				if err != nil {
					return err
				}
				table.Put(rowOf(l, o.name), h.Name(), fmt.Sprintf("%.3g", ns))
			}
		}
	}
	table.Write(w)
	return nil
}

// building prints the table of builders, which are used again, and keys of 16 bytes.
func (s *settings) building(w io.Writer) error {
	table := markdown.New("filter")
	for _, k := range kinds {
		b, err := simdbloom.NewBuilder(k.format, k.bitsPerKey, k.hash)
		if err != nil {
			return err
		}
		for _, size := range s.sizes[:min(2, len(s.sizes))] { // in caches
			n := k.keysFor(size.bytes)
			builds := max(1, s.queries/n)
			p := newPool(lengths{16, 16}, n, false, 1)
			var all []float64
			for round := range s.rounds + 1 {
				keys := p.take(n)
				ns := timing.PerKey(builds*n, func() {
					for range builds {
						b.AddKeys(keys)
						_, failed := b.Finish()
						err = errors.Join(err, failed)
					}
				})
				if err != nil {
					return err
				}
				if round > 0 { // memory is taken in the first
					all = append(all, ns)
				}
			}
			table.Put(k.name, size.name, fmt.Sprintf("%.3g", measured.Median(all)))
		}
	}
	table.Write(w)
	return nil
}
