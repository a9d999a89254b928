package policy_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// These stand for a batch's size where the filter has no batches.
const (
	inLines = -1 - iota
	inLegacy
	inLevelDB
	inRibbon
)

// names are all that Parse knows, with the bytes' format that each stands for.
var names = []struct {
	name, recorded string
	hash           keyhash.Hash
	batch          int // 0: FastLocal, or one of these
}{
	{"simdbloom.Bloom:%v", "simdbloom.FastLocal.XX64", keyhash.XX64, 0},
	{"simdbloom.Paired:%v", "simdbloom.Paired128.XX64", keyhash.XX64, 128},
	{"simdbloom.Linear:%v", "simdbloom.Linear.XX64", keyhash.XX64, inLines},
	{"rocksdb.BloomFilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"rocksdb.BloomFilter:%v:false", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"bloomfilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"bloomfilter:%v:false", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"rocksdb.internal.FastLocalBloomFilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"rocksdb.RibbonFilter:%v", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, inRibbon},
	{"ribbonfilter:%v", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, inRibbon},
	{"ribbonfilter:%v:2147483647", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, 0},
	{"rocksdb.internal.Standard128RibbonFilter:%v", "simdbloom.Ribbon.XXPH3", keyhash.XXPH3, inRibbon},
	{"rocksdb.internal.LegacyBloomFilter:%v", "simdbloom.Legacy.RocksDB32", hashOf("rocksdb.internal.LegacyBloomFilter:10"), inLegacy},
	{"leveldb.BuiltinBloomFilter2:%v", "simdbloom.LevelDB.LevelDB32", hashOf("leveldb.BuiltinBloomFilter2:10"), inLevelDB},
	{"speedb.PairedBloomFilter:%v", "simdbloom.Paired32.XXPH3", keyhash.XXPH3, 32},
	{"speedb_paired_bloom_filter:%v", "simdbloom.Paired32.XXPH3", keyhash.XXPH3, 32},
}

func hashOf(text string) keyhash.Hash {
	p, err := policy.Parse(text)
	if err != nil {
		panic(err)
	}
	return p.Hash()
}

func parse(t *testing.T, text string) policy.Policy {
	t.Helper()
	p, err := policy.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// keyBuilder is the part of a builder that takes no hashes.
type keyBuilder interface {
	Add(key []byte)
	Len() int
	SizeBytes() int
	Finish() ([]byte, error)
}

func build(t *testing.T, b keyBuilder, keys [][]byte) []byte {
	t.Helper()
	for _, key := range keys {
		b.Add(key)
	}
	if b.Len() != len(keys) {
		t.Fatalf("Len %d of %d keys", b.Len(), len(keys))
	}
	size := b.SizeBytes()
	data, err := b.Finish()
	_, isLinear := b.(*linear.Builder)
	if err != nil || len(data) > size || len(data) != size && !isLinear || b.Len() != 0 {
		t.Fatalf("%d bytes, expected %d, %v", len(data), size, err)
	}
	return data
}

func TestEveryNameBuildsItsFormat(t *testing.T) {
	all := []float64{0.5, 10, 23.4, 250, 0.7, 1, 9.5, 100}
	if testing.Short() {
		all = all[:4]
	}
	for _, n := range names {
		for _, bpk := range all {
			p := parse(t, fmt.Sprintf(n.name, bpk))
			if p.Name() != n.recorded || p.String() != fmt.Sprintf(n.name, bpk) || p.Hash() != n.hash {
				t.Errorf("%s: recorded as %q, hash %s", p, p.Name(), p.Hash().Name())
			}
			for _, roundDown := range []bool{false, true} {
				var options []policy.BuilderOption
				var want keyBuilder
				rate := bloom.PredictedFPR(5000, bpk)
				var err error
				if roundDown {
					options = append(options, policy.WithRoundDown())
				}
				switch {
				case n.batch == 0:
					want, err = bloom.NewBuilder(bpk, n.hash)
				case n.batch == inLines:
					want, err = linear.NewBuilder(bpk, n.hash)
					rate = linear.PredictedFPR(5000, bpk)
				case n.batch == inLegacy:
					want, err = legacy.NewBuilder(bpk)
					rate = legacy.PredictedFPR(5000, bpk)
				case n.batch == inLevelDB:
					want, err = leveldb.NewBuilder(bpk)
					rate = leveldb.PredictedFPR(5000, bpk)
				case n.batch == inRibbon:
					want, err = ribbon.NewBuilder(bpk, n.hash)
					rate = ribbon.PredictedFPR(5000, bpk)
				case roundDown:
					want, err = paired.NewBuilder(bpk, n.hash, paired.WithBatchBlocks(n.batch), paired.WithRoundDown())
					rate = paired.PredictedFPR(5000, bpk, paired.WithBatchBlocks(n.batch), paired.WithRoundDown())
				default:
					want, err = paired.NewBuilder(bpk, n.hash, paired.WithBatchBlocks(n.batch))
					rate = paired.PredictedFPR(5000, bpk, paired.WithBatchBlocks(n.batch))
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := p.PredictedFPR(5000, options...); got != rate || !(got > 0 && got < 1) {
					t.Errorf("%s, rounding down %v: predicted rate %v, its package says %v", p, roundDown, got, rate)
				}
				keys := vectors.Keys("le64", 0, 5000)
				data := build(t, p.NewBuilder(options...), keys)
				if !bytes.Equal(data, build(t, want, keys)) {
					t.Errorf("%s, rounding down %v: other bytes than its package's builder", p, roundDown)
				}
				checkAnswers(t, p, data, keys)
			}
		}
	}
}

// checkAnswers looks up keys that were added, and others.
func checkAnswers(t *testing.T, p policy.Policy, data []byte, keys [][]byte) {
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
		p := parse(t, fmt.Sprintf(n.name, 10))
		for _, data := range [][]byte{build(t, p.NewBuilder(), keys), nil, make([]byte, 6)} {
			f, err := p.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []policy.Filter{f, f.CopyAligned(), f.CopyAligned().CopyAligned()} {
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
			p := parse(t, fmt.Sprintf(n.name, bpk))
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
			data := build(t, parse(t, fmt.Sprintf(a.name, 14)).NewBuilder(), keys)
			reader := parse(t, fmt.Sprintf(b.name, 20))
			if a.recorded == b.recorded {
				checkAnswers(t, reader, data, keys)
			}
			// A FastLocal filter does not say what its key hash is: read as one of another of
			// RocksDB's policies, it has RocksDB's.
			otherHash := a.batch == 0 && (b.batch == inLegacy || b.batch == inRibbon) && a.hash != keyhash.XXPH3
			if (a.batch == 0) != (b.batch == 0) && !otherHash { // another format altogether
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
		p := parse(t, fmt.Sprintf(n.name, 10))
		data := build(t, p.NewBuilder(), vectors.Keys("user8", 0, 1000))
		trailer := data[len(data)-5:]
		bytes := [][]byte{data[:1]} // LevelDB's filters may have any other size
		if n.batch != inLevelDB {
			bytes = append(bytes, data[:3], data[:4], trailer[1:], trailer)
			if n.batch != inLegacy { // whose lines may have any size
				bytes = append(bytes, append([]byte{1, 2}, trailer...))
			}
		}
		for _, bad := range bytes {
			if f, err := p.Open(bad); !errors.Is(err, bloom.ErrCorrupt) || !errors.Is(err, paired.ErrCorrupt) || f != nil {
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
			p := parse(t, fmt.Sprintf(n.name, bpk))
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
