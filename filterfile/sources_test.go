package filterfile_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// source is a filter to write.
type source struct {
	name   string // of what made it
	filter filterfile.Source
	format string
	keys   [][]byte
	want   *simdbloom.Filter // what looks up the same, or nil
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

// fastLocal returns a filter of n keys.
func fastLocal(t testing.TB, n int) source {
	t.Helper()
	p, keys := policy.FastLocal(10), someKeys(n)
	b := p.NewBuilder()
	b.AddKeys(keys)
	f := must(b.Filter())
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
	add := func(name, format string, f *simdbloom.Filter, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
		all = append(all, source{name, f, format, keys, f})
	}
	// built adds the filter that a builder makes.
	built := func(name, format string, b *simdbloom.Builder, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
		b.AddKeys(keys)
		f, err := b.Filter()
		add(name, format, f, err)
	}
	for _, p := range policy.Readers() {
		format := p.Name()
		if n == 1 && p.Format() == simdbloom.Ribbon {
			format = "" // it builds FastLocal filters of few keys
		}
		b := p.NewBuilder()
		b.AddKeys(keys)
		f, err := p.Open(must(b.Finish()))
		add("policy "+p.Name(), format, f, err)
	}
	for _, of := range contract.Formats() {
		for _, hash := range of.KeyHashes {
			b, err := of.NewBuilder(10, hash, of.Options...)
			built(of.Name+"."+hash.Name(), of.Recorded(hash), b, err)
		}
	}

	// What policies read that they do not build.
	for _, name := range []string{"rocksdb.BloomFilter:10", "rocksdb.RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10"} {
		p := must(policy.Parse(name))
		for _, from := range []string{"rocksdb.BloomFilter:9", "rocksdb.RibbonFilter:9", "rocksdb.internal.LegacyBloomFilter:9"} {
			b := must(policy.Parse(from)).NewBuilder()
			b.AddKeys(keys)
			f, err := p.Open(must(b.Finish()))
			add(name+" of "+from, "", f, err)
		}
	}
	for _, p := range policy.Readers() {
		if always, err := p.Open(make([]byte, 6)); err == nil {
			add("always "+p.Name(), "", always, err)
		}
		empty := must(p.Open(nil))
		all = append(all, source{"empty " + p.Name(), empty, "", nil, empty})
	}
	return all
}
