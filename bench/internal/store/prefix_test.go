package store

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// bytesAtLimits makes keys whose prefixes end where the successor of a byte is special.
var bytesAtLimits = []byte{0, 'a', 0xfe, 0xff}

// keysAtLimits are all keys of these bytes with at most the given size, in order.
func keysAtLimits(size int) (keys [][]byte) {
	for last := [][]byte{{}}; size > 0; size-- {
		var longer [][]byte
		for _, key := range last {
			for _, b := range bytesAtLimits {
				longer = append(longer, append(bytes.Clone(key), b))
			}
		}
		keys, last = append(keys, longer...), longer
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys
}

// Iterations over a prefix, and from one prefix to the next, find what those over all keys do,
// whatever ranges are deleted.
func TestIterationsByPrefix(t *testing.T) {
	keys := keysAtLimits(4)
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		o := small.Options(vfs.NewMem(), simdbloom.FastLocal(20))
		defer o.Cache.Unref()
		o.Comparer, o.DisableAutomaticCompactions = PrefixComparer(2), true // compactions drop what is deleted
		db, err := pebble.Open("", o)
		if err != nil {
			t.Fatal(err)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, key := range keys {
			must(db.Set(key, nil, nil))
		}
		must(db.Flush())
		for range 3 {
			begin, end := random.IntN(len(keys)), random.IntN(len(keys))
			must(db.DeleteRange(keys[min(begin, end)], keys[max(begin, end)], nil))
		}
		must(db.Flush())
		want := make(map[string][]string)
		var firsts, visited []string // of each prefix
		iter, err := db.NewIter(nil)
		must(err)
		for valid := iter.First(); valid; valid = iter.Next() {
			prefix := string(o.Comparer.Split.Prefix(iter.Key()))
			if want[prefix] == nil {
				firsts = append(firsts, string(iter.Key()))
			}
			want[prefix] = append(want[prefix], string(iter.Key()))
		}
		for valid := iter.First(); valid && len(visited) < len(keys); valid = iter.NextPrefix() {
			visited = append(visited, string(iter.Key()))
		}
		if !slices.Equal(visited, firsts) {
			t.Errorf("seed %d: NextPrefix visits %q, want %q", seed, visited, firsts)
		}
		must(iter.Close())
		iter, err = db.NewIter(&pebble.IterOptions{UseL6Filters: true})
		must(err)
		for _, key := range keys {
			prefix := o.Comparer.Split.Prefix(key)
			var got []string
			for valid := iter.SeekPrefixGE(prefix); valid; valid = iter.Next() {
				got = append(got, string(iter.Key()))
			}
			if !slices.Equal(got, want[string(prefix)]) {
				t.Errorf("seed %d, prefix %q: %q, want %q", seed, prefix, got, want[string(prefix)])
			}
		}
		must(iter.Close())
		must(db.Close())
	}
}
