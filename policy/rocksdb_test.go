package policy_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// TestRocksDBsFiltersAreReadByTheirBytes has filters of each format of RocksDB's tables in the
// hands of policies that build another one.
func TestRocksDBsFiltersAreReadByTheirBytes(t *testing.T) {
	keys := vectors.Keys("le64", 0, 1500)
	absent := vectors.Keys("user8", 0, 1500)
	builders := map[string]int{ // and what a lookup tests
		"rocksdb.internal.LegacyBloomFilter:10": 6, "rocksdb.BloomFilter:10": 6, "rocksdb.RibbonFilter:10": 7,
	}
	readers := append(
		slices.Collect(maps.Keys(builders)), "bloomfilter:10:false", "rocksdb.internal.FastLocalBloomFilter:10",
		"ribbonfilter:10:2", "rocksdb.internal.Standard128RibbonFilter:10",
	)
	for name, probes := range builders {
		built := parse(t, name)
		b := built.NewBuilder()
		b.AddKeys(keys)
		data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		for _, reader := range readers {
			p := parse(t, reader)
			same := p.Hash() == built.Hash()
			if p.HashApplies(data) != same {
				t.Errorf("%s reads %s: its hash applies: %v", reader, name, !same)
			}
			f, err := p.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			again := new(simdbloom.Filter)
			if stored, err := f.MarshalBinary(); err != nil || again.UnmarshalBinary(stored) != nil || f.CopyAligned().UnmarshalBinary(stored) != nil {
				t.Fatalf("%s reads %s: it cannot be stored and read again (%v)", reader, name, err)
			}
			if again.Name() != f.Name() || again.Hash() != f.Hash() || f.Name() != p.Name() {
				t.Errorf("%s reads %s: stored as %s, and read again it is %s", reader, name, f.Name(), again.Name())
			}
			for _, f := range []*simdbloom.Filter{f, f.CopyAligned(), again} {
				checkMixed(t, p, f, data, keys, absent)
				if f.NumProbes() != probes {
					t.Errorf("%s reads %s: %d probes", reader, name, f.NumProbes())
				}
				if !same {
					checkAnyHash(t, p, f)
				}
			}
		}
	}
}

// TestSpeedb21 reads a filter of Speedb 2.1, whose batches of 128 lines only the lines tell.
func TestSpeedb21(t *testing.T) {
	keys := vectors.Keys("le64", 0, 5000)
	data := build(t, parse(t, "simdbloom.Paired128.XXPH3:23.4").NewBuilder(), keys)
	data[len(data)-2] = 0
	recorded, err := policy.ForName("speedb_paired_bloom_filter")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*policy.Policy{parse(t, "speedb.PairedBloomFilter:23.4"), recorded, parse(t, recorded.String())} {
		checkAnswers(t, p, data, keys)
	}
}

// checkMixed looks up keys that were added, and others, in every way.
func checkMixed(t *testing.T, p *policy.Policy, f *simdbloom.Filter, data []byte, keys, absent [][]byte) {
	t.Helper()
	all := slices.Concat(keys, absent)
	hits := make([]bool, len(all))
	f.ContainsKeys(all, hits)
	values, valueHits := make([]uint64, len(keys)), make([]bool, len(keys))
	for i, key := range keys {
		values[i] = binary.LittleEndian.Uint64(key)
	}
	f.ContainsUint64s(values, valueHits)
	if !slices.Equal(valueHits, hits[:len(keys)]) || !f.ContainsUint64(values[7]) {
		t.Errorf("%s: queries for values disagree", p)
	}
	found := 0
	for i, key := range all {
		if f.Contains(key) != hits[i] || p.MayContain(data, key) != hits[i] || f.ContainsString(string(key)) != hits[i] {
			t.Fatalf("%s: queries for key %x disagree", p, key)
		}
		if hits[i] {
			found++
		} else if i < len(keys) {
			t.Fatalf("%s: key %x is missing", p, key)
		}
	}
	if rate := float64(found-len(keys)) / float64(len(absent)); rate > 0.03 {
		t.Errorf("%s: a false-positive rate of %v", p, rate)
	}
	if f.Hash() != p.Hash() || !bytes.Equal(f.Bytes(), data) || f.SizeBytes() != len(data) {
		t.Errorf("%s: hash %s, %d bytes", p, f.Hash().Name(), f.SizeBytes())
	}
	if rate := f.EstimatedFPR(); rate < 0.007 || rate > 0.02 {
		t.Errorf("%s: estimated rate %v", p, rate)
	}
}

// checkAnyHash looks up hashes that a filter cannot tell.
func checkAnyHash(t *testing.T, p *policy.Policy, f *simdbloom.Filter) {
	t.Helper()
	for _, n := range []int{0, 1, 63, 64, 65, 300} {
		hashes := vectors.Hashes(1, n)
		hits, bits := make([]bool, n+1), make([]uint64, (n+63)/64+1)
		f.ContainsHashes(hashes, hits)
		f.ContainsHashBits(hashes, bits)
		indexes := f.AppendHits(nil, hashes)
		for i, hash := range hashes {
			if !hits[i] || bits[i/64]>>(i%64)&1 == 0 || indexes[i] != i || !f.ContainsHash(hash) || !p.MayContainHash(f.Bytes(), hash) {
				t.Fatalf("%s: a hash of another kind is not contained", p)
			}
		}
		if hits[n] || bits[n/64]>>(n%64) != 0 || len(indexes) != n {
			t.Errorf("%s: answers behind the last of %d", p, n)
		}
	}
}

// TestColumnsOfForeignBytes: a column is looked up by the hash of the bytes, not by that of the policy that opened
// them.
func TestColumnsOfForeignBytes(t *testing.T) {
	values := vectors.Hashes(3, 1000)
	b := parse(t, "rocksdb.internal.LegacyBloomFilter:10").NewBuilder()
	b.AddUint64s(values[:500])
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parse(t, "rocksdb.BloomFilter:10").Open(data)
	if err != nil {
		t.Fatal(err)
	}
	var want []int32
	for i, value := range values {
		if f.ContainsUint64(value) {
			want = append(want, int32(i))
		}
	}
	if got := f.AppendColumnHits(nil, keyhash.Values(values)); len(want) < 500 || !slices.Equal(got, want) {
		t.Errorf("%d values are found in a column, %d one by one", len(got), len(want))
	}
}
