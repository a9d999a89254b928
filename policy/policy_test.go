package policy_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// names are all that Parse knows, with the bytes' format that each stands for.
var names = []struct {
	name, recorded string
	hash           keyhash.Hash
	batch          int // 0: FastLocal
}{
	{"simdbloom.Bloom:%v", "simdbloom.FastLocal.XX64", keyhash.XX64, 0},
	{"simdbloom.Paired:%v", "simdbloom.Paired128.XX64", keyhash.XX64, 128},
	{"rocksdb.BloomFilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"rocksdb.BloomFilter:%v:false", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"bloomfilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"bloomfilter:%v:false", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"rocksdb.internal.FastLocalBloomFilter:%v", "simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0},
	{"speedb.PairedBloomFilter:%v", "simdbloom.Paired32.XXPH3", keyhash.XXPH3, 32},
	{"speedb_paired_bloom_filter:%v", "simdbloom.Paired32.XXPH3", keyhash.XXPH3, 32},
}

func parse(t *testing.T, text string) policy.Policy {
	t.Helper()
	p, err := policy.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func build(t *testing.T, b policy.Builder, keys [][]byte) []byte {
	t.Helper()
	for _, key := range keys {
		b.Add(key)
	}
	if b.Len() != len(keys) {
		t.Fatalf("Len %d of %d keys", b.Len(), len(keys))
	}
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil || len(data) != size || b.Len() != 0 {
		t.Fatalf("%d bytes, expected %d, %v", len(data), size, err)
	}
	return data
}

func TestEveryNameBuildsItsFormat(t *testing.T) {
	for _, n := range names {
		for _, bpk := range []float64{0.5, 0.7, 1, 9.5, 10, 23.4, 100, 250} {
			p := parse(t, fmt.Sprintf(n.name, bpk))
			if p.Name() != n.recorded || p.String() != fmt.Sprintf(n.name, bpk) || p.Hash() != n.hash {
				t.Errorf("%s: recorded as %q, hash %s", p, p.Name(), p.Hash().Name())
			}
			for _, roundDown := range []bool{false, true} {
				var options []policy.BuilderOption
				var want policy.Builder
				rate := bloom.PredictedFPR(5000, bpk)
				var err error
				if roundDown {
					options = append(options, policy.WithRoundDown())
				}
				switch {
				case n.batch == 0:
					want, err = bloom.NewBuilder(bpk, n.hash)
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

// checkAnswers asks for keys that are there and for others.
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

func TestBelowHalfABitPerKeyEverythingMayBeThere(t *testing.T) {
	for _, n := range names {
		for _, bpk := range []string{"0", "0.0", "0.499999", ".4", "-1", "-0", "-12.5"} {
			p := parse(t, fmt.Sprintf(n.name, bpk))
			b := p.NewBuilder(policy.WithRoundDown())
			b.AddHash(1)
			b.AddHashes([]uint64{2, 3})
			b.AddString("4")
			b.AddKeys(vectors.Keys("user8", 5, 8))
			if b.Len() != 7 {
				t.Errorf("%s: Len %d", p, b.Len())
			}
			b.Reset()
			keys := vectors.Keys("user8", 0, 100)
			data := build(t, b, keys)
			if !bytes.Equal(data, make([]byte, 6)) {
				t.Errorf("%s: bytes % x", p, data)
			}
			checkAnswers(t, p, data, keys)
			if !p.MayContain(data, []byte("anything")) || p.PredictedFPR(100, policy.WithRoundDown()) != 1 {
				t.Errorf("%s: said no, or promises to", p)
			}
			// Filters from a time with more bits per key are still read.
			real := build(t, parse(t, fmt.Sprintf(n.name, 10)).NewBuilder(), keys)
			checkAnswers(t, p, real, keys)
			if longer, err := b.AppendFinish([]byte("x")); err != nil || string(longer) != "x\x00\x00\x00\x00\x00\x00" {
				t.Errorf("%s: AppendFinish gave %q, %v", p, longer, err)
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
			if (a.batch == 0) != (b.batch == 0) { // another format altogether
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
		for _, bad := range [][]byte{data[:1], data[:3], data[:4], trailer[1:], trailer, append([]byte{1, 2}, trailer...)} {
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

func TestNamesThatAreNone(t *testing.T) {
	for _, text := range []string{
		"", ":", ":10", "10", "bloom:10", "Bloomfilter:10", " bloomfilter:10", "bloomfilter 10", "rocksdb.RibbonFilter:10",
		"bloomfilter", "bloomfilter:", "rocksdb.BloomFilter", "rocksdb.BloomFilter:", "simdbloom.Paired",
		"bloomfilter:ten", "bloomfilter:10x", "bloomfilter:1e1", "bloomfilter:+10", "bloomfilter:0x10", "bloomfilter:.",
		"bloomfilter:-", "bloomfilter:1.2.3", "bloomfilter:NaN", "bloomfilter:inf", "bloomfilter:Infinity", "bloomfilter: 10",
		"bloomfilter:10 ", "bloomfilter:1_0", "bloomfilter:١", "bloomfilter:--1",
		"bloomfilter:10:", "bloomfilter:10:true", "bloomfilter::false", "bloomfilter:false", "bloomfilter:10:false:false",
		"simdbloom.Bloom:10:false", "speedb.PairedBloomFilter:10:false", "rocksdb.internal.FastLocalBloomFilter:10:false",
	} {
		p, err := policy.Parse(text)
		if err == nil || p != nil {
			t.Errorf("%q was read as %v", text, p)
			continue
		}
		if !strings.Contains(err.Error(), "Could not load FilterPolicy") {
			t.Errorf("%q: %v", text, err)
		}
		for _, n := range names {
			if name, _, _ := strings.Cut(n.name, ":"); !strings.Contains(err.Error(), name) {
				t.Errorf("%q: the error does not list %s: %v", text, name, err)
			}
		}
	}
}

func TestUnusualNumbers(t *testing.T) {
	keys := vectors.Keys("le64", 0, 2000)
	for text, same := range map[string]string{
		"10.":                            "10",
		"010":                            "10",
		".75":                            "1",
		"99.9999":                        "100",
		"100.5":                          "100",
		"1" + strings.Repeat("0", 400):   "100",
		"0." + strings.Repeat("0", 400):  "0",
		"10." + strings.Repeat("0", 400): "10",
	} {
		for _, n := range names {
			got := build(t, parse(t, fmt.Sprintf(n.name, text)).NewBuilder(), keys)
			want := build(t, parse(t, fmt.Sprintf(n.name, same)).NewBuilder(), keys)
			if !bytes.Equal(got, want) {
				t.Errorf(n.name+": not as %s", text, same)
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

func TestPoliciesByNumber(t *testing.T) {
	for _, bpk := range []float64{-1, 0, 0.5, 10, 23.4, 1.0 / 3, 1e-300, 1e300} {
		for name, p := range map[string]policy.Policy{"simdbloom.Bloom": policy.FastLocal(bpk), "simdbloom.Paired": policy.Paired(bpk)} {
			again := parse(t, p.String())
			if got, want := p.PredictedFPR(5000), again.PredictedFPR(5000); got != want || p.Name() != again.Name() || !strings.HasPrefix(p.String(), name+":") {
				t.Errorf("%v bits per key: %s, rate %v; parsed again %v", bpk, p, got, want)
			}
		}
	}
	for _, bpk := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, of := range []func(float64) policy.Policy{policy.FastLocal, policy.Paired} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("no panic at %v bits per key", bpk)
					}
				}()
				of(bpk)
			}()
		}
	}
}

func TestReadersAreOfEveryName(t *testing.T) {
	readers := make(map[string]policy.Policy)
	for _, p := range policy.Readers() {
		if readers[p.Name()] != nil {
			t.Errorf("%s twice", p.Name())
		}
		readers[p.Name()] = p
	}
	read := make(map[string]bool)
	for _, n := range names {
		p := readers[n.recorded]
		if p == nil {
			t.Fatalf("none of %s", n.recorded)
		}
		keys := vectors.Keys("le64", 0, 1000)
		checkAnswers(t, p, build(t, parse(t, fmt.Sprintf(n.name, 23.4)).NewBuilder(), keys), keys)
		read[n.recorded] = true
	}
	if len(readers) != len(read) {
		t.Errorf("%d readers of %d names", len(readers), len(read))
	}
}

// refusing is a builder that has no filter to give.
type refusing struct{ policy.Builder }

func (refusing) AppendFinish(dst []byte) ([]byte, error) {
	return dst, errors.New("more keys than the format holds")
}

func TestAppendFilterHasAlwaysBytes(t *testing.T) {
	keys := vectors.Keys("user8", 0, 1000)
	for _, n := range names {
		p := parse(t, fmt.Sprintf(n.name, 10))
		want := build(t, p.NewBuilder(), keys)
		b := p.NewBuilder()
		for _, refused := range []bool{false, true, false} {
			for _, key := range keys {
				b.Add(key)
			}
			var data []byte
			if refused {
				data = policy.AppendFilter([]byte("before"), refusing{b})
			} else {
				data = policy.AppendFilter([]byte("before"), b)
			}
			data, ok := bytes.CutPrefix(data, []byte("before"))
			if !ok || b.Len() != 0 || refused && !bytes.Equal(data, make([]byte, 6)) || !refused && !bytes.Equal(data, want) {
				t.Errorf("%s, refused %v: %d bytes, %d keys left", p, refused, len(data), b.Len())
			}
			checkAnswers(t, p, data, keys)
		}
	}
}
