// Package formats has a row for each format: its names, its reader, its builder, and what it has beyond that. All that
// is known of one format alone is in the package below this one that has its name.
//
// What a row refers to is in every program that reads the row. So what only some programs need has tables of its own.
package formats

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
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

// Row is what every program that reads filters needs to know of a format.
type Row struct {
	Name        string     // "FastLocal"
	Package     string     // "bloom": a program that imports it can build filters
	Recorded    []Recorded // the names under which filters are recorded
	Narrow      bool       // key hashes have 32 bits
	HeaderBytes int        // before the body
	Read        contents.Reader

	// A lookup reads one block, of the given size, or of the size that a filter's bytes have if that is 0. BlockOf
	// returns its number, or is nil if a lookup may read any bytes.
	BlockBytes int
	BlockOf    func(hash uint64, blocks uint32) uint32
}

var rows = [...]Row{
	asm.Reserved: {Name: "reserved"},
	asm.Empty:    {Name: "empty"},
	asm.FastLocal: {
		Name: "FastLocal", Package: "bloom", Recorded: []Recorded{{"FastLocal", 0}}, Read: fastlocal.Read,
		BlockBytes: asm.BlockBytes, BlockOf: fallback.Block,
	},
	asm.Paired: { // filters of batches of 128 blocks, and those without batches, have the same name
		Name: "Paired", Package: "paired", Recorded: []Recorded{{"Paired32", paired.SpeedbBlocks}, {"Paired128", 0}}, Read: paired.Read,
		BlockBytes: asm.BlockBytes, BlockOf: fallback.Block, // the pair is in the same batch
	},
	asm.Linear: {Name: "Linear", Package: "linear", Recorded: []Recorded{{"Linear", 0}}, Read: linear.Read},
	asm.Ribbon: {Name: "Ribbon", Package: "ribbon", Recorded: []Recorded{{"Ribbon", 0}}, Read: ribbon.Read},
	asm.Legacy: {
		Name: "Legacy", Package: "legacy", Recorded: []Recorded{{"Legacy", 0}}, Narrow: true, Read: legacy.Read,
		BlockOf: legacy.LineOf,
	},
	asm.LevelDB: {Name: "LevelDB", Package: "leveldb", Recorded: []Recorded{{"LevelDB", 0}}, Narrow: true, Read: leveldb.Read},
	asm.SplitBlock: {
		Name: "SplitBlock", Package: "splitblock", Recorded: []Recorded{{"SplitBlock", 0}}, Read: splitblock.Read,
		BlockBytes: asm.SplitBlockBytes, BlockOf: fallback.SplitBlockOf,
	},
	asm.Blobloom: {
		Name: "Blobloom", Package: "blobloom", Recorded: []Recorded{{"Blobloom", 0}}, HeaderBytes: blobloom.HeaderBytes, Read: blobloom.Read,
		BlockBytes: asm.BlockBytes, BlockOf: fallback.Block,
	},
}

// estimates are the formats' false-positive rates: of some blocks, if those of all blocks have the filter's as their mean,
// or of the whole filter.
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

// growths are those of the formats that have one.
var growths = [...]*Growth{
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

// Of returns a format's row, without a reader if no filters have the format.
func Of(format asm.Format) *Row {
	if int(format) < len(rows) {
		return &rows[format]
	}
	return new(Row)
}
