package segments

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/greatroar/blobloom"
	"github.com/zeebo/xxh3"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

const keys, fpr = 1000, 0.001 // Milvus's default rate

// tester is what Milvus asks a filter by (BloomFilterInterface in internal/util/bloomfilter).
type tester interface {
	BatchTestLocations(locations [][]uint64, hits []bool) []bool
}

// blob is Milvus's default filter: a key's only location is its hash.
type blob struct{ filter *blobloom.Filter }

func (b blob) BatchTestLocations(locations [][]uint64, hits []bool) []bool {
	answers := make([]bool, len(locations))
	for i := range hits {
		answers[i] = !hits[i] && b.filter.Has(locations[i][0])
	}
	return answers
}

// ours is a filter of this library behind the same interface.
type ours struct{ filter *simdbloom.Filter }

func (o ours) BatchTestLocations(locations [][]uint64, hits []bool) []bool {
	answers := make([]bool, len(locations))
	for i := range hits {
		answers[i] = !hits[i] && o.filter.ContainsHash(locations[i][0])
	}
	return answers
}

// looking is a way to look up fresh keys in all segments. It returns the number of positives.
type looking struct {
	name string
	look func(ids []int64) int
}

// BenchmarkSegments looks up 1,000 fresh keys a pass, each of which is in one segment. It reports medians of
// passes that take turns, in nanoseconds a key and segment, hashing included.
func BenchmarkSegments(b *testing.B) {
	for _, size := range []struct{ segments, perSegment int }{{100, 100_000}, {32, 1_000_000}} {
		b.Run(fmt.Sprintf("%dx%d", size.segments, size.perSegment), func(b *testing.B) {
			ways, passes := waysOf(b, size.segments, size.perSegment), make(map[string][]float64)
			random, ids := rand.New(rand.NewPCG(1, 2)), make([]int64, keys)
			for b.Loop() {
				for i := range ids {
					ids[i] = random.Int64N(int64(size.segments * size.perSegment))
				}
				for _, way := range ways {
					begin := time.Now()
					positives := way.look(ids)
					passes[way.name] = append(passes[way.name], float64(time.Since(begin).Nanoseconds())/float64(keys*size.segments))
					if positives < keys || positives > keys+3*keys*size.segments/1000 {
						b.Fatalf("%s: %d keys of %d", way.name, positives, keys)
					}
				}
			}
			for name, all := range passes {
				slices.Sort(all)
				b.ReportMetric(all[len(all)/2], name+"-ns")
			}
		})
	}
}

// waysOf builds the segments' filters, of numbers that follow each other.
func waysOf(b *testing.B, segments, perSegment int) (ways []looking) {
	var blobs, fastLocals []tester
	mixed := []*policy.Policy{
		policy.FastLocal(bloom.BitsPerKeyFor(perSegment, fpr)), policy.Paired(14.7), policy.Linear(10.4), policy.SplitBlock(16.9),
	}
	filters, mixedFilters := make([]*simdbloom.Filter, segments), make([]*simdbloom.Filter, segments)
	ids := make([]int64, perSegment)
	for segment := range segments {
		inBlob := blobloom.NewOptimized(blobloom.Config{Capacity: uint64(perSegment), FPRate: fpr})
		for i := range ids {
			ids[i] = int64(segment*perSegment + i)
			inBlob.Add(hashOf(ids[i]))
		}
		build := func(p *policy.Policy) *simdbloom.Filter {
			builder := p.NewBuilder()
			builder.AddColumn(keyhash.Values(ids))
			f, err := builder.Filter()
			if err != nil {
				b.Fatal(err)
			}
			return f
		}
		filters[segment], mixedFilters[segment] = build(mixed[0]), build(mixed[segment%len(mixed)])
		blobs, fastLocals = append(blobs, blob{inBlob}), append(fastLocals, ours{filters[segment]})
	}
	return []looking{
		{"Milvus", func(ids []int64) int { return interfaced(blobs, ids, hashOf) }},
		{"FastLocal-behind-its-interface", func(ids []int64) int {
			return interfaced(fastLocals, ids, func(id int64) uint64 { return keyhash.XX64.SumUint64(uint64(id)) })
		}},
		{"ContainsHashBits", func(ids []int64) int { return bits(filters, ids) }},
		{"Candidates", func(ids []int64) int { return candidates(filters, ids) }},
		{"Candidates-mixed", func(ids []int64) int { return candidates(mixedFilters, ids) }},
	}
}

// hashOf is Milvus's: XXH3 of the number's 8 bytes.
func hashOf(id int64) uint64 {
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], uint64(id))
	return xxh3.Hash(key[:])
}

// interfaced is Milvus's loop, which keeps the locations of each key in a slice.
func interfaced(filters []tester, ids []int64, hash func(int64) uint64) (positives int) {
	locations, hits := make([][]uint64, len(ids)), make([]bool, len(ids))
	for i, id := range ids {
		locations[i] = []uint64{hash(id)}
	}
	for _, f := range filters {
		for _, hit := range f.BatchTestLocations(locations, hits) {
			if hit {
				positives++
			}
		}
	}
	return positives
}

func bits(filters []*simdbloom.Filter, ids []int64) (positives int) {
	hashes := keyhash.XX64.AppendColumn(nil, keyhash.Values(ids))
	hits := make([]uint64, (len(ids)+63)/64)
	for _, f := range filters {
		f.ContainsHashBits(hashes, hits)
		for _, word := range hits {
			for ; word != 0; word &= word - 1 {
				positives++
			}
		}
	}
	return positives
}

func candidates(filters []*simdbloom.Filter, ids []int64) (positives int) {
	column := keyhash.Values(ids)
	wanted := make([]uint64, (len(ids)+63)/64)
	column.ValidBits(wanted)
	for _, found := range simdbloom.Candidates(filters, keyhash.XX64.AppendColumn(nil, column), wanted) {
		positives += len(found)
	}
	return positives
}
