package policy_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
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
	} {
		if p, err := policy.ForName(name); p != nil || !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), strconv.Quote(name)) {
			t.Errorf("%q: %v, %v", name, p, err)
		}
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
			if f.Hash() == parse(t, name).Hash() {
				checkAnswers(t, p, data, keys)
			} else {
				checkMixed(t, p, f, data, keys, vectors.Keys("user8", 0, 1000))
			}
		}
	}
}
