package filterblock_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// policies has one of every format.
var policies = []string{
	"simdbloom.FastLocal:10", "bloomfilter:10", "ribbonfilter:10", "rocksdb.internal.LegacyBloomFilter:10",
	"simdbloom.Paired:16", "speedb.PairedBloomFilter:16", "simdbloom.Linear:12", "leveldb.BuiltinBloomFilter2:10", "bloomfilter:0",
}

// contents are what a table's filter is made of.
type contents struct {
	wholeKeys bool
	prefix    *filterblock.Extractor
}

func (c contents) String() string {
	return fmt.Sprintf("keys %v, prefixes %s", c.wholeKeys, c.prefix.Name())
}

// entry is what a point lookup asks a filter for.
func (c contents) entry(key []byte) ([]byte, bool) {
	if c.wholeKeys {
		return key, true
	}
	return c.prefix.Prefix(key)
}

// untilDash is an extractor whose prefixes are not together in the order of keys.
var untilDash = filterblock.NewExtractor("untilDash", func(key []byte) ([]byte, bool) {
	if at := bytes.IndexByte(key, '-'); at >= 0 {
		return key[:at], true
	}
	return nil, false
})

func everyContents(t testing.TB) (all []contents) {
	for _, wholeKeys := range []bool{false, true} {
		for _, text := range []string{"", "fixed:3", "fixed:9", "capped:4", "noop"} {
			all = append(all, contents{wholeKeys, extractor(t, text)})
		}
		all = append(all, contents{wholeKeys, untilDash})
	}
	return all[1:] // without the filter of nothing, which is refused
}

// sortedKeys returns different keys in order: of several lengths, and with prefixes in common.
func sortedKeys(n int) [][]byte {
	keys := slices.Concat(vectors.Keys("group", 0, n/2), vectors.Keys("bin", 0, n/8), vectors.Keys("short", 0, 10))
	for i := range n / 4 {
		keys = append(keys, fmt.Appendf(nil, "k%d%s-%d", i%7, []string{"", "!", "x"}[i%3], i))
	}
	slices.SortFunc(keys, bytes.Compare)
	return slices.CompactFunc(keys, bytes.Equal)
}

// block is a filter block in one piece or in partitions, and where its partitions are.
type block struct {
	data  []byte
	file  *file              // nil of one piece
	index *filterblock.Index // likewise
	o     filterblock.ReadOptions
	p     *policy.Policy
}

func (b block) open(t testing.TB) *filterblock.Reader {
	t.Helper()
	r, err := filterblock.Open(b.p, b.data, b.o)
	if b.file != nil {
		r, err = filterblock.OpenPartitioned(b.p, b.data, b.file.load, b.o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (b block) handles() []filterblock.Handle {
	if b.file == nil {
		return nil
	}
	return b.file.handles
}

// write writes one block of the keys with partitions of the given size, or none. Partitions are
// cut as the rules say; with cut, at the end of "data blocks" of a few keys.
func write(t testing.TB, p *policy.Policy, c contents, keys [][]byte, size int, cut bool) block {
	t.Helper()
	o := filterblock.Options{
		WholeKeys: c.wholeKeys, Prefix: c.prefix, PartitionBytes: size, CutByCaller: cut && size > 0,
	}
	b := block{p: p, o: filterblock.ReadOptions{WholeKeys: c.wholeKeys, Prefix: c.prefix}}
	if size > 0 {
		b.file = new(file)
		o.Store = b.file.store
	}
	w := newWriter(t, p, o)
	for i, key := range keys {
		if cut && i > 0 && i%5 == 0 && (w.WantsCut() || i%50 == 0) {
			w.Cut(keys[i-1])
		}
		w.Add(key)
	}
	b.data = finish(t, w)
	if b.file != nil {
		var err error
		if b.index, err = filterblock.ReadIndex(b.data, b.o.Index); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestEveryKeyAndPrefixIsFound, in every mode and format, and nothing is found that the filter alone
// does not find.
func TestEveryKeyAndPrefixIsFound(t *testing.T) {
	for i, name := range policies {
		keys := sortedKeys(1500)
		if testing.Short() && i > 0 {
			keys = sortedKeys(600)
		}
		p, mostPartitions := parse(t, name), 0
		for j, c := range everyContents(t) {
			for m, size := range []int{0, 300, 1024} {
				for _, cut := range []bool{false, true} {
					if size == 0 && cut || testing.Short() && cut != ((i+j+m)%2 == 0) && size > 0 {
						continue
					}
					b := write(t, p, c, keys, size, cut)
					mostPartitions = max(mostPartitions, len(b.handles()))
					if err := checkBlock(t, b, c, keys); err != nil {
						t.Fatalf("%s, %v, partitions of %d, cut %v: %v", name, c, size, cut, err)
					}
				}
			}
		}
		if mostPartitions < 3 && !testing.Short() && name != "bloomfilter:0" && name != "simdbloom.Paired:16" {
			t.Errorf("%s: %d partitions at most", name, mostPartitions)
		}
	}
}

// checkBlock looks up present and absent keys and prefixes, one by one and in batches.
func checkBlock(t *testing.T, b block, c contents, keys [][]byte) error {
	r := b.open(t)
	random := rand.New(rand.NewPCG(1, 2))
	queries := slices.Clone(keys)
	for range 200 {
		key := slices.Clone(keys[random.IntN(len(keys))])
		if len(key) > 0 {
			key[random.IntN(len(key))] += byte(random.IntN(3))
		}
		queries = append(queries, key[:random.IntN(len(key)+1)], key, append(key, 0))
	}
	present := make(map[string]bool)
	prefixes := make(map[string][]byte) // and the last key of each
	for _, key := range keys {
		present[string(key)] = true
		if prefix, ok := c.prefix.Prefix(key); ok {
			prefixes[string(prefix)] = key
		}
	}
	for _, query := range queries {
		if got, want := r.MayContain(query), b.alone(c, query); got != want && !(got && b.goesOn(c, query)) || !got && present[string(query)] {
			return fmt.Errorf("%q: %v, the filter alone %v; present is %v", query, got, want, present[string(query)])
		}
		prefix, ok := c.prefix.Prefix(query)
		if !ok {
			if !r.MayContainSeek(query) {
				return fmt.Errorf("%q has no prefix, and is not found", query)
			}
			continue
		}
		last, isPresent := prefixes[string(prefix)]
		if isPresent && !r.MayContainPrefix(prefix) {
			return fmt.Errorf("the prefix %q is not found", prefix)
		}
		if isPresent && bytes.Compare(query, last) <= 0 && !r.MayContainSeek(query) {
			return fmt.Errorf("the prefix of %q is not found, and %q has it", query, last)
		}
	}
	return checkBatches(r, c, queries, random)
}

// alone is what the filter says that has the key, without a Reader.
func (b block) alone(c contents, key []byte) bool {
	entry, ok := c.entry(key)
	if !ok {
		return true
	}
	if b.index == nil {
		return b.p.MayContain(b.data, entry)
	}
	return b.index.Len() > 0 && b.p.MayContain(b.file.partitions[b.index.Handle(b.partitionOf(key))], entry)
}

// partitionOf returns the number of the partition that may have the key.
func (b block) partitionOf(key []byte) (i int) {
	for i < b.index.Len()-1 && bytes.Compare(b.index.Key(i), key) < 0 {
		i++
	}
	return i
}

// goesOn reports whether a filter of prefixes only may have a key's prefix in a partition beside the key's, which
// RocksDB's first versions with partitions leave out of the others: an index key beside the partition has it.
func (b block) goesOn(c contents, key []byte) bool {
	prefix, ok := c.entry(key)
	if !ok || c.wholeKeys || b.index == nil {
		return false
	}
	for i, partition := 0, b.partitionOf(key); i < b.index.Len(); i++ {
		if of, ok := c.prefix.Prefix(b.index.Key(i)); i >= partition-1 && i <= partition && (bytes.HasPrefix(b.index.Key(i), prefix) || ok && bytes.Equal(of, prefix)) {
			return true
		}
	}
	return false
}

// checkBatches: batches of any length and order have the same answers.
func checkBatches(r *filterblock.Reader, c contents, queries [][]byte, random *rand.Rand) error {
	sorted := slices.Clone(queries)
	slices.SortFunc(sorted, bytes.Compare)
	for _, batch := range [][][]byte{nil, queries[:1], queries[:100], queries, sorted, slices.Concat(sorted[:7], sorted[:7], sorted)} {
		hits := make([]bool, len(batch)+1)
		for i := range hits {
			hits[i] = random.IntN(2) == 0
		}
		end := hits[len(batch)]
		r.MayContainKeys(batch, hits)
		for i, key := range batch {
			if hits[i] != r.MayContain(key) {
				return fmt.Errorf("%q in a batch of %d: %v", key, len(batch), hits[i])
			}
		}
		var prefixes [][]byte
		for _, key := range batch {
			if prefix, ok := c.prefix.Prefix(key); ok {
				key = prefix
			}
			prefixes = append(prefixes, key)
		}
		r.MayContainPrefixes(prefixes, hits)
		for i, prefix := range prefixes {
			if hits[i] != r.MayContainPrefix(prefix) {
				return fmt.Errorf("the prefix %q in a batch of %d: %v", prefix, len(batch), hits[i])
			}
		}
		if hits[len(batch)] != end {
			return fmt.Errorf("a batch of %d wrote behind its hits", len(batch))
		}
	}
	return nil
}
