//go:build librocksdb

package rocksdb_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var (
	seed = flag.Uint64("seed", 0, "of the first option set of TestRandomOptions; 0 is another one each time")
	sets = flag.Int("sets", 10, "the number of option sets of TestRandomOptions")
)

// TestRandomOptions lets RocksDB write tables with random options, and compares all answers. This
// repeats an option set:
//
//	go test -tags librocksdb -run TestRandomOptions -seed=N -sets=1 .
func TestRandomOptions(t *testing.T) {
	first := *seed
	for first == 0 {
		first = rand.Uint64()
	}
	fmt.Println("the first seed of TestRandomOptions is", first) // a log would be lost if RocksDB aborts
	asked, misses := 0, 0
	for i := range *sets {
		seed := first + uint64(i)
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			options := randomOptions(random)
			kind := []string{"short", "binary", "long"}[random.IntN(3)]
			n := 1 + random.IntN(1<<(1+random.IntN(15)))
			if kind == "long" {
				n = min(n, 4000)
			}
			t.Logf("%d keys, %s: %s", n, kind, options)
			present := sortedKeys(kind, seed, n)
			others := sortedKeys(kind, seed+1, n)
			for _, key := range present[:min(n, 1000)] { // neighbors, of the same prefix
				others = append(others, append(slices.Clip(key), 0), append(slices.Clip(key), "neighbor"...))
			}
			slices.SortFunc(others, slices.Compare)
			absent := absentOf(present, others)
			if strings.Contains(options, descending) {
				slices.Reverse(present)
			}
			_, a, m := checkAnswers(t, options, present, absent)
			asked, misses = asked+a, misses+m
		})
	}
	t.Logf("%d keys looked up, %d misses", asked, misses)
}

// randomOptions are those of a column family that say what a table has.
func randomOptions(random *rand.Rand) string {
	of := func(name string, values ...string) string { return name + "=" + values[random.IntN(len(values))] }
	power := func(name string, least, most int) string {
		return fmt.Sprint(name, "=", 1<<(least+random.IntN(most-least+1)))
	}
	bits := fmt.Sprintf("%.1f", 1+24*random.Float64())
	indexes := []string{
		"kBinarySearch", "kBinarySearchWithFirstKey", "kTwoLevelIndexSearch",
		"kTwoLevelIndexSearch;partition_filters=true", "kTwoLevelIndexSearch;partition_filters=true",
	}
	extractor := of("prefix_extractor={id", "", "", "", fmt.Sprint("rocksdb.FixedPrefix.", random.IntN(8)),
		fmt.Sprint("rocksdb.CappedPrefix.", 1+random.IntN(8)), "rocksdb.Noop")
	if strings.Contains(extractor, "Capped") || strings.Contains(extractor, "Noop") {
		indexes = append(indexes, "kHashSearch;index_block_restart_interval=1") // which needs a prefix of every key
	}
	block := []string{
		of("filter_policy", "bloomfilter:"+bits, "ribbonfilter:"+bits, "rocksdb.internal.LegacyBloomFilter:"+bits),
		of("format_version", "2", "3", "4", "5"), of("checksum", checksums...),
		of("index_shortening", "kNoShortening", "kShortenSeparators", "kShortenSeparatorsAndSuccessor"),
		of("data_block_index_type", "kDataBlockBinarySearch", "kDataBlockBinaryAndHash"),
		power("block_size", 8, 16), power("metadata_block_size", 8, 14),
		power("block_restart_interval", 0, 6), power("index_block_restart_interval", 0, 5),
		of("index_type", indexes...), // behind the interval, which it may set
	}
	for _, name := range []string{
		"whole_key_filtering", "optimize_filters_for_memory", "detect_filter_construct_corruption",
		"cache_index_and_filter_blocks", "pin_top_level_index_and_filter", "enable_index_compression",
	} {
		block = append(block, of(name, "false", "true"))
	}
	family := []string{of("compression", compressions...), "block_based_table_factory={" + strings.Join(block, ";") + "}"}
	if strings.Contains(extractor, "rocksdb.") {
		family = append(family, extractor+"}")
	}
	if random.IntN(4) == 0 {
		family = append(family, descending+"}")
	}
	return strings.Join(family, ";")
}
