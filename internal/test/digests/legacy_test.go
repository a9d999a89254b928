package digests

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/legacy"
)

// legacyResults has digests of legacy filters' bytes and answers: RocksDB's, Pebble's where
// there are no keys, and some within a limit.
func legacyResults(t *testing.T) (all []result) {
	for i, bitsPerKey := range []float64{1, 3, 10, 16, 24, 50} {
		for _, n := range []int{0, 1, 100, 3000, 20_000, mostAdded} {
			all = append(all, legacyFilter{bitsPerKey: bitsPerKey, keys: n}.results(t, 1+11*i)...)
		}
	}
	all = append(all, legacyFilter{bitsPerKey: 10, pebble: true}.results(t, 1)...)
	return append(all, legacyFilter{bitsPerKey: 10, keys: 20_000, maxBytes: 10_000}.results(t, 7)...)
}

// legacyFilter is a filter that is built and queried.
type legacyFilter struct {
	bitsPerKey float64
	keys       int
	pebble     bool
	maxBytes   int // no limit if 0
}

func (f legacyFilter) String() string {
	name := fmt.Sprintf("Legacy, %g bits per key, %d keys", f.bitsPerKey, f.keys)
	if f.pebble {
		name += ", Pebble's"
	}
	if f.maxBytes > 0 {
		name += fmt.Sprintf(", at most %d bytes", f.maxBytes)
	}
	return name
}

func (f legacyFilter) options() (all []legacy.Option) {
	if f.pebble {
		all = append(all, legacy.WithPebble())
	}
	if f.maxBytes > 0 {
		all = append(all, legacy.WithMaxBytes(f.maxBytes))
	}
	return all
}

// results looks up in the filter as it was built, and in a copy at an offset from a multiple
// of 64.
func (f legacyFilter) results(t *testing.T, offset int) (all []result) {
	t.Helper()
	b, err := legacy.NewBuilder(f.bitsPerKey, f.options()...)
	if err != nil {
		t.Fatal(f, err)
	}
	added, hashes := keys()[:f.keys], make([]uint32, f.keys)
	for i, key := range added {
		hashes[i] = legacy.Hash(key)
	}
	for _, way := range []struct {
		name string
		add  func()
	}{{"keys", func() { b.AddKeys(added) }}, {"hashes", func() { b.AddHashes(hashes) }}} {
		way.add()
		data, err := b.AppendFinish(aligned.Make(offset)[:offset:offset])
		if err != nil {
			t.Fatal(f, err)
		}
		data = data[offset:]
		all = append(all, result{f.String() + ": bytes", way.name, digestOf(data)})
		for where, data := range map[string][]byte{", anywhere": data, ", aligned": aligned.Copy(data)} {
			opened, err := legacy.Open(data)
			if err != nil {
				t.Fatal(f, err)
			}
			all = append(all, narrowAnswers(f.String(), where, opened, legacy.Hash, f.keys, vectors.Narrowed(hostileHashes())...)...)
		}
	}
	return all
}
