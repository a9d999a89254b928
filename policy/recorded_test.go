package policy_test

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// TestRecordedNames are read by ForName.
func TestRecordedNames(t *testing.T) {
	for _, n := range names {
		keys := vectors.Keys("le64", 0, 1000)
		data := build(t, n.at(t, 23.4).NewBuilder(), keys)
		p, err := policy.ForName(n.recorded)
		if err != nil || p.Name() != n.recorded || p.Hash() != n.hash {
			t.Fatal(n.recorded, p, err)
		}
		checkAnswers(t, p, data, keys)
	}
	for _, name := range []string{
		"", "bloomfilter:10", "simdbloom.FastLocal", "simdbloom.FastLocal.XX64:10", "simdbloom.Paired64.XX64",
		"rocksdb.BuiltinBloomFilter2", "rocksdb.BuiltinBloomFilte", "leveldb.BuiltinBloomFilter", "Bloomfilter",
		"simdbloom.Linear.RocksDB32", "simdbloom.Linear.mine", "simdbloom.Bloom.XX64", "simdbloom.Paired.XX64", "simdbloom.LevelDB.",
	} {
		if p, err := policy.ForName(name); p != nil || !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), strconv.Quote(name)) {
			t.Errorf("%q: %v, %v", name, p, err)
		}
		if p, err := policy.Parse(name + ":10"); err == nil && name != "simdbloom.FastLocal" {
			t.Errorf("%q: read as %v", name+":10", p)
		}
	}
}

// TestEveryFormatWithEveryHash: what a Builder makes and MarshalBinary records is read by ForName, and built by Parse.
func TestEveryFormatWithEveryHash(t *testing.T) {
	hashes := []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32, keyhash.LevelDB32}
	keys, absent := vectors.Keys("user8", 0, 2000), vectors.Keys("le64", 0, 2000)
	pairs := make(map[string]bool)
	for format := simdbloom.FastLocal; format < 255; format++ {
		for _, hash := range hashes {
			for _, options := range [][]simdbloom.Option{nil, {paired.WithBatchBlocks(128)}, {paired.WithBatchBlocks(32)}} {
				b, err := simdbloom.NewBuilder(format, 12, hash, options...)
				if err != nil {
					continue // no such format, hash or option
				}
				data := build(t, b, keys)
				f, err := simdbloom.Open(format, data, hash)
				if err != nil {
					t.Fatal(err)
				}
				if f.Format() != format {
					continue // few keys
				}
				pairs[f.Name()] = true
				checkPair(t, f, keys, absent)
			}
		}
	}
	want := 0
	for _, format := range formats.All() {
		hashes := 2
		if formats.Of(format).Narrow {
			hashes = 4 // also the halves of the two
		}
		want += hashes * len(formats.Of(format).Recorded)
	}
	if len(pairs) != want {
		t.Errorf("%d names, want %d: %v", len(pairs), want, pairs)
	}
}

// checkPair has a filter of 12 bits per key read by the policy of its name, and built again by it.
func checkPair(t *testing.T, f *simdbloom.Filter, keys, absent [][]byte) {
	t.Helper()
	data, name := f.Bytes(), f.Name()
	p, err := policy.ForName(name)
	if err != nil || p.Name() != name || p.Hash() != f.Hash() || p.Format() != f.Format() || !p.HashApplies(data) {
		t.Fatalf("%s: %v, %v", name, p, err)
	}
	checkAnswers(t, p, data, keys)
	excluded := 0
	for i, key := range slices.Concat(keys, absent) {
		want, hash := f.Contains(key), p.Hash().Sum64(key)
		if p.MayContain(data, key) != want || p.MayContainHash(data, hash) != want || i < len(keys) && !want {
			t.Fatalf("%s: another answer than the filter's for the key %x", name, key)
		}
		for _, wrong := range [][]byte{data[:len(data)-1], make([]byte, 6), {}, append(make([]byte, 8192), data[len(data)-4:]...)} { // all answers are OpenNamed's
			want := true
			if opened, err := simdbloom.OpenNamed(name, wrong, p.Hash()); err == nil {
				want = opened.Contains(key)
			}
			if p.MayContain(wrong, key) != want || p.MayContainHash(wrong, hash) != want {
				t.Fatalf("%s, %d wrong bytes: another answer than OpenNamed's", name, len(wrong))
			}
		}
		if !want {
			excluded++
		}
	}
	if excluded < len(absent)*9/10 {
		t.Errorf("%s: only %d of %d keys are excluded", name, excluded, len(absent))
	}
	for _, q := range []*policy.Policy{parse(t, name+":12"), parse(t, "id="+name+":12")} {
		if q.Name() != name || !bytes.Equal(build(t, q.NewBuilder(), keys), data) {
			t.Errorf("%s: Parse's policy builds other bytes", name)
		}
		if rate := q.PredictedFPR(len(keys)); !(rate > 0 && rate < 0.1) || q.KeysFor(1<<16) < 10_000 {
			t.Errorf("%s: rate %v, %d keys in 64 KiB", name, rate, q.KeysFor(1<<16))
		}
	}
	if none := parse(t, name+":0"); !bytes.Equal(build(t, none.NewBuilder(), keys), make([]byte, 6)) {
		t.Errorf("%s without bits: a filter", name)
	}
}

// TestNamesThatDatabasesRecord: RocksDB's names are of all its formats, whichever of them a policy of that name
// would build.
func TestNamesThatDatabasesRecord(t *testing.T) {
	ofRocksDB := []string{"rocksdb.BloomFilter:10", "ribbonfilter:10", "rocksdb.internal.LegacyBloomFilter:10"}
	for recorded, builders := range map[string][]string{
		"rocksdb.BuiltinBloomFilter":                       ofRocksDB,
		"bloomfilter":                                      ofRocksDB,
		"ribbonfilter":                                     ofRocksDB,
		"rocksdb.internal.LegacyBloomFilter":               ofRocksDB,
		"rocksdb.internal.FastLocalBloomFilter":            ofRocksDB,
		"rocksdb.internal.Standard128RibbonFilter":         ofRocksDB,
		"rocksdb.internal.DeprecatedBlockBasedBloomFilter": ofRocksDB,
		"rocksdb.BuiltinBloomFilter.FullBloom":             ofRocksDB,
		"rocksdb.BuiltinBloomFilter.Ribbon":                ofRocksDB,
		"rocksdb.BuiltinBloomFilter.BlockBloom":            ofRocksDB,
		"rocksdb.BuiltinBloomFilter.Another":               ofRocksDB,
		"speedb_paired_bloom_filter":                       {"speedb.PairedBloomFilter:23.4"},
		"leveldb.BuiltinBloomFilter2":                      {"leveldb.BuiltinBloomFilter2:10"},
	} {
		p, err := policy.ForName(recorded)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range builders {
			keys := vectors.Keys("le64", 0, 1000)
			data := build(t, parse(t, name).NewBuilder(), keys)
			f, err := p.Open(data)
			if err != nil || f.NumProbes() == 0 {
				t.Fatalf("%s: a filter of %s excludes nothing (%v)", recorded, name, err)
			}
			_, err = policy.Parse(recorded + ":10")
			if ofOneFormat := len(builders) == 1 || known(recorded+":%v"); (err == nil) != ofOneFormat {
				t.Errorf("Parse of %s: %v", recorded, err)
			}
			if f.Hash() == parse(t, name).Hash() {
				checkAnswers(t, p, data, keys)
			} else {
				checkMixed(t, p, f, data, keys, vectors.Keys("user8", 0, 1000))
			}
		}
	}
}

// known reports whether a name is in the table of those that Parse knows.
func known(text string) bool {
	return slices.ContainsFunc(names, func(n name) bool { return n.name == text })
}
