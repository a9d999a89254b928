package main

import (
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// ribbonFilter has the methods of a policy's Ribbon filter beyond policy.Filter.
type ribbonFilter interface {
	policy.Filter
	Kind() ribbon.Kind
	NumBlocks() int
}

func factsOfRibbon(filter ribbonFilter) facts {
	f := facts{rated: true, rate: filter.EstimatedFPR()}
	switch filter.Kind() {
	case ribbon.Ribbon:
		const columnBytes = 16 // of a block
		f.kind, f.from = "Ribbon", "the number of its columns"
		f.blocks, f.blockBytes = filter.NumBlocks(), columnBytes*filter.NumProbes()
	case ribbon.Empty:
		f.kind = "empty"
	default:
		f.kind = alwaysTrue
	}
	return f
}
