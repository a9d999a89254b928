//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
)

// policyTexts are texts that RocksDB's FilterPolicy::CreateFromString reads, and some that it nearly reads.
var policyTexts = []string{
	"", "nullptr", "nullptr ", " ", "rocksdb.BuiltinBloomFilter", "rocksdb.BuiltinBloomFilter:10", "bloomfilter", "ribbonfilter:",
	"bloomfilter:10", "rocksdb.BloomFilter:10", "bloomfilter:10:true", "bloomfilter:10:false", "bloomfilter:10:True", "bloomfilter:10:1",
	"bloomfilter:10:true:true", "bloomfilter:10:true:false", "bloomfilter::true", "bloomfilter:10:", "bloomfilter: 10", " bloomfilter:10",
	"bloomfilter:10 ", "bloomfilter:10.5", "bloomfilter:.5", "bloomfilter:5.", "bloomfilter:.", "bloomfilter:-", "bloomfilter:-1", "bloomfilter:-.5",
	"bloomfilter:+10", "bloomfilter:1e1", "bloomfilter:0x10", "bloomfilter:0", "bloomfilter:0.4", "bloomfilter:0.49999", "bloomfilter:0.5",
	"bloomfilter:010", "bloomfilter:100", "bloomfilter:100.5", "bloomfilter:123456789", "bloomfilter:9.9999999", "bloomfilter:3.3333333333",
	"bloomfilter:inf", "bloomfilter:nan", "bloomfilter:1.2.3", "bloomfilter:10k", "Bloomfilter:10", "bloomfilter:10\x00", "bloomfilter:10\n",
	"ribbonfilter:10", "ribbonfilter:10:2", "ribbonfilter:10:-1", "ribbonfilter:10:-", "ribbonfilter:10:2.5", "ribbonfilter:10:+2", "ribbonfilter:10:02",
	"ribbonfilter:10:2147483646", "ribbonfilter:10:-2147483648", "rocksdb.RibbonFilter:7.5:3", "ribbonfilter:10:true", "ribbonfilter:10:2:3",
	"rocksdb.internal.LegacyBloomFilter:10", "rocksdb.internal.FastLocalBloomFilter:10", "rocksdb.internal.Standard128RibbonFilter:10",
	"rocksdb.internal.FastLocalBloomFilter:10:false", "rocksdb.internal.Standard128RibbonFilter:10:2", "rocksdb.internal.LegacyBloomFilter:7.5",
	"{bloomfilter:10}", "id=bloomfilter:10", "{id=bloomfilter:10}", "{{id=bloomfilter:10}}", "{ { id = bloomfilter:10 ; } ; }", "{ {id=bloomfilter:10} }",
	"id={bloomfilter:10}", "id={{bloomfilter:10}}", "{id={ribbonfilter:10:2}}", "id = {ribbonfilter:10} ;", "id= { bloomfilter:10 } ", "id=bloomfilter: 10",
	"id=bloomfilter:10;", "id=bloomfilter:10;;", ";id=bloomfilter:10", "id=bloomfilter:10; ", "id=bloomfilter:10;x=1", "x=1;id=bloomfilter:10",
	"id=bloomfilter:7;id=bloomfilter:10", "id=x;id={bloomfilter:10}", "id=", "id=;", "id={}", "id", "=", "{}", "{=}", "id=nullptr", "{id=nullptr}",
	"id=rocksdb.BuiltinBloomFilter", "{id=rocksdb.BuiltinBloomFilter}", "id=bloomfilter:10}", "{id=bloomfilter:10", "id={bloomfilter:10", "id={bloomfilter:10}}",
	"id={bloomfilter:10}x", "id={bloomfilter:10} ;x", "id=bloomfilter:10=", "ID=bloomfilter:10", "filter_policy=bloomfilter:10", "id=\tbloomfilter:10\n",
	"id\v=\fbloomfilter:10\r", "id=\\bloomfilter:10", "id=bloomfilter\\:10", "id=bloomfilter:10:true", "id=ribbonfilter:10:true",
	"id=bloomfilter:10;{x=1}", "id={bloomfilter:10};", "id=bloomfilter:10;id=", "id=bloomfilter:10;id=nullptr", "i d=bloomfilter:10", "id\x00=bloomfilter:10",
}

// pieces are what generated texts are made of.
var pieces = []string{
	"id", "=", "{", "}", ";", " ", "\t", "bloomfilter", "ribbonfilter", "rocksdb.BloomFilter", "rocksdb.RibbonFilter", ":", "10", "10.5", "-1", ".5", "2",
	"true", "false", "nullptr", "rocksdb.internal.LegacyBloomFilter", "rocksdb.internal.Standard128RibbonFilter", "rocksdb.BuiltinBloomFilter", ":false", ":true",
}

// generated returns a text that RocksDB reads, or one of policyTexts, or either with a change or two.
func generated(random *rand.Rand) string {
	text := policyTexts[random.IntN(len(policyTexts))]
	if random.IntN(2) == 0 {
		text = valid(random)
	}
	for range max(0, random.IntN(5)-2) {
		at := random.IntN(len(text) + 1)
		to := at + min(random.IntN(3), len(text)-at)
		text = text[:at] + pieces[random.IntN(len(pieces))] + text[to:]
	}
	return text
}

// valid returns a text that RocksDB reads: an id, plain or in an object.
func valid(random *rand.Rand) string {
	some := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	space := func() string { return some("", "", " ", "\t", "\n ", "\v\f\r") }
	bits := some("", "0", "-") + fmt.Sprintf("%.*f", random.IntN(6), 40*random.Float64())
	var id string
	switch random.IntN(3) {
	case 0:
		id = some("bloomfilter:", "rocksdb.BloomFilter:") + bits + some("", ":true", ":false")
	case 1:
		id = some("ribbonfilter:", "rocksdb.RibbonFilter:") + bits + some("", ":-1", ":00", fmt.Sprint(":", random.IntN(9)), ":-2147483648")
	default:
		id = "rocksdb.internal." + some("LegacyBloomFilter:", "FastLocalBloomFilter:", "Standard128RibbonFilter:") + bits
	}
	if random.IntN(4) == 0 {
		return id
	}
	if random.IntN(2) == 0 {
		id = "{" + space() + id + space() + "}"
	}
	text := some("", "", "id=bloomfilter:1;", "id={};") + space() + "id" + space() + "=" + space() + id + space() + some("", ";", ";"+space())
	for range random.IntN(3) {
		text = space() + "{" + space() + text + space() + "}" + space()
	}
	return text
}

// TestPolicyTexts: policy.Parse reads what RocksDB reads, and builds the same filters. Of two kinds of text RocksDB 7.8
// does not tell: bloom_before_level, which 8.7 was the first to have, and numbers that are out of range, which end the
// program.
func TestPolicyTexts(t *testing.T) {
	keys := sortedKeys("short", 52, 3000)
	random := rand.New(rand.NewPCG(52, 78))
	texts := policyTexts
	for range 3000 {
		texts = append(texts, generated(random))
	}
	file := filepath.Join(t.TempDir(), "table.sst")
	read := 0
	for _, text := range texts {
		refused := rocksdb.WriteByPolicy(file, text, "", "format_version=5", keys)
		p, err := policy.Parse(text)
		if refused != nil && strings.HasPrefix(refused.Error(), "sto") { // std::stod, std::stoi
			continue
		}
		if (refused == nil) != (err == nil) {
			t.Errorf("%q: RocksDB says %v, and Parse %v", text, refused, err)
			continue
		}
		if err != nil {
			continue
		}
		read++
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		filters := filtersOf(t, opened(t, data))
		if p.BitsPerKey() < 0.5 {
			if len(filters) != 0 {
				t.Errorf("%q: RocksDB has a filter", text)
			}
			continue
		}
		if len(filters) != 1 || !bytes.Equal(filters[0].Data, built(t, p, keys)) {
			t.Errorf("%q: RocksDB has other filters", text)
		}
	}
	t.Logf("%d texts, of which RocksDB reads %d", len(texts), read)
	if read < 200 {
		t.Errorf("RocksDB reads only %d of %d", read, len(texts))
	}
}

// TestRecordedNames has tables whose filters are recorded under the names that RocksDB 7.0.0 to 7.0.2 and TiKV gave
// them.
func TestRecordedNames(t *testing.T) {
	keys, absent := sortedKeys("short", 53, 3000), sortedKeys("long", 54, 3000)
	file := filepath.Join(t.TempDir(), "table.sst")
	for _, recorded := range []string{
		"", "bloomfilter", "ribbonfilter", "rocksdb.internal.LegacyBloomFilter", "rocksdb.internal.FastLocalBloomFilter",
		"rocksdb.internal.Standard128RibbonFilter", "rocksdb.internal.DeprecatedBlockBasedBloomFilter", "rocksdb.BuiltinBloomFilter.FullBloom",
		"rocksdb.BuiltinBloomFilter.Ribbon", "rocksdb.BuiltinBloomFilter.BlockBloom", "another",
	} {
		for _, text := range []string{"bloomfilter:10", "ribbonfilter:10", "rocksdb.internal.LegacyBloomFilter:10"} {
			for _, options := range []string{
				"format_version=5", "format_version=4", "partition_filters=true;index_type=kTwoLevelIndexSearch;metadata_block_size=500;format_version=5",
			} {
				if err := rocksdb.WriteByPolicy(file, text, recorded, options, keys); err != nil {
					t.Fatal(err)
				}
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				read := opened(t, data)
				found, excluded := count(t, read, keys), len(absent)-count(t, read, absent)
				if recorded == "another" {
					if found != len(keys) || excluded != 0 {
						t.Errorf("%s: %d found, %d excluded", recorded, found, excluded)
					}
					continue
				}
				if found != len(keys) || excluded < len(absent)*97/100 {
					t.Errorf("%s, %s, %s: %d of %d found, %d of %d excluded", recorded, text, options, found, len(keys), excluded, len(absent))
				}
			}
		}
	}
}

// count returns how many of the keys the table may contain.
func count(t testing.TB, read *table.Table, keys [][]byte) (n int) {
	t.Helper()
	hits := make([]bool, len(keys))
	if err := read.MayContainKeys(keys, hits); err != nil {
		t.Fatal(err)
	}
	for _, yes := range hits {
		if yes {
			n++
		}
	}
	return n
}
