package filterblock

import (
	"encoding/json"
	"math"
)

// Counts are the numbers that [Counters] counted. The fields' comments have the names in RocksDB's
// statistics (include/rocksdb/statistics.h), which table/block_based/block_based_table_reader.cc
// and block_based_table_reader_sync_and_async.h count.
//
// In RocksDB the numbers are of point lookups, Get and MultiGet, once for each table that a
// lookup comes to: those for prefixes, of the tables whose filters have no whole keys. Its
// iterators count elsewhere (NON_LAST_LEVEL_SEEK_FILTERED and others). Here they are of the
// queries that the caller counts.
type Counts struct {
	Useful        uint64 // BLOOM_FILTER_USEFUL: "no" for a key, which saved a table's blocks
	Positives     uint64 // BLOOM_FILTER_FULL_POSITIVE: "may contain" for a key
	TruePositives uint64 // BLOOM_FILTER_FULL_TRUE_POSITIVE: those that Found reported

	PrefixChecked       uint64 // BLOOM_FILTER_PREFIX_CHECKED: queries for a prefix, whatever the answer
	PrefixUseful        uint64 // BLOOM_FILTER_PREFIX_USEFUL: "no" for a prefix
	PrefixTruePositives uint64 // BLOOM_FILTER_PREFIX_TRUE_POSITIVE: those that FoundPrefix reported
}

// Queries returns the number of queries for keys. A lookup queries the filter of each table that
// it comes to. Those for prefixes are PrefixChecked.
func (c Counts) Queries() uint64 { return c.Useful + c.Positives }

// FalsePositives returns the number of answers "may contain" for a key that Found did not
// report. It is 0 if Found reported more keys than that, and then FPR is not a number.
func (c Counts) FalsePositives() uint64 {
	return c.Positives - min(c.Positives, c.TruePositives)
}

// FPR returns the false-positive rate of queries for keys: of those for keys that a table does
// not have, the share that its filter answered with "may contain". It is 0 without such
// queries. It is NaN if Found reported more keys than filters answered "may contain" for: then
// keys were found without a filter, or by one that is not counted, and the rate is not known.
func (c Counts) FPR() float64 { return rate(c.Positives, c.TruePositives, c.Useful) }

// PrefixFalsePositives returns the number of answers "may contain" for a prefix that
// FoundPrefix did not report.
func (c Counts) PrefixFalsePositives() uint64 {
	positives := c.prefixPositives()
	return positives - min(positives, c.PrefixTruePositives)
}

func (c Counts) prefixPositives() uint64 {
	return c.PrefixChecked - min(c.PrefixChecked, c.PrefixUseful)
}

// PrefixFPR returns the share of the queries for prefixes that were answered with "may contain",
// of those that found nothing. It is 0 without such queries, and NaN where [Counts.FPR] is.
//
// For seeks to prefixes that is the filters' false-positive rate. For point lookups it is more:
// where a table has another key with the same prefix, the filter is right, and the lookup in
// vain.
func (c Counts) PrefixFPR() float64 {
	return rate(c.prefixPositives(), c.PrefixTruePositives, c.PrefixUseful)
}

func rate(positives, truePositives, useful uint64) float64 {
	if truePositives > positives {
		return math.NaN()
	}
	falsePositives := positives - truePositives
	return float64(falsePositives) / float64(max(1, falsePositives+useful))
}

// Sub returns the counts since earlier.
func (c Counts) Sub(earlier Counts) Counts {
	return Counts{
		Useful:              c.Useful - earlier.Useful,
		Positives:           c.Positives - earlier.Positives,
		TruePositives:       c.TruePositives - earlier.TruePositives,
		PrefixChecked:       c.PrefixChecked - earlier.PrefixChecked,
		PrefixUseful:        c.PrefixUseful - earlier.PrefixUseful,
		PrefixTruePositives: c.PrefixTruePositives - earlier.PrefixTruePositives,
	}
}

// String returns a JSON object with the names of RocksDB's statistics, and names in their
// style for what follows from them. A rate that is NaN is null, and bloom.filter.warning has the reason.
func (c Counts) String() string {
	text, _ := json.Marshal(struct {
		Queries              uint64   `json:"bloom.filter.queries"`
		Useful               uint64   `json:"bloom.filter.useful"`
		Positives            uint64   `json:"bloom.filter.full.positive"`
		TruePositives        uint64   `json:"bloom.filter.full.true.positive"`
		FalsePositives       uint64   `json:"bloom.filter.full.false.positive"`
		FPR                  *float64 `json:"bloom.filter.fpr"`
		PrefixChecked        uint64   `json:"bloom.filter.prefix.checked"`
		PrefixUseful         uint64   `json:"bloom.filter.prefix.useful"`
		PrefixTruePositives  uint64   `json:"bloom.filter.prefix.true.positive"`
		PrefixFalsePositives uint64   `json:"bloom.filter.prefix.false.positive"`
		PrefixFPR            *float64 `json:"bloom.filter.prefix.fpr"`
		Warning              string   `json:"bloom.filter.warning,omitempty"`
	}{
		c.Queries(), c.Useful, c.Positives, c.TruePositives, c.FalsePositives(), orNull(c.FPR()),
		c.PrefixChecked, c.PrefixUseful, c.PrefixTruePositives, c.PrefixFalsePositives(), orNull(c.PrefixFPR()),
		c.warning(),
	})
	return string(text)
}

func orNull(rate float64) *float64 {
	if math.IsNaN(rate) {
		return nil
	}
	return &rate
}

func (c Counts) warning() string {
	if math.IsNaN(c.FPR()) || math.IsNaN(c.PrefixFPR()) {
		return "more keys were found than filters answered \"may contain\" for: some were found without a filter " +
			"(in memory, say), or by a filter that is not counted, so the false-positive rate is not known"
	}
	return ""
}
