package policy

import (
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
)

// WithLevel gives the level of the database that a filter's table belongs to: -1 for a table that is
// flushed from memory. A policy such as "ribbonfilter:10:2" builds FastLocal filters below level 2
// and Ribbon filters from there on, as RocksDB's option bloom_before_level has it. Without
// WithLevel the level is unknown, which counts as 2147483646: these policies build Ribbon filters,
// unless their level is 2147483647. It changes no other policies' filters, and only policies have it.
//
// RocksDB counts the level as unknown in tables of databases with FIFO compaction or none.
func WithLevel(n int) simdbloom.Option {
	return func(o *building.Options) { o.Level = n; o.Given |= building.GivenLevel }
}

// unknownLevel counts as the last but one (RibbonFilterPolicy::GetBuilderWithContext in RocksDB's
// table/block_based/filter_policy.cc).
const unknownLevel = math.MaxInt32 - 1

// bloom_before_level, where a policy's name does not say it.
const (
	flushedOnly = 0             // RocksDB's default: only flushed tables have FastLocal filters
	noLevel     = math.MinInt32 // no table has one
)

// applied returns the settings that the options make.
func applied(options []simdbloom.Option) building.Options {
	return *building.Apply(append([]simdbloom.Option{WithLevel(unknownLevel)}, options...))
}

// choose returns the format that the policy builds, and the options as one option.
func (p *Policy) choose(options []simdbloom.Option) (simdbloom.Format, simdbloom.Option) {
	o, format := applied(options), p.kind.format
	if format == simdbloom.Ribbon && o.Level < p.bloomBefore {
		format = simdbloom.FastLocal
	}
	o.Given &^= building.GivenLevel
	o.FPR = p.fpr
	if format != simdbloom.Paired {
		o.Given &^= building.GivenRoundDown
	} else if o.BatchBlocks = p.kind.batchBlocks; p.kind.batchBlocks != 0 {
		o.Given |= building.GivenBatchBlocks
	} else {
		o.Given &^= building.GivenBatchBlocks
	}
	return format, func(all *building.Options) { *all = o }
}
