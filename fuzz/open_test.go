package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

var queries = []byte("\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff some hashes of 8 bytes each")

func addBytes(f *testing.F, add func(data []byte)) {
	for _, v := range append(vectors.FastLocalReader(), vectors.Paired32Reader()...) {
		if v.BodyFill == 123 {
			add(v.Data())
		}
	}
	for _, v := range vectors.Paired32Keys()[:2] {
		add(v.Bytes)
	}
	splitBlocks := vectors.SplitBlocks()
	add(splitBlocks.Bits()[32*4 : 32*11])
	for _, n := range []int{0, 1, 4, 5, 6, 32, 63, 64, 68, 69} {
		add(bytes.Repeat([]byte{1}, n))
	}
	right := naive.Paired(vectors.Hashes(1, 900), 10_000, 8, 128, false)
	itself := bytes.Clone(right)
	itself[0] = 0 // block 0 is paired with itself
	add(right)
	add(itself)
	for _, data := range [][]byte{right, itself} { // of Speedb 2.1
		data = bytes.Clone(data)
		data[len(data)-2] = 0
		add(data)
	}
	for _, v := range vectors.RibbonRaw() {
		if v.Kind == "ribbon" && v.Bytes != nil {
			add(v.Bytes)
		}
	}
	for _, v := range vectors.LinearFilters() {
		if v.Bytes != nil {
			add(v.Bytes)
		}
	}
	addLinear(add)
	for _, k := range []uint32{0, 1, 2, 8, 31, 32, 1024, 1025, 1 << 31, 1<<32 - 1} {
		add(append(contract.BlobloomHeader(2, k), bytes.Repeat([]byte{0xf7}, 128)...))
	}
	add(append(contract.BlobloomHeader(1<<32, 8), make([]byte, 64)...))
	addNarrow(add)
	for _, v := range vectors.RibbonReader() {
		if v.BodyLen <= 160 {
			add(v.Data())
		}
	}
	add(append(bytes.Repeat([]byte{0x9b}, 1056), 0xfe, 77, 2, 0, 0))
	add(append(bytes.Repeat([]byte{0x9b}, 1056), 0xfe, 77, 0xff, 0xff, 0xff))
}

// addLinear adds layers of any numbers of lines.
func addLinear(add func(data []byte)) {
	for _, c := range []struct {
		lines  int
		bits   byte
		layers []uint32
	}{
		{0, 32, nil},
		{1, 7, []uint32{1}},
		{7, 9, []uint32{4, 2, 1}},
		{2, 27, []uint32{2}},
		{2, 21, []uint32{2, 0}},
		{2, 21, []uint32{3}},
		{1, 21, []uint32{math.MaxUint32, 2}},
		{17, 21, []uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
	} {
		data := bytes.Repeat([]byte{0x9b}, 65*c.lines)
		for _, n := range c.layers {
			data = binary.LittleEndian.AppendUint64(data, uint64(n)<<32)
		}
		add(append(data, 0, c.bits, byte(len(c.layers)), 0x80, 'L', 'L', 'F', '2'))
	}
}

// addNarrow adds filters of hashes of 32 bits.
func addNarrow(add func(data []byte)) {
	for _, v := range append(vectors.LegacyKeys(), vectors.LevelDBKeys()...) {
		if len(v.Bytes) < 100 {
			add(v.Bytes)
		}
	}
	for i, v := range vectors.LegacyReader() {
		if v.BodyLen <= 192 && i%10 == 0 {
			add(v.Data())
		}
	}
	for _, v := range vectors.LevelDBReader() {
		if v.BodyLen <= 9 {
			add(v.Data())
		}
	}
	add(append(make([]byte, 64), 6, 1, 0, 0, 4)) // 64 bytes in 2^26+1 lines
	add(make([]byte, 5))
}

// openable is a format, with the lookups in its bytes.
type openable struct {
	format         simdbloom.Format
	hash           keyhash.Hash
	mayContainHash func(data []byte, hash uint64) bool
	mayContain     func(data, key []byte) bool
	naive          func(data []byte) func(hash uint64) bool
}

var openables = func() (all []openable) {
	mayContain := map[simdbloom.Format]func(data, key []byte) bool{simdbloom.Legacy: legacy.MayContain, simdbloom.LevelDB: leveldb.MayContain}
	for _, f := range contract.Formats() {
		if !slices.ContainsFunc(all, func(o openable) bool { return o.format == f.Format }) { // Paired is there four times
			o := openable{f.Format, f.Hash, f.MayContainHash, mayContain[f.Format], f.Naive}
			if f.Format == simdbloom.Paired { // its MayContainHash is not told the key hash
				o.hash, o.naive = keyhash.XXPH3, contract.NaiveSpeedb
			}
			all = append(all, o)
		}
	}
	return append(all, openable{simdbloom.LevelDB, keyhash.LevelDB32Signed, leveldb.MayContainHash, nil, contract.LevelDB.Naive})
}()

// want returns the naive lookup in a filter's bytes.
func (o openable) want(f *simdbloom.Filter) func(hash uint64) bool {
	switch is := f.Format(); {
	case is == simdbloom.Empty:
		return func(uint64) bool { return false }
	case is == simdbloom.FastLocal && o.format == simdbloom.Paired:
		return contract.FastLocal.Naive(f.Bytes())
	case is == o.format, is == simdbloom.FastLocal && o.format == simdbloom.Ribbon:
		return o.naive(f.Bytes())
	}
	return func(uint64) bool { return true }
}

// FuzzOpen has any bytes as a filter of every format.
func FuzzOpen(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(data, queries) })
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		for _, o := range openables {
			o.check(t, data, queried)
		}
	})
}

// check opens data, in place and beside unreadable memory, and runs every query.
func (o openable) check(t *testing.T, data, queried []byte) {
	t.Helper()
	hashes := hashesIn(queried)
	f, err := simdbloom.Open(o.format, data, o.hash)
	if err != nil {
		if !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatal(err)
		}
		for _, hash := range hashes {
			if !o.mayContainHash(data, hash) {
				t.Fatalf("%v: corrupt bytes, and no", o.format)
			}
		}
		if o.mayContain != nil && !o.mayContain(data, queried) {
			t.Fatalf("%v: corrupt bytes, and no", o.format)
		}
		return
	}
	if f.Format() == simdbloom.Linear && len(data) > 0 {
		lines, layers := 0, geometry.Layers(f)
		for _, n := range layers {
			lines += n
		}
		if 65*lines+8*len(layers)+8 != len(data) {
			t.Fatalf("layers %d in %d bytes", layers, len(data))
		}
	}
	want := o.want(f)
	checkQueries(t, f, hashes, want)
	checkQueries(t, f.CopyAligned(), hashes, want)
	checkRate(t, f)
	checkKey(t, f, queried)
	checkUint64s(t, f, hashes)
	for _, hash := range hashes {
		if o.mayContainHash(data, hash) != want(hash) {
			t.Fatalf("%v: MayContainHash(%#x) differs", o.format, hash)
		}
	}
	if hash := o.hash.Sum64(queried); f.Contains(queried) != want(hash) || o.mayContain != nil && o.mayContain(data, queried) != want(hash) {
		t.Fatalf("%v, key %x: not %v", o.format, queried, want(hash))
	}
	if err := paired.Verify(f); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Fatal(err)
	}
	testmem.BesideGuards(t, data, func(data []byte) {
		beside, err := simdbloom.Open(o.format, data, o.hash)
		if err != nil {
			t.Fatal(err)
		}
		checkQueries(t, beside, hashes, want)
		checkRate(t, beside)
		for _, hash := range hashes {
			if o.mayContainHash(data, hash) != want(hash) {
				t.Fatalf("%v: MayContainHash(%#x) differs at another place", o.format, hash)
			}
		}
		if o.mayContain != nil && o.mayContain(data, queried) != f.Contains(queried) {
			t.Fatalf("%v, key %x: MayContain differs at another place", o.format, queried)
		}
		if (paired.Verify(beside) == nil) != (paired.Verify(f) == nil) {
			t.Fatal("Verify differs at another place")
		}
	})
}

// FuzzPolicy has any name of a policy, and any bytes as its filter.
func FuzzPolicy(f *testing.F) {
	for _, name := range []string{
		"simdbloom.FastLocal:10", "simdbloom.Paired:23.4", "simdbloom.Linear:20", "simdbloom.SplitBlock:20", "rocksdb.BloomFilter:9.5:false", "bloomfilter:.2",
		"rocksdb.internal.FastLocalBloomFilter:100", "speedb.PairedBloomFilter:16", "speedb_paired_bloom_filter:-3", "bloomfilter",
		"ribbonfilter:10", "rocksdb.RibbonFilter:23.4:-2", "rocksdb.internal.LegacyBloomFilter:10",
		"simdbloom.FastLocal:7.5", "simdbloom.Ribbon:12", "leveldb.BuiltinBloomFilter2:10",
	} {
		addBytes(f, func(data []byte) { f.Add(name, data, []byte("user:00000042")) })
		f.Add(name, bytes.Repeat([]byte{1}, 69), bytes.Repeat([]byte("a long key "), 9))
	}
	for _, name := range []string{"", "bloomfilter:\n", "bloomfilter:x", "ribbonfilter:10:x", "ribbonfilter:1.2.3:4", "simdbloom.Paired:0", "simdbloom.Linear:NaN"} {
		f.Add(name, []byte(nil), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, name string, data, key []byte) {
		p, err := policy.Parse(name)
		if err != nil {
			return
		}
		if again, err := policy.Parse(p.String()); err != nil || again.Name() != p.Name() || again.String() != name {
			t.Fatalf("%q reads back as %v, %v", name, again, err)
		}
		filter, err := p.Open(data)
		switch {
		case err != nil && !errors.Is(err, simdbloom.ErrCorrupt):
			t.Fatal(err)
		case err != nil && !p.MayContain(data, key):
			t.Fatal("corrupt bytes, and no")
		case err == nil:
			if p.MayContain(data, key) != filter.Contains(key) {
				t.Fatal("MayContain and Contains disagree")
			}
			if hash := p.Hash().Sum64(key); p.HashApplies(data) && filter.ContainsHash(hash) != filter.Contains(key) {
				t.Fatal("a key and its hash disagree") // otherwise it may contain every hash
			}
			checkKey(t, filter, key)
			checkQueries(t, filter, hashesIn(data), filter.ContainsHash)
			checkRate(t, filter)
		}

		b := p.NewBuilder(building.WithRoundDown)
		b.Add(key)
		built, err := b.Finish()
		if err != nil || !p.MayContain(built, key) {
			t.Fatalf("a key was added and is missing (%v)", err)
		}
	})
}
