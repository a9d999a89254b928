// Command segments looks up 1,000 deleted keys in the filters of 100 segments of 100,000 keys each, as a vector
// database does to find the segments that may have them: once key by key, and once all together.
package main

import (
	"fmt"
	"log"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

const segments, perSegment, deleted = 100, 100_000, 1_000

func main() {
	filters, keys := build(), make([]int64, deleted)
	for i := range keys {
		keys[i] = int64(i) * 10_007 // every one is in some segment
	}
	before := timed("key by key", filters, keys, keyByKey)
	after := timed("together", filters, keys, together)
	if !reflect.DeepEqual(before, after) {
		log.Fatal("two answers")
	}
	pairs := 0
	for _, found := range after {
		pairs += len(found)
	}
	fmt.Printf("%d keys may be in %d segments in all, instead of %d\n", deleted, pairs, deleted*segments)
}

// build returns filters of segments: the last one still accepts keys, the others are complete. They may have any
// formats, but they must have one key hash.
func build() (filters []*simdbloom.Filter) {
	const fpr = 0.001
	b := must(bloom.NewBuilder(bloom.BitsPerKeyFor(perSegment, fpr), keyhash.XX64))
	ids := make([]int64, perSegment)
	for segment := range segments {
		for i := range ids {
			ids[i] = int64(segment*perSegment + i)
		}
		if segment == segments-1 {
			m := must(bloom.NewMutableForFPR(perSegment, fpr, keyhash.XX64))
			m.AddColumn(keyhash.Values(ids))
			return append(filters, &m.Filter)
		}
		b.AddColumn(keyhash.Values(ids))
		filters = append(filters, must(b.Filter()))
	}
	return filters
}

// keyByKey returns the keys that each segment may have, by their indexes.
func keyByKey(filters []*simdbloom.Filter, keys []int64) [][]int {
	hashes := make([]uint64, len(keys))
	for i, key := range keys {
		hashes[i] = keyhash.XX64.SumUint64(uint64(key))
	}
	found := make([][]int, len(filters))
	for segment, f := range filters {
		has := f.Lookup()
		for i, hash := range hashes {
			if has(hash) {
				found[segment] = append(found[segment], i)
			}
		}
	}
	return found
}

// together returns the same.
func together(filters []*simdbloom.Filter, keys []int64) [][]int {
	column := keyhash.Values(keys)
	hashes := keyhash.XX64.AppendColumn(nil, column)
	wanted := make([]uint64, (len(keys)+63)/64)
	column.ValidBits(wanted) // all keys, in all segments: an insertion may have repeated one
	found := make([][]int, len(filters))
	for segment, candidates := range simdbloom.Candidates(filters, hashes, wanted) {
		found[segment] = slices.Clone(candidates)
	}
	return found
}

// timed prints the median of several times to the standard error, and returns the function's result.
func timed(way string, filters []*simdbloom.Filter, keys []int64, look func([]*simdbloom.Filter, []int64) [][]int) (found [][]int) {
	var times []time.Duration
	for range 9 {
		begin := time.Now()
		found = look(filters, keys)
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	fmt.Fprintf(os.Stderr, "%s: %.1f ns a key and segment\n", way, float64(times[4].Nanoseconds())/deleted/segments)
	return found
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
