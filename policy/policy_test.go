package policy_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// name is one that Parse knows, with what it stands for.
type name struct {
	name, recorded string
	hash           keyhash.Hash
	format         simdbloom.Format // of the filters that it builds
	batch          int              // of Paired, or 0 if the size decides
}

var names = []name{
	{"simdbloom.FastLocal:%v", "simdbloom.FastLocal.XX64", keyhash.XX64, simdbloom.FastLocal, 0},
	{"simdbloom.FastLocal.XX64:%v", "simdbloom.FastLocal.XX64", keyhash.XX64, simdbloom.FastLocal, 0},
	{"simdbloom.Paired:%v", "simdbloom.Paired128.XX64", keyhash.XX64, simdbloom.Paired, 0},
	{"simdbloom.Paired128.XX64:%v", "simdbloom.Paired128.XX64", keyhash.XX64, simdbloom.Paired, 128},
	{"simdbloom.Linear:%v", "simdbloom.Linear.XX64", keyhash.XX64, simdbloom.Linear, 0},
	{"simdbloom.Linear.XX64:%v", "simdbloom.Linear.XX64", keyhash.XX64, simdbloom.Linear, 0},
	{"simdbloom.Ribbon:%v", "simdbloom.Ribbon.XX64", keyhash.XX64, simdbloom.Ribbon, 0},
	{"simdbloom.Ribbon.XX64:%v", "simdbloom.Ribbon.XX64", keyhash.XX64, simdbloom.Ribbon, 0},
	{"simdbloom.SplitBlock:%v", "simdbloom.SplitBlock.XX64", keyhash.XX64, simdbloom.SplitBlock, 0},
	{"simdbloom.SplitBlock.XX64:%v", "simdbloom.SplitBlock.XX64", keyhash.XX64, simdbloom.SplitBlock, 0},
	{"rocksdb.BloomFilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, simdbloom.FastLocal, 0},
	{"rocksdb.BloomFilter:%v:false", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, simdbloom.FastLocal, 0},
	{"bloomfilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, simdbloom.FastLocal, 0},
	{"bloomfilter:%v:false", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, simdbloom.FastLocal, 0},
	{"rocksdb.internal.FastLocalBloomFilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, simdbloom.FastLocal, 0},
	{"simdbloom.FastLocal.XXPH3:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, simdbloom.FastLocal, 0},
	{"rocksdb.RibbonFilter:%v", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, simdbloom.Ribbon, 0},
	{"ribbonfilter:%v", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, simdbloom.Ribbon, 0},
	{"ribbonfilter:%v:2147483647", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, simdbloom.FastLocal, 0},
	{"rocksdb.internal.Standard128RibbonFilter:%v", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, simdbloom.Ribbon, 0},
	{"simdbloom.Ribbon.XXPH3:%v", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, simdbloom.Ribbon, 0},
	{"rocksdb.internal.LegacyBloomFilter:%v", "simdbloom.Legacy.RocksDB32", keyhash.RocksDB32, simdbloom.Legacy, 0},
	{"simdbloom.Legacy.RocksDB32:%v", "simdbloom.Legacy.RocksDB32", keyhash.RocksDB32, simdbloom.Legacy, 0},
	{"leveldb.BuiltinBloomFilter2:%v", "simdbloom.LevelDB.LevelDB32", keyhash.LevelDB32, simdbloom.LevelDB, 0},
	{"simdbloom.LevelDB.LevelDB32:%v", "simdbloom.LevelDB.LevelDB32", keyhash.LevelDB32, simdbloom.LevelDB, 0},
	{"speedb.PairedBloomFilter:%v", "simdbloom.Paired32.XXPH3", keyhash.XXPH3, simdbloom.Paired, 32},
	{"speedb_paired_bloom_filter:%v", "simdbloom.Paired32.XXPH3", keyhash.XXPH3, simdbloom.Paired, 32},
	{"simdbloom.Paired32.XXPH3:%v", "simdbloom.Paired32.XXPH3", keyhash.XXPH3, simdbloom.Paired, 32},
}

// leastBytes returns the size of the smallest filter.
func (n name) leastBytes() int {
	switch n.format {
	case simdbloom.Paired:
		if n.batch > 0 {
			return 64*n.batch + 4
		}
	case simdbloom.Linear:
		return 201
	case simdbloom.LevelDB:
		return 9
	case simdbloom.SplitBlock:
		return 32
	}
	return 69
}

// own returns the format's own builder, and the rate that its package predicts for a number of keys,
// within a number of bytes if that is not 0.
func (n name) own(t *testing.T, bitsPerKey float64, keys, most int, options ...simdbloom.Option) (b *simdbloom.Builder, rate float64) {
	t.Helper()
	if most > 0 {
		options = append(options, simdbloom.WithMaxBytes(most))
	}
	var err error
	switch n.format {
	case simdbloom.FastLocal:
		b, err = bloom.NewBuilder(bitsPerKey, n.hash, options...)
		rate = bloom.PredictedFPR(keys, bitsPerKey, options...)
	case simdbloom.Linear:
		b, err = linear.NewBuilder(bitsPerKey, n.hash, options...)
		rate = linear.PredictedFPR(keys, bitsPerKey, options...)
	case simdbloom.Ribbon:
		b, err = ribbon.NewBuilder(bitsPerKey, n.hash, options...)
		rate = ribbon.PredictedFPR(keys, bitsPerKey, options...)
	case simdbloom.Legacy:
		b, err = legacy.NewBuilder(bitsPerKey, n.hash, options...)
		rate = legacy.PredictedFPR(keys, bitsPerKey, options...)
	case simdbloom.SplitBlock:
		b, err = splitblock.NewBuilder(bitsPerKey, n.hash, options...)
		rate = splitblock.PredictedFPR(keys, bitsPerKey, options...)
	case simdbloom.LevelDB:
		b, err = leveldb.NewBuilder(bitsPerKey, n.hash, options...)
		rate = leveldb.PredictedFPR(keys, bitsPerKey, options...)
	default:
		if n.batch > 0 {
			options = append(options, paired.WithBatchBlocks(n.batch))
		}
		b, err = paired.NewBuilder(bitsPerKey, n.hash, options...)
		rate = paired.PredictedFPR(keys, bitsPerKey, options...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b, rate
}

func parse(t testing.TB, text string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// at is the policy of the name with bits per key.
func (n name) at(t *testing.T, bitsPerKey any) *policy.Policy {
	t.Helper()
	return parse(t, fmt.Sprintf(n.name, bitsPerKey))
}

func build(t *testing.T, b *simdbloom.Builder, keys [][]byte) []byte {
	t.Helper()
	b.AddKeys(keys)
	if b.Len() != len(keys) {
		t.Fatalf("Len %d of %d keys", b.Len(), len(keys))
	}
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil || len(data) > size || b.Len() != 0 {
		t.Fatalf("%d bytes, expected %d, %v", len(data), size, err)
	}
	return data
}

// TestEveryNameBuildsItsFormat: what the format's own package builds and predicts, also within a
// limit and rounded down.
func TestEveryNameBuildsItsFormat(t *testing.T) {
	bits := []float64{0.5, 10, 23.4, 250, 0.7, 1, 9.5, 100}
	keys := vectors.Keys("le64", 0, 5000)
	if testing.Short() {
		bits, keys = bits[:4], keys[:1500]
	}
	for i, n := range names {
		for j, bpk := range bits {
			p := n.at(t, bpk)
			if p.Name() != n.recorded || p.String() != fmt.Sprintf(n.name, bpk) || p.Hash() != n.hash {
				t.Errorf("%s: recorded as %q, hash %s", p, p.Name(), p.Hash().Name())
			}
			for m, c := range []struct {
				what    string
				most    int
				own     []simdbloom.Option // of the format's package
				options []simdbloom.Option
			}{
				{"", 0, nil, nil},
				{"rounding down", 0, []simdbloom.Option{building.WithRoundDown}, []simdbloom.Option{building.WithRoundDown}},
				{"smallest", n.leastBytes(), nil, []simdbloom.Option{simdbloom.WithMaxBytes(n.leastBytes()), simdbloom.WithVerification()}},
				{"limited", 10_005, nil, []simdbloom.Option{simdbloom.WithMaxBytes(10_005)}},
				{"not limited", math.MaxInt, nil, []simdbloom.Option{simdbloom.WithMaxBytes(math.MaxInt), nil}},
			} {
				if (i+j+m)%len(bits) != 0 && testing.Short() {
					continue // each two of the three together
				}
				if n.format != simdbloom.Paired {
					c.own = nil // it changes nothing
				}
				b, rate := n.own(t, bpk, len(keys), c.most, c.own...)
				if got := p.PredictedFPR(len(keys), c.options...); got != rate || !(got > 0 && got <= 1) {
					t.Errorf("%s, %s: predicted rate %v, its package says %v", p, c.what, got, rate)
				}
				data := build(t, p.NewBuilder(c.options...), keys)
				if !bytes.Equal(data, build(t, b, keys)) || c.most > 0 && len(data) > c.most {
					t.Errorf("%s, %s: other bytes than its package's builder", p, c.what)
				}
				checkAnswers(t, p, data, keys)
			}
		}
	}
}

// checkAnswers looks up keys that were added, and others.
func checkAnswers(t *testing.T, p *policy.Policy, data []byte, keys [][]byte) {
	t.Helper()
	f, err := p.Open(data)
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	for _, key := range keys {
		if !f.Contains(key) || !p.MayContain(data, key) {
			t.Fatalf("%s: key %x is missing", p, key)
		}
	}
	for _, key := range vectors.Keys("user8", 0, 500) {
		hash := p.Hash().Sum64(key)
		if f.Contains(key) != p.MayContain(data, key) || f.Contains(key) != f.ContainsHash(hash) ||
			f.Contains(key) != p.MayContainHash(data, hash) {
			t.Fatalf("%s: queries for key %q disagree", p, key)
		}
	}
}

func TestCopiesAreFiltersOfThePolicy(t *testing.T) {
	keys := vectors.Keys("user8", 0, 1000)
	for _, n := range names {
		p := n.at(t, 10)
		for _, data := range [][]byte{build(t, p.NewBuilder(), keys), nil, make([]byte, 6)} {
			f, err := p.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []*simdbloom.Filter{f, f.CopyAligned(), f.CopyAligned().CopyAligned()} {
				if !bytes.Equal(f.Bytes(), data) || f.Hash() != p.Hash() || f.SizeBytes() != len(data) {
					t.Errorf("%s: %d other bytes, or another key hash", p, f.SizeBytes())
				}
				if f.Contains(keys[0]) != (data != nil) {
					t.Errorf("%s, %d bytes: a key is missing, or an empty filter contains one", p, len(data))
				}
			}
		}
	}
}

func TestFilterOfARealTable(t *testing.T) {
	p := parse(t, "rocksdb.BloomFilter:10")
	data := vectors.User1000()
	keys := vectors.Keys("user8", 0, 1000)
	checkAnswers(t, p, data, keys)
	if !bytes.Equal(build(t, p.NewBuilder(), keys), data) {
		t.Error("the builder's bytes differ from RocksDB's")
	}
}

func TestNoKeys(t *testing.T) {
	for _, n := range names {
		for _, bpk := range []float64{0, 0.4, 0.5, 1, 10, 100} {
			p := n.at(t, bpk)
			data := build(t, p.NewBuilder(), nil)
			f, err := p.Open(data)
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			for _, key := range vectors.Keys("user8", 0, 100) {
				if want := bpk < 0.5; f.Contains(key) != want || p.MayContain(data, key) != want {
					t.Fatalf("%s: a filter without keys does not say %v", p, want)
				}
			}
		}
	}
}

func TestPoliciesOfOneNameReadEachOther(t *testing.T) {
	keys := vectors.Keys("user8", 0, 3000)
	for _, a := range names {
		for _, b := range names {
			data := build(t, a.at(t, 14).NewBuilder(), keys)
			reader := b.at(t, 20)
			if a.recorded == b.recorded {
				checkAnswers(t, reader, data, keys)
			}
			// FastLocal and Ribbon filters do not say what their key hash is. Policies that look up in both
			// take the hash for the one that these have in RocksDB, or for their own.
			both := reader.Format() == simdbloom.Ribbon || reader.Format() == simdbloom.Legacy || b.recorded == "simdbloom.FastLocal.XXPH3" ||
				b.recorded == "simdbloom.Paired128.XX64"
			otherHash := both && a.format != simdbloom.Legacy && (a.hash == keyhash.XX64) != (b.hash == keyhash.XX64)
			if (a.format == simdbloom.FastLocal) != (b.format == simdbloom.FastLocal) && !otherHash { // another format altogether
				for _, key := range keys {
					if !reader.MayContain(data, key) {
						t.Fatalf("%s read as %s: said no", a.name, b.name)
					}
				}
			}
		}
	}
}

func TestCorruptBytesMayContainEverything(t *testing.T) {
	for _, n := range names {
		p := n.at(t, 10)
		data := build(t, p.NewBuilder(), vectors.Keys("user8", 0, 1000))
		trailer := data[len(data)-5:]
		bytes := [][]byte{data[:1]} // LevelDB's filters may have any other size
		if n.format != simdbloom.LevelDB {
			bytes = append(bytes, data[:3], data[:4], trailer[1:], trailer)
			if n.format != simdbloom.Legacy { // whose lines may have any size
				bytes = append(bytes, append([]byte{1, 2}, trailer...))
			}
		}
		for _, bad := range bytes {
			if f, err := p.Open(bad); !errors.Is(err, simdbloom.ErrCorrupt) || f != nil {
				t.Errorf("%s: %d bytes: %v, %v", p, len(bad), f, err)
			}
			if !p.MayContain(bad, []byte("key")) {
				t.Errorf("%s: %d bytes: MayContain said no", p, len(bad))
			}
		}
	}
}

func TestMayContainAllocatesNothing(t *testing.T) {
	key := []byte("user:00000007")
	for _, n := range names {
		for _, bpk := range []float64{0, 10} {
			p := n.at(t, bpk)
			data := build(t, p.NewBuilder(), vectors.Keys("user8", 0, 1000))
			for what, data := range map[string][]byte{
				"built": data, "nothing": nil, "truncated": data[:3], "no block": data[:6], "zeros": make([]byte, 6),
			} {
				if allocs := testing.AllocsPerRun(100, func() { p.MayContain(data, key) }); allocs != 0 {
					t.Errorf("%s, %s: %v allocations", p, what, allocs)
				}
			}
		}
	}
}

func TestOnePolicyForManyGoroutines(t *testing.T) {
	p := parse(t, "simdbloom.Paired:16")
	keys := vectors.Keys("le64", 0, 500)
	var running sync.WaitGroup
	for range 16 {
		running.Add(1)
		go func() {
			defer running.Done()
			b := p.NewBuilder()
			for _, key := range keys {
				b.Add(key)
			}
			data, err := b.Finish()
			if err != nil {
				t.Error(err)
			}
			for _, key := range keys {
				if !p.MayContain(data, key) {
					t.Error("a key is missing")
				}
			}
		}()
	}
	running.Wait()
}
