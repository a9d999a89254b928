package table

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

// prefixTable is a table that is made up, with a few keys in each partition.
type prefixTable struct {
	keys       [][]byte
	comparator string
	extractor  string
	wholeKeys  bool
	stripped   bool // the index has no timestamps

	prefix    func(key []byte) ([]byte, bool) // in place of the extractor's
	firstOnly bool                            // a prefix is only in the first partition that has it
}

// inOrder returns the keys in the order of the comparator. That of an unknown one is by length.
func (p *prefixTable) inOrder() [][]byte {
	compare := knownOrder(p.comparator).compare
	if compare == nil {
		compare = byLength
	}
	return slices.SortedStableFunc(slices.Values(p.keys), compare)
}

// separator is as short as it can be: after a, and before b unless it is b.
func separator(a, b []byte) []byte {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	if n+1 < len(b) {
		return bytes.Clone(b[:n+1])
	}
	return bytes.Clone(a)
}

// byLength orders keys by their length.
func byLength(a, b []byte) int { return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) }

// write returns the file. A partition has the entries of its keys, and none for its neighbours'
// sake, as in RocksDB's first partitions.
func (p *prefixTable) write(t *testing.T, inPartition int) []byte {
	t.Helper()
	extractor, err := filterblock.ParseExtractor(p.extractor)
	prefixOf := p.prefix
	if prefixOf == nil {
		prefixOf = extractor.Prefix
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := make(map[string]bool)
	i := &image{format: rocksDB5}
	index := filterblock.NewIndexWriter(filterblock.IndexFormat{FullHandles: true})
	b, err := bloom.NewBuilder(16, keyhash.XXPH3)
	if err != nil {
		t.Fatal(err)
	}
	ordered, end := p.inOrder(), 0
	for keys := range slices.Chunk(ordered, inPartition) {
		end += len(keys)
		for _, key := range keys {
			if p.wholeKeys {
				b.Add(key)
			}
			if prefix, ok := prefixOf(key); ok && !(p.firstOnly && seen[string(prefix)]) {
				b.Add(prefix)
				seen[string(prefix)] = true
			}
		}
		h := i.add(finished(t, b), uncompressed)
		last := bytes.Clone(keys[len(keys)-1])
		if p.comparator == bytewise && end < len(ordered) {
			last = separator(last, ordered[end])
		}
		if strings.HasSuffix(p.comparator, timestamped) && !p.stripped {
			last = append(last, "12345678"...)
		}
		index.Add(last, filterblock.Handle{Offset: h.offset, Size: h.size})
	}
	h := i.add(index.Finish(), uncompressed)
	flag := map[bool][]byte{false: []byte("0"), true: []byte("1")}
	persisted := number(1)
	if p.stripped {
		persisted = number(0)
	}
	properties := i.add(rowBlock(
		hasPrefixes, flag[extractor != nil || p.prefix != nil],
		hasKeys, flag[p.wholeKeys],
		comparator, []byte(p.comparator),
		userKeyIndex, number(1),
		[]byte("rocksdb.prefix.extractor.name"), []byte(p.extractor),
		[]byte("rocksdb.user.defined.timestamps.persisted"), persisted,
	), uncompressed)
	return i.finish(rowBlock([]byte(partitionedFilter+"rocksdb.BuiltinBloomFilter"), encoded(h), property, encoded(properties)))
}

func finished(t *testing.T, b *simdbloom.Builder) []byte {
	t.Helper()
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPrefixes looks up prefixes of every length, in partitions of every size and in every order.
func TestPrefixes(t *testing.T) {
	var keys [][]byte
	for i := range 40 {
		keys = append(keys, fmt.Appendf(nil, "u%02d", i/7*3), fmt.Appendf(nil, "u%02d%d", i/5, i%3),
			bytes.Repeat([]byte{0xff}, i%6), append(bytes.Repeat([]byte{0xff}, i%4), byte(i)))
	}
	slices.SortFunc(keys, bytes.Compare)
	keys = slices.CompactFunc(keys, bytes.Equal)
	for _, order := range []string{bytewise, reverseBytewise, "another's"} {
		for _, extractor := range []string{"fixed:3", "capped:3", "capped:1", "noop", ""} {
			for _, wholeKeys := range []bool{false, true} {
				p := prefixTable{keys: keys, comparator: order, extractor: extractor, wholeKeys: wholeKeys}
				for _, inPartition := range []int{1, 5, 20} {
					t.Run(fmt.Sprintf("%s/%s/%v/%d", order, extractor, wholeKeys, inPartition), func(t *testing.T) {
						p.check(t, opened(t, p.write(t, inPartition)))
					})
				}
			}
		}
	}
}

func (p *prefixTable) check(t *testing.T, read *Table) {
	t.Helper()
	extractor, _ := filterblock.ParseExtractor(p.extractor)
	hits := make([]bool, len(p.keys))
	if err := read.MayContainKeys(p.keys, hits); err != nil || slices.Contains(hits, false) {
		t.Fatalf("a key is lost: %v, %v", hits, err)
	}
	for _, key := range p.keys {
		for n := range len(key) + 1 {
			if may, err := read.MayContainPrefix(key[:n]); err != nil || !may {
				t.Fatalf("the prefix %q of %q is lost: %v", key[:n], key, err)
			}
		}
	}
	absent := []byte("u999")
	if prefix, _ := extractor.Prefix(absent); len(prefix) == 1 {
		return // of other keys, too
	}
	answers := strings.HasPrefix(p.extractor, "fixed:") || strings.HasPrefix(p.extractor, "capped:")
	if may, err := read.MayContainPrefix(absent); err != nil || may == answers {
		t.Errorf("%q: %v, %v", absent, may, err)
	}
	if may, err := read.MayContain(absent); err != nil || may != (!p.wholeKeys && extractor == nil) {
		t.Errorf("%q as a key: %v, %v", absent, may, err)
	}
}

// TestWithExtractor: what a caller says of prefixes is used where the table does not record an extractor that is known.
func TestWithExtractor(t *testing.T) {
	upToColon := func(key []byte) ([]byte, bool) {
		i := bytes.IndexByte(key, ':')
		return key[:max(i, 0)], i >= 0
	}
	own, first3 := filterblock.NewExtractor("colon", upToColon), filterblock.NewExtractor("first3", func(key []byte) ([]byte, bool) { return key[:min(3, len(key))], true })
	fixed, err := filterblock.ParseExtractor("fixed:3")
	if err != nil {
		t.Fatal(err)
	}
	keys := [][]byte{[]byte("abc:1"), []byte("abc:2"), []byte("abd:"), []byte("bbb:5")}
	for _, c := range []struct {
		recorded string
		given    *filterblock.Extractor
		knows    bool // what to look up for keys
		prefixes bool // and for prefixes
	}{
		{"colon", nil, false, false},
		{"colon", own, true, false}, // a function says nothing of longer keys
		{"", own, true, false},
		{"another", own, false, false},
		{"colon", fixed, true, true}, // the same prefixes by another name
		{"rocksdb.FixedPrefix", fixed, true, true},
		{"", fixed, true, true},
		{"rocksdb.FixedPrefix.3", own, true, true}, // what is recorded is known
		{"first3", first3, true, false},
	} {
		for _, partition := range []int{1, 10} {
			for _, order := range []string{bytewise, reverseBytewise, "own"} {
				p := prefixTable{keys: keys, comparator: order, extractor: c.recorded, prefix: upToColon}
				read := opened(t, p.write(t, partition), WithExtractor(c.given))
				name := fmt.Sprintf("%q, given %q, order %s, %d in a partition", c.recorded, c.given.Name(), order, partition)
				look := func(look func([]byte) (bool, error), key string) bool {
					may, err := look([]byte(key))
					if err != nil {
						t.Errorf("%s: %s: %v", name, key, err)
					}
					return may
				}
				for _, key := range keys {
					if !look(read.MayContain, string(key)) || !look(read.MayContainPrefix, string(key[:2])) || !look(read.MayContainPrefix, string(key[:3])) {
						t.Errorf("%s: %s is lost", name, key)
					}
				}
				if look(read.MayContain, "xyz:") == c.knows || look(read.MayContainPrefix, "xyz") == c.prefixes {
					t.Errorf("%s: absent: %v, prefix %v", name, look(read.MayContain, "xyz:"), look(read.MayContainPrefix, "xyz"))
				}
				r, err := read.Reader(filterblock.ReadOptions{})
				if (err == nil) != c.knows || err != nil && !errors.Is(err, ErrUnsupported) {
					t.Errorf("%s: reader: %v", name, err)
				}
				for _, key := range keys {
					if err == nil && (!r.MayContain(key) || !r.MayContainPrefix(key[:3]) || !r.MayContainSeek(key[:4])) {
						t.Errorf("%s: %s is lost by a reader", name, key)
					}
				}
				if err == nil && r.MayContain([]byte("xyz:")) {
					t.Errorf("%s: absent by a reader", name)
				}
			}
		}
	}
}

// reads is a file that counts blocks that are read.
type reads struct {
	*bytes.Reader
	blocks []string // names
}

func (r *reads) ReadBlock(data []byte, block Block) (int, error) {
	r.blocks = append(r.blocks, block.Name)
	return r.ReadAt(data, int64(block.Offset))
}

// TestOnlyWhatIsNeededIsRead counts blocks.
func TestOnlyWhatIsNeededIsRead(t *testing.T) {
	p := prefixTable{keys: tableKeys(1000), comparator: bytewise, extractor: "fixed:7", wholeKeys: true}
	for _, order := range []string{bytewise, reverseBytewise} {
		p.comparator = order
		data := p.write(t, 50)
		file := &reads{Reader: bytes.NewReader(data)}
		read, err := Open(file, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		const blocks = "footer, metaindex, properties, filter's index"
		if got := strings.Join(file.blocks, ", "); got != blocks {
			t.Errorf("opening reads %s", got)
		}
		expect := func(what string, least, most int, may bool, look func() (bool, error)) {
			t.Helper()
			file.blocks = nil
			got, err := look()
			if n := len(file.blocks); err != nil || got != may || n < least || n > most {
				t.Errorf("%s, %s: %v, %v, reads %v", order, what, got, err, file.blocks)
			}
		}
		key := func(key string) func() (bool, error) {
			return func() (bool, error) { return read.MayContain([]byte(key)) }
		}
		prefix := func(prefix string) func() (bool, error) {
			return func() (bool, error) { return read.MayContainPrefix([]byte(prefix)) }
		}
		expect("a key", 1, 1, true, key("key00500"))
		expect("no key", 1, 1, false, key("key005005"))
		expect("above all", 1, 1, false, key("z"))
		expect("a prefix", 1, 1, true, prefix("key0050"))
		expect("more than a prefix", 1, 1, true, prefix("key00501xyz"))
		expect("no prefix", 1, 1, false, prefix("key0500"))
		expect("a prefix that has no entry", 0, 0, true, prefix("key005"))
		expect("all keys", 20, 20, true, func() (bool, error) {
			hits := make([]bool, 2000)
			keys, mixed := tableKeys(2000), tableKeys(2000)
			for i := range keys { // partitions in turn
				mixed[i] = keys[i*701%2000]
			}
			err := read.MayContainKeys(mixed, hits)
			found := 0
			for i, hit := range hits {
				if present := i*701%2000 < 1000; present && !hit {
					return false, err
				} else if hit && !present {
					found++
				}
			}
			return found < 20, err
		})
	}
}

// TestMayContainWithoutAnAnswer: what cannot be read may contain every key.
func TestMayContainWithoutAnAnswer(t *testing.T) {
	p := prefixTable{keys: tableKeys(1000), comparator: bytewise, extractor: "fixed:7", wholeKeys: true}
	data := p.write(t, 50)
	data[0] ^= 1 // of the first partition
	read := opened(t, data)
	keys := [][]byte{[]byte("absent"), []byte("key00999"), []byte("key01000"), []byte("zzz")}
	hits := make([]bool, len(keys)+1)
	if err := read.MayContainKeys(keys, hits); err == nil || slices.Contains(hits[:len(keys)], false) || hits[len(keys)] {
		t.Errorf("%v, %v", hits, err)
	}
	for _, look := range []func([]byte) (bool, error){read.MayContain, read.MayContainPrefix} {
		if may, err := look([]byte("absent!!")); err == nil || !may {
			t.Errorf("%v, %v", may, err)
		}
	}
	if may, err := read.MayContain([]byte("absent 2")); err == nil || !may {
		t.Errorf("%v, %v", may, err)
	}
	if text := panicOf(func() { read.MayContainKeys(keys, hits[:1]) }); text != "simdbloom: len(hits) is 1, but there are 4 keys" {
		t.Errorf("too few hits: %s", text)
	}
	if may, err := read.MayContain([]byte("key01000")); err != nil || may {
		t.Errorf("of an intact partition: %v, %v", may, err)
	}
}

// TestPrefixesOfFirstPartitions: RocksDB up to 5.14 added a prefix only to the first partition that has it, and up to
// 6.5 not that of the key behind a partition. No key, prefix or seek gets a "no" by such a table.
func TestPrefixesOfFirstPartitions(t *testing.T) {
	var keys [][]byte
	for i := range 400 {
		keys = append(keys, fmt.Appendf(nil, "key%05d", i*i))
	}
	for _, order := range []string{bytewise, reverseBytewise, "another's"} {
		for _, extractor := range []string{"fixed:5", "capped:5"} {
			for _, wholeKeys := range []bool{false, true} {
				for _, inPartition := range []int{1, 3, 17} {
					p := prefixTable{keys: keys, comparator: order, extractor: extractor, wholeKeys: wholeKeys, firstOnly: true}
					read := opened(t, p.write(t, inPartition))
					r, err := read.Reader(filterblock.ReadOptions{})
					if err != nil {
						t.Fatal(err)
					}
					many, byReader, byPrefix := make([]bool, len(keys)), make([]bool, len(keys)), make([]bool, len(keys))
					if err := read.MayContainKeys(keys, many); err != nil {
						t.Fatal(err)
					}
					r.MayContainKeys(keys, byReader)
					var prefixes [][]byte
					for _, key := range keys {
						prefixes = append(prefixes, key[:5])
					}
					r.MayContainPrefixes(prefixes, byPrefix)
					for i, key := range keys {
						before := append(bytes.Clone(key[:len(key)-1]), key[len(key)-1]-1)
						may, err := read.MayContainPrefix(key[:5])
						if err != nil || !may || !many[i] || !byReader[i] || !byPrefix[i] || !r.MayContain(key) || !r.MayContainPrefix(key[:5]) ||
							!r.MayContainSeek(key) || !r.MayContainSeek(before) || !r.MayContainSeek(key[:5]) {
							t.Fatalf("%s, %s, whole keys %v, %d in a partition: %s is lost", order, extractor, wholeKeys, inPartition, key)
						}
					}
					if may, err := read.MayContainPrefix([]byte("absent")); err != nil || may {
						t.Errorf("%s, %s: absent: %v, %v", order, extractor, may, err)
					}
				}
			}
		}
	}
}
