package pebble_test

import (
	"fmt"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// The false-positive rate of the last minute, from Counters.Read before and after it.
func ExampleCounts_Sub() {
	before := simdbloom.Counts{Useful: 100_000, Positives: 5_000, TruePositives: 4_000}
	after := simdbloom.Counts{Useful: 109_900, Positives: 6_100, TruePositives: 5_000}
	minute := after.Sub(before)
	fmt.Println(minute.Asked(), "lookups,", minute.FalsePositives(), "false positives, rate", minute.FPR())
	// Output: 11000 lookups, 100 false positives, rate 0.01
}
