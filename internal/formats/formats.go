// Package formats has a row for each format: its names, its reader, its builder, and its own functions. All that
// is known of one format alone is in the package below this one that has its name.
//
// The row is split over several tables, because the linker keeps everything a used table refers to.
package formats

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/legacy"
	"github.com/simdbloom/simdbloom/internal/formats/leveldb"
	"github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/formats/paired"
	"github.com/simdbloom/simdbloom/internal/formats/ribbon"
	"github.com/simdbloom/simdbloom/internal/formats/splitblock"
)

// Row has the facts about a format that programs of any kind need.
type Row struct {
	Name        string     // "FastLocal"
	Package     string     // "bloom": a program that imports it can build filters
	Recorded    []Recorded // the names under which filters are recorded
	Narrow      bool       // key hashes have 32 bits
	HeaderBytes int        // before the body
}

var rows = [...]Row{
	asm.Reserved:   {Name: "reserved"},
	asm.Empty:      {Name: "empty"},
	asm.FastLocal:  {Name: "FastLocal", Package: "bloom", Recorded: []Recorded{{"FastLocal", 0}}},
	asm.Paired:     {Name: "Paired", Package: "paired", Recorded: []Recorded{{"Paired32", 32}, {"Paired128", 0}}}, // also filters without batches
	asm.Linear:     {Name: "Linear", Package: "linear", Recorded: []Recorded{{"Linear", 0}}},
	asm.Ribbon:     {Name: "Ribbon", Package: "ribbon", Recorded: []Recorded{{"Ribbon", 0}}},
	asm.Legacy:     {Name: "Legacy", Package: "legacy", Recorded: []Recorded{{"Legacy", 0}}, Narrow: true},
	asm.LevelDB:    {Name: "LevelDB", Package: "leveldb", Recorded: []Recorded{{"LevelDB", 0}}, Narrow: true},
	asm.SplitBlock: {Name: "SplitBlock", Package: "splitblock", Recorded: []Recorded{{"SplitBlock", 0}}},
	asm.Blobloom:   {Name: "Blobloom", Package: "blobloom", Recorded: []Recorded{{"Blobloom", 0}}, HeaderBytes: blobloom.HeaderBytes},
}

// readers has all formats: a program that opens filters opens any of them.
var readers = [...]contents.Reader{
	asm.FastLocal:  fastlocal.Read,
	asm.Paired:     paired.Read,
	asm.Linear:     linear.Read,
	asm.Ribbon:     ribbon.Read,
	asm.Legacy:     legacy.Read,
	asm.LevelDB:    leveldb.Read,
	asm.SplitBlock: splitblock.Read,
	asm.Blobloom:   blobloom.Read,
}

// estimates are the formats' false-positive rates: of some blocks, if those of all blocks have the filter's as their
// mean, or of the whole filter.
var estimates = [...]struct {
	blocks func(blocks []byte, probes int) float64
	whole  func(kernel *asm.Kernel) float64
}{
	asm.FastLocal:  {blocks: fastlocal.EstimatedFPR},
	asm.Paired:     {whole: paired.EstimatedFPR},
	asm.Linear:     {whole: linear.EstimatedFPR},
	asm.Ribbon:     {whole: ribbon.EstimatedFPR},
	asm.Legacy:     {whole: legacy.EstimatedFPR},
	asm.LevelDB:    {whole: leveldb.EstimatedFPR},
	asm.SplitBlock: {blocks: splitblock.EstimatedFPR},
	asm.Blobloom:   {blocks: blobloom.EstimatedFPR},
}

// adders has the formats whose filters accept keys.
var adders = [...]*Adder{
	asm.FastLocal: {
		Layout: &fastlocal.Layout, NewKernel: fastlocal.NewKernel, Millibits: fastlocal.LeastMillibits,
		PredictedFPR: fastlocal.PredictedFPR, EstimatedKeys: fastlocal.EstimatedKeys,
	},
	asm.SplitBlock: {
		Layout: &splitblock.Layout, NewKernel: splitblock.NewKernel, Millibits: splitblock.UsualMillibits,
		PredictedFPR: splitblock.PredictedFPR, EstimatedKeys: splitblock.EstimatedKeys,
	},
	asm.Blobloom: {
		Layout: &blobloom.Layout, NewKernel: blobloom.NewKernel, Millibits: fastlocal.LeastMillibits,
		PredictedFPR: blobloom.PredictedFPR, EstimatedKeys: fastlocal.EstimatedKeys,
	},
}

// Of returns a format's row, an empty one if the format does not exist.
func Of(format asm.Format) *Row {
	if int(format) < len(rows) {
		return &rows[format]
	}
	return new(Row)
}

// All returns the formats that filters are built in.
func All() (all []asm.Format) {
	for format, row := range rows {
		if row.Package != "" {
			all = append(all, asm.Format(format))
		}
	}
	return all
}

// ReaderNamed returns the reader of a format's bytes that are recorded under a name of batches of the given number of
// blocks, or of 0: filters in batches of 32 by their name are never FastLocal's, and are in these whatever their pair
// indexes are.
func ReaderNamed(format asm.Format, batchBlocks int) contents.Reader {
	if format == asm.Paired && batchBlocks == paired.SpeedbBlocks {
		return paired.ReadOwn
	}
	return ReaderOf(format)
}

// ReaderOf returns a format's reader, or nil if no filters have the format.
func ReaderOf(format asm.Format) contents.Reader {
	if int(format) < len(readers) {
		return readers[format]
	}
	return nil
}
