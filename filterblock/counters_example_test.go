package filterblock_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

// A table's filter, and how many of its answers saved a read, or caused one in vain.
func ExampleCounters() {
	builder, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	table := make(map[string]string)
	for i := range 10_000 {
		key := fmt.Sprintf("user:%d", 2*i)
		table[key] = "value"
		builder.AddString(key)
	}
	data, err := builder.Finish()
	if err != nil {
		log.Fatal(err)
	}
	filter, err := bloom.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}

	var counters filterblock.Counters
	for i := range 20_000 {
		key := fmt.Appendf(nil, "user:%d", i)
		may := filter.Contains(key)
		counters.CountKey(key, may)
		if may && table[string(key)] != "" {
			counters.Found(key)
		}
	}
	counts := counters.Read()
	fmt.Println(counts.Queries(), "lookups,", counts.Useful, "without a read,", counts.FalsePositives(), "reads in vain")
	fmt.Printf("false-positive rate %.2f %%\n", 100*counts.FPR())
	// Output:
	// 20000 lookups, 9894 without a read, 106 reads in vain
	// false-positive rate 1.06 %
}

// The false-positive rate of the last minute, from Counters.Read before and after it.
func ExampleCounts_Sub() {
	before := filterblock.Counts{Useful: 100_000, Positives: 5_000, TruePositives: 4_000}
	after := filterblock.Counts{Useful: 109_900, Positives: 6_100, TruePositives: 5_000}
	minute := after.Sub(before)
	fmt.Println(minute.Queries(), "lookups,", minute.FalsePositives(), "false positives, rate", minute.FPR())
	// Output: 11000 lookups, 100 false positives, rate 0.01
}
