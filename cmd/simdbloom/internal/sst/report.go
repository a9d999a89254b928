package sst

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/table"
)

// report has the printed facts about a file.
type report struct {
	File  string `json:"file"`
	Error string `json:"error,omitempty"`

	Format   string `json:"format,omitempty"`   // in words
	Database string `json:"database,omitempty"` // RocksDB, Pebble or LevelDB, or none for filter files
	Version  *int   `json:"version,omitempty"`  // RocksDB's format_version, Pebble's v1 to v7, none for others
	Checksum string `json:"checksum,omitempty"` // of blocks

	Name       string   `json:"name,omitempty"`   // that the filter is recorded under
	Policy     string   `json:"policy,omitempty"` // the property rocksdb.filter.policy
	Kind       string   `json:"kind,omitempty"`
	Partitions int      `json:"partitions,omitempty"`
	Filters    int      `json:"filters,omitempty"`     // of a filter block
	RangeBytes uint64   `json:"range_bytes,omitempty"` // of the file, that each is for
	Of         string   `json:"of,omitempty"`          // prefixes, if not whole keys only
	Bytes      uint64   `json:"bytes,omitempty"`
	Probes     *span    `json:"probes,omitempty"`
	Prints     *span    `json:"fingerprint_bits,omitempty"`
	Longer     *span    `json:"longer_fingerprints,omitempty"` // 64ths of the keys
	Layers     *span    `json:"layers,omitempty"`
	Blocks     uint64   `json:"blocks,omitempty"`
	BlockBytes int      `json:"block_bytes,omitempty"`
	Pairs      string   `json:"pairs,omitempty"` // whether Paired's pair indexes are sound
	Keys       uint64   `json:"keys,omitempty"`
	KeysFrom   string   `json:"keys_from,omitempty"` // which properties, or the header
	BitsPerKey float64  `json:"bits_per_key,omitempty"`
	Setting    *span    `json:"bits_per_key_by_probes,omitempty"` // LevelDB's setting, which gives that many probes
	FPR        *float64 `json:"estimated_fpr,omitempty"`
	FPRFrom    string   `json:"estimated_from,omitempty"`
	Notes      []string `json:"notes,omitempty"`

	format   string   // of the filter, in a word
	largest  uint64   // bytes of a block of filters
	problems []string // in few words
}

// warn adds a note about a problem.
func (r *report) warn(problem string) {
	r.Notes, r.problems = append(r.Notes, problem), append(r.problems, problem)
}

// span has the smallest and the largest of some number that each of the partitions has.
type span struct {
	Least int `json:"least"`
	Most  int `json:"most"`
}

// add adds a number, unless it is 0: the partition has none.
func (s *span) add(n int) {
	switch {
	case n == 0:
	case s.Most == 0:
		*s = span{n, n}
	default:
		*s = span{min(s.Least, n), max(s.Most, n)}
	}
}

// orNil returns nil if no partition has the number.
func (s *span) orNil() *span {
	if s.Most == 0 {
		return nil
	}
	return s
}

// inspect reads a file of the given size.
func inspect(file io.ReaderAt, size int64) (*report, error) {
	if isFilterFile(file) {
		f, err := readFilterFile(file, size)
		if err != nil {
			return nil, err
		}
		return f.report(), nil
	}
	t, err := table.Open(file, size)
	if err != nil {
		return nil, err
	}
	r := &report{
		Format: t.Format.String(), Database: t.Format.Database, Checksum: t.Format.Checksum,
		Name: t.FilterName, Policy: t.Properties.FilterPolicy,
	}
	if t.Format.Database != "LevelDB" {
		r.Version = &t.Format.Version
	}
	if n := t.Properties.NumRangeDeletions; n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d deletions of ranges, which are not in filters: do not skip the table because its filter has no such key", n))
	}
	return r, r.addFilter(t)
}

// addFilter reads the table's filters.
func (r *report) addFilter(t *table.Table) error {
	switch t.Layout {
	case "none":
		r.Kind = "none"
		return nil
	case "unknown":
		r.Kind, r.format, r.Bytes = unknown, unknown, t.Properties.FilterBytes
		return nil
	case "block-based":
		return r.addBlock(t)
	case "partitioned":
		r.Partitions = t.NumFilters()
	}
	sum, err := summarize(t)
	if err != nil {
		return err
	}
	r.addKeys(&t.Properties)
	r.addSum(sum)
	r.addPerKey(sum, t.NumFilters())
	r.largest = sum.largest
	return nil
}

// addPerKey adds the figures per key, for keys in the given number of filters.
func (r *report) addPerKey(sum *summary, filters int) {
	if r.Keys == 0 {
		return
	}
	r.BitsPerKey = 8 * float64(r.Bytes) / float64(r.Keys)
	switch note, isProblem := sum.note(int(min(r.Keys, math.MaxInt32)), filters, r.BitsPerKey); {
	case isProblem:
		r.warn(note)
	case note != "":
		r.Notes = append(r.Notes, note)
	}
}

func (r *report) addKeys(p *table.Properties) {
	r.Keys, r.KeysFrom = p.NumFilterEntries, "rocksdb.num.filter_entries"
	if r.Keys == 0 {
		// Deleted ranges are entries, but not keys of the filter.
		r.Keys = p.NumEntries - min(p.NumEntries, p.NumRangeDeletions)
		r.KeysFrom = "rocksdb.num.entries"
	}
	if r.Keys == 0 {
		r.KeysFrom = ""
	}
	if p.Prefixes {
		r.Of = "prefixes"
		if p.WholeKeys {
			r.Of = "keys and prefixes"
		}
		if p.PrefixExtractor != "" {
			r.Of += " (" + p.PrefixExtractor + ")"
		}
	}
}

func (r *report) addSum(sum *summary) {
	if len(sum.kinds) == 0 {
		sum.kinds, sum.formats = []string{empty}, []string{empty}
	}
	r.format = strings.Join(sum.formats, "+")
	r.Kind, r.Bytes, r.Blocks, r.BlockBytes = strings.Join(sum.kinds, " and "), sum.bytes, sum.blocks, sum.blockBytes
	r.Probes, r.Layers = sum.probes.orNil(), sum.layers.orNil()
	r.Prints, r.Longer = sum.prints.orNil(), sum.longer.orNil()
	if slices.ContainsFunc(sum.kinds, func(kind string) bool { return strings.HasPrefix(kind, "Paired") }) || sum.unsound != nil {
		r.Pairs = "sound"
		if sum.unsound != nil {
			r.Pairs = "unsound: " + sum.unsound.Error()
			r.problems = append(r.problems, "pair indexes "+r.Pairs)
		}
	}
	if slices.Contains(sum.kinds, alwaysTrue) {
		r.problems = append(r.problems, "always true: every key may be there")
	}
	if rate, ok := sum.rate(); ok {
		rate = figures.SixDigits(rate)
		r.FPR, r.FPRFrom = &rate, strings.Join(sum.from, " and ")
		switch {
		case r.Partitions > 1:
			r.FPRFrom += ", averaged over the partitions by size"
		case r.Filters > 1:
			r.FPRFrom += ", averaged over the filters by size"
		}
	}
}
