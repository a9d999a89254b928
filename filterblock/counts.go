package filterblock

import (
	"encoding/json"
	"math"
)

// Counts are the numbers that [Counters] counted, by the kind of query. The fields' comments have the names in
// RocksDB's statistics (include/rocksdb/statistics.h), which table/block_based/block_based_table_reader.cc and
// block_based_table_iterator.cc count, once for each table that a lookup or seek comes to.
//
// A point lookup (Get, MultiGet) queries a filter for the key, or for the key's prefix if the filter has no whole keys.
// A seek queries it for a prefix. Older versions, up to RocksDB 8.2 and Speedb 2.7, and RocksDB's wiki, count
// otherwise: point lookups as BLOOM_FILTER_USEFUL and _FULL_POSITIVE, whatever the filter has (but MultiGet's prefixes
// with the seeks), and seeks as BLOOM_FILTER_PREFIX_CHECKED and _PREFIX_USEFUL.
type Counts struct {
	// Of point lookups, in filters with whole keys.
	Useful        uint64 // BLOOM_FILTER_USEFUL: "no" for a key, which saved a table's blocks
	Positives     uint64 // BLOOM_FILTER_FULL_POSITIVE: "may contain" for a key
	TruePositives uint64 // BLOOM_FILTER_FULL_TRUE_POSITIVE: those that Found or EndLookup reported

	// Of point lookups, in filters with prefixes only.
	PrefixChecked       uint64 // BLOOM_FILTER_PREFIX_CHECKED: queries, whatever the answer
	PrefixUseful        uint64 // BLOOM_FILTER_PREFIX_USEFUL: "no" for a prefix
	PrefixTruePositives uint64 // BLOOM_FILTER_PREFIX_TRUE_POSITIVE: those that EndLookup reported

	// Of seeks. RocksDB counts those in the last level and in the others apart.
	SeekFiltered      uint64 // LAST_LEVEL_SEEK_FILTERED, NON_LAST_…: "no" for a prefix
	SeekMatches       uint64 // LAST_LEVEL_SEEK_FILTER_MATCH, NON_LAST_…: "may contain" for a prefix
	SeekTruePositives uint64 // LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH, NON_LAST_…: those that FoundSeek reported
}

// Queries returns the number of queries by point lookups. A lookup queries the filter of each table that
// it comes to.
func (c Counts) Queries() uint64 { return c.Useful + c.Positives + c.PrefixChecked }

// FalsePositives returns the number of answers "may contain" to point lookups that neither Found nor EndLookup
// reported. It is 0 if they reported more keys than that, and then FPR is not a number.
func (c Counts) FalsePositives() uint64 {
	return excess(c.Positives+c.prefixPositives(), c.TruePositives+c.PrefixTruePositives)
}

// FPR returns the false-positive rate of point lookups: of those for keys that a table does
// not have, the share that its filter answered with "may contain". It is 0 without such
// lookups. It is NaN if more keys were reported as found than filters answered "may contain" for: then
// keys were found without a filter, or by one that is not counted, and the rate is not known.
//
// Where filters have prefixes only, it is more than the filters' own rate, which [Counts.SeekFPR] is: a table
// may have another key with the same prefix, and then the filter is right, and the lookup in vain.
func (c Counts) FPR() float64 {
	return rate(c.Positives+c.prefixPositives(), c.TruePositives+c.PrefixTruePositives, c.Useful+c.PrefixUseful)
}

func (c Counts) prefixPositives() uint64 { return excess(c.PrefixChecked, c.PrefixUseful) }

// PrefixFPR is FPR of filters with prefixes only.
func (c Counts) PrefixFPR() float64 {
	return rate(c.prefixPositives(), c.attributed().PrefixTruePositives, c.PrefixUseful)
}

// attributed returns the counts where true positives of Found that no filter with whole keys can have answered
// are those of filters with prefixes.
func (c Counts) attributed() Counts {
	n := min(excess(c.TruePositives, c.Positives), excess(c.prefixPositives(), c.PrefixTruePositives))
	c.TruePositives -= n
	c.PrefixTruePositives += n
	return c
}

// SeekFPR returns the false-positive rate of seeks: the share of the queries that were answered with "may contain", of
// those for prefixes that a table does not have. It is 0 without such queries, and NaN if FoundSeek reported more
// than the filters' answers "may contain".
func (c Counts) SeekFPR() float64 { return rate(c.SeekMatches, c.SeekTruePositives, c.SeekFiltered) }

// excess returns a - b, or 0 if b is larger.
func excess(a, b uint64) uint64 { return a - min(a, b) }

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
		SeekFiltered:        c.SeekFiltered - earlier.SeekFiltered,
		SeekMatches:         c.SeekMatches - earlier.SeekMatches,
		SeekTruePositives:   c.SeekTruePositives - earlier.SeekTruePositives,
	}
}

// String returns a JSON object with the names of RocksDB's statistics, and names in their
// style for figures computed from them. A rate that is NaN is null, and bloom.filter.warning has the reason.
func (c Counts) String() string {
	c = c.attributed()
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
		SeekFiltered         uint64   `json:"seek.filtered"`
		SeekMatches          uint64   `json:"seek.filter.match"`
		SeekTruePositives    uint64   `json:"seek.data.useful.filter.match"`
		SeekFPR              *float64 `json:"seek.fpr"`
		Warning              string   `json:"bloom.filter.warning,omitempty"`
	}{
		c.Queries(), c.Useful, c.Positives, c.TruePositives, excess(c.Positives, c.TruePositives), orNull(c.FPR()),
		c.PrefixChecked, c.PrefixUseful, c.PrefixTruePositives, excess(c.prefixPositives(), c.PrefixTruePositives), orNull(c.PrefixFPR()),
		c.SeekFiltered, c.SeekMatches, c.SeekTruePositives, orNull(c.SeekFPR()),
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
	if math.IsNaN(c.FPR()) || math.IsNaN(c.PrefixFPR()) || math.IsNaN(c.SeekFPR()) {
		return "more keys were found than filters answered \"may contain\" for: some were found without a filter " +
			"(in memory, say), or by a filter that is not counted, so the false-positive rate is not known"
	}
	return ""
}
