package filterfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// source is a filter to write.
type source struct {
	name   string // of what made it
	filter filterfile.Source
	format string
	keys   [][]byte
	want   policy.Filter // what looks up the same, or nil
}

// ownHash is a key hash that only a program knows.
var ownHash = contract.OwnHash

// options are what it takes to read the source again.
func (s source) options() []filterfile.OpenOption {
	if f, ok := s.filter.(interface{ Hash() keyhash.Hash }); ok && f.Hash() == ownHash {
		return []filterfile.OpenOption{filterfile.WithHash(ownHash)}
	}
	return nil
}

func someKeys(n int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "key%07d", i)
	}
	return keys
}

type builder interface {
	AddKeys(keys [][]byte)
	Finish() ([]byte, error)
}

// fastLocal returns a filter of n keys.
func fastLocal(t testing.TB, n int) source {
	t.Helper()
	p, err := policy.Parse("simdbloom.Bloom:10")
	if err != nil {
		t.Fatal(err)
	}
	b, keys := p.NewBuilder(), someKeys(n)
	b.AddKeys(keys)
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return source{"FastLocal", f, p.Name(), keys, f}
}

// built are the sources by their number of keys: building them takes longest, above all with the
// race detector.
var built = make(map[int][]source)

// sources returns filters of n keys, of every format, and as every package has them.
func sources(t testing.TB, n int) []source {
	t.Helper()
	if built[n] == nil {
		built[n] = build(t, n)
	}
	return slices.Clone(built[n])
}

func build(t testing.TB, n int) (all []source) {
	t.Helper()
	keys := someKeys(n)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	finish := func(b builder, err error) []byte {
		t.Helper()
		must(err)
		b.AddKeys(keys)
		data, err := b.Finish()
		must(err)
		return data
	}
	add := func(name string, f filterfile.Source, err error, format string) {
		t.Helper()
		must(err)
		want, _ := f.(policy.Filter)
		all = append(all, source{name, f, format, keys, want})
	}
	for _, p := range policy.Readers() {
		data := finish(p.NewBuilder(), nil)
		f, err := p.Open(data)
		format := p.Name()
		if n == 1 && strings.HasPrefix(format, "simdbloom.Ribbon") {
			format = "" // it builds FastLocal filters of few keys
		}
		add("policy "+p.Name(), f, err, format)
	}
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, ownHash} {
		end := "." + hash.Name()
		data := finish(bloom.NewBuilder(10, hash))
		inLines, err := bloom.Open(data, hash)
		add("bloom"+end, inLines, err, "simdbloom.FastLocal"+end)
		for _, blocks := range []int{32, 128} {
			data := finish(paired.NewBuilder(16, hash, paired.WithBatchBlocks(blocks)))
			f, err := paired.Open(data, hash)
			add(fmt.Sprint("paired ", blocks, end), f, err, fmt.Sprint("simdbloom.Paired", blocks, end))
		}
		data = finish(linear.NewBuilder(16, hash))
		inLayers, err := linear.Open(data, hash)
		add("linear"+end, inLayers, err, "simdbloom.Linear"+end)
		data = finish(ribbon.NewBuilder(10, hash))
		inColumns, err := ribbon.Open(data, hash)
		add("ribbon"+end, inColumns, err, "simdbloom.Ribbon"+end)
	}
	old, err := legacy.Open(finish(legacy.NewBuilder(10)))
	add("legacy", old, err, "simdbloom.Legacy.RocksDB32")
	small, err := leveldb.Open(finish(leveldb.NewBuilder(10)))
	add("leveldb", small, err, "simdbloom.LevelDB.LevelDB32")

	// What policies read that they do not build.
	for _, name := range []string{"rocksdb.BloomFilter:10", "rocksdb.RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10"} {
		p, err := policy.Parse(name)
		must(err)
		for _, from := range []string{"rocksdb.BloomFilter:9", "rocksdb.RibbonFilter:9", "rocksdb.internal.LegacyBloomFilter:9"} {
			other, err := policy.Parse(from)
			must(err)
			f, err := p.Open(finish(other.NewBuilder(), nil))
			add(name+" of "+from, f, err, "")
		}
	}
	for _, p := range policy.Readers() {
		always, err := p.Open(make([]byte, 6))
		if err == nil {
			add("always "+p.Name(), always, err, "")
		}
		empty, err := p.Open(nil)
		must(err)
		all = append(all, source{"empty " + p.Name(), empty, "", nil, empty})
	}
	return all
}
