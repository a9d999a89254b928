package digests

import (
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// filter is a filter of a kind.
type filter struct {
	kind
	bitsPerKey float64
	hash       hashFunction
	keys       int
	more       string // of its name
	skewed     bool   // all hashes belong to one block
	maxBytes   int    // 0 if there is no limit
}

func (f filter) String() string {
	s := fmt.Sprintf("%s, %g bits per key, %d keys%s", f.name, f.bitsPerKey, f.keys, f.more)
	if f.skewed {
		s += ", in one block"
	}
	if f.maxBytes > 0 {
		s += fmt.Sprintf(", at most %d bytes", f.maxBytes)
	}
	return s
}

// filters have all numbers of probes that builders choose, each with the fewest bits per
// key that give it, where rounding matters most. The hash functions take turns.
func filters() (all []filter) {
	add := func(k kind, bitsPerKey float64, turn, keys int) *filter {
		hash := hashFunctions[turn%2]
		all = append(all, filter{kind: k, bitsPerKey: bitsPerKey, hash: hash, keys: keys, more: ", " + hash.Name()})
		return &all[len(all)-1]
	}
	for _, k := range kinds {
		bitsPerKey := k.bits
		for _, keys := range []int{0, 1, 2, 100, 3000, 20_000, mostAdded} {
			if keys == mostAdded && (k.name == "Linear" || k.name == "Ribbon") { // building takes long
				bitsPerKey = []float64{10, 23.4}
			}
			for i, bpk := range bitsPerKey {
				add(k, bpk, i, keys)
			}
		}
		if k.probes != "" {
			for i, step := range vectors.NumProbes(k.probes) {
				add(k, float64(step[0])/1000, i, 1000)
			}
		}
		for _, maxBytes := range []int{9000, 25_000, 50_000} {
			add(k, 100, 0, 10_000).maxBytes = maxBytes
		}
		add(k, 10, 0, 1<<16+100).skewed = true
	}
	return append(all, narrowFilters()...)
}

// narrowFilters have hashes of 32 bits: LevelDB's with either hash, RocksDB's, and Pebble's where there are
// no keys.
func narrowFilters() (all []filter) {
	for i, bitsPerKey := range []float64{1, 5, 10, 16, 23, 50} {
		for j, n := range []int{0, 1, 2, 100, 3000, 20_000, mostAdded} {
			hash := narrowHashes[(i+j)%2]
			all = append(all, filter{kind: levelDB, bitsPerKey: bitsPerKey, hash: hash, keys: n, more: fmt.Sprintf(", signed %v", (i+j)%2 == 1)})
		}
	}
	for _, bitsPerKey := range []float64{1, 3, 10, 16, 24, 50} {
		for _, n := range []int{0, 1, 100, 3000, 20_000, mostAdded} {
			all = append(all, filter{kind: rocksDB, bitsPerKey: bitsPerKey, hash: narrowHashes[1], keys: n})
		}
	}
	all = append(all, filter{kind: pebble, bitsPerKey: 10, hash: narrowHashes[1], more: ", Pebble's"})
	return append(all, filter{kind: rocksDB, bitsPerKey: 10, hash: narrowHashes[1], keys: 20_000, maxBytes: 10_000})
}

// filterResults has digests of the bytes that builders build and of the filters' answers.
func filterResults(t *testing.T) (all []result) {
	for i, f := range filters() {
		data := f.build(t, 1)
		name := f.String() + ": bytes"
		all = append(
			all,
			result{name, "one goroutine", digestOf(data)},
			result{name, fmt.Sprintf("%d goroutines", concurrency), digestOf(f.build(t, concurrency))},
		)
		for _, offset := range []int{0, 1 + i%(aligned.Alignment-1)} {
			memory := aligned.Make(offset + len(data))[offset:]
			copy(memory, data)
			all = append(all, f.answers(t, memory, fmt.Sprintf("%d bytes behind a multiple of 64", offset))...)
		}
	}
	return all
}

// build returns the filter of the keys. A builder with one goroutine gets them one by one,
// one with several gets hashes.
func (f filter) build(t *testing.T, concurrency int) []byte {
	t.Helper()
	options := append(slices.Clone(f.options), simdbloom.WithConcurrency(concurrency), building.WithListsFrom(listsFrom))
	if f.maxBytes > 0 {
		options = append(options, simdbloom.WithMaxBytes(f.maxBytes))
	}
	b, err := f.newBuilder(f.bitsPerKey, f.hash.Hash, options...)
	if err != nil {
		t.Fatal(f, err)
	}
	switch {
	case f.skewed:
		for _, hash := range f.hash.ofKeys()[:f.keys] {
			b.AddHash(hash | 1<<32 - 1)
		}
	case concurrency == 1:
		for _, key := range keys()[:f.keys] {
			b.Add(key)
		}
	default:
		b.AddHashes(f.hash.ofKeys()[:f.keys])
	}
	data, err := b.Finish()
	if err != nil {
		t.Fatal(f, err)
	}
	return data
}

// answers are to keys that were added, keys that were not, and hostile hashes.
func (f filter) answers(t *testing.T, data []byte, where string) (all []result) {
	t.Helper()
	opened, err := f.open(data, f.hash.Hash)
	if err != nil {
		t.Fatal(f, err)
	}
	n := min(f.keys, mostQueried)
	queried := slices.Concat(keys()[:n], keys()[mostAdded:])
	hashes := slices.Concat(f.hash.ofKeys()[:n], f.hash.ofKeys()[mostAdded:])
	if f.name != levelDB.name {
		hashes = append(hashes, hostileHashes()...)
	}

	alone, batch, ofKeys := make([]bool, len(hashes)), make([]bool, len(hashes)), make([]bool, len(hashes))
	has := opened.Lookup()
	for i, hash := range hashes {
		alone[i] = opened.ContainsHash(hash)
		if has(hash) != alone[i] {
			t.Errorf("%v, hash %#x: ContainsHash says %v, Lookup does not", f, hash, alone[i])
		}
	}
	opened.ContainsHashes(hashes, batch)
	opened.ContainsKeys(queried, ofKeys)
	opened.ContainsHashes(hashes[len(queried):], ofKeys[len(queried):])
	words := make([]uint64, (len(hashes)+63)/64)
	opened.ContainsHashBits(hashes, words)
	keyByKey := slices.Clone(ofKeys)
	for i, key := range queried {
		keyByKey[i] = opened.Contains(key)
	}

	name := f.String() + ": answers"
	return []result{
		{name, "ContainsHash, " + where, digestOfAnswers(alone)},
		{name, "ContainsHashes, " + where, digestOfAnswers(batch)},
		{name, "ContainsHashBits, " + where, digestOfAnswers(unpacked(nil, words, len(hashes)))},
		{name, "ContainsKeys, " + where, digestOfAnswers(ofKeys)},
		{name, "Contains, " + where, digestOfAnswers(keyByKey)},
	}
}

// blockResults has digests of LevelDB's filter blocks.
func blockResults() (all []result) {
	for _, baseLg := range []int{4, 11, 16} {
		b := levelblock.New(10, baseLg, keyhash.Hash{})
		for i, key := range keys()[:5000] {
			if i%9 == 0 {
				b.StartBlock(uint64(150 * i))
			}
			b.Add(key)
		}
		all = append(all, result{fmt.Sprintf("LevelDB's filter block, base %d: bytes", baseLg), "one by one", digestOf(b.Finish())})
	}
	return all
}
