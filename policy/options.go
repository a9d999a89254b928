package policy

import (
	"math"

	"github.com/simdbloom/simdbloom/internal/building"
)

// BuilderOption is an option of [Policy.NewBuilder]. If one is given twice, the last one
// counts.
type BuilderOption func(*builderOptions)

type builderOptions struct {
	concurrency  int
	verification bool
	roundDown    bool
	maxBytes     int // if limited
	limited      bool
	level        int
}

// WithRoundDown rounds a paired filter's size down to whole batches, as Speedb does for
// tables of the bottommost level. It changes no other filters. See
// [paired.WithRoundDown].
func WithRoundDown() BuilderOption {
	return func(o *builderOptions) { o.roundDown = true }
}

// WithVerification makes Finish look up every key in the filter it has built. If one
// is missing, Finish's error wraps [bloom.ErrVerification]. See
// [bloom.WithVerification].
func WithVerification() BuilderOption {
	return func(o *builderOptions) { o.verification = true }
}

// WithConcurrency lets a builder use up to n goroutines. The filter's bytes do not
// depend on n, which must be at least 1. Legacy and LevelDB's filters are built by one. See
// [bloom.WithConcurrency].
func WithConcurrency(n int) BuilderOption {
	return func(o *builderOptions) { o.concurrency = n }
}

// WithMaxBytes limits a filter to n bytes. The batches are always the policy's own.
// n must be at least the size of the smallest filter: 9 bytes (LevelDB), 69 (FastLocal, legacy,
// Ribbon), 136 (Linear), 2,052 (Paired in 32-block batches) or 8,196 (in 128-block batches). See
// [bloom.WithMaxBytes], [paired.WithMaxBytes], [linear.WithMaxBytes], [ribbon.WithMaxBytes],
// [legacy.WithMaxBytes] and [leveldb.WithMaxBytes].
func WithMaxBytes(n int) BuilderOption {
	return func(o *builderOptions) { o.maxBytes, o.limited = n, true }
}

// WithLevel says which level of the database a filter's table belongs to: -1 for a table that is
// flushed from memory. A policy such as "ribbonfilter:10:2" builds FastLocal filters below level 2
// and Ribbon filters from there on, as RocksDB's option bloom_before_level has it. Without
// WithLevel the level is unknown, which counts as 2147483646: these policies build Ribbon filters,
// unless their level is 2147483647. It changes no other policies' filters.
//
// RocksDB counts the level as unknown in tables of databases with FIFO compaction or none.
func WithLevel(n int) BuilderOption {
	return func(o *builderOptions) { o.level = n }
}

// unknownLevel counts as the last but one (RibbonFilterPolicy::GetBuilderWithContext in RocksDB's
// table/block_based/filter_policy.cc).
const unknownLevel = math.MaxInt32 - 1

// RoundDown is WithRoundDown(), passed without calling it.
//
// Deprecated: use [WithRoundDown].
func RoundDown(o *builderOptions) { WithRoundDown()(o) }

// Verification is WithVerification(), passed without calling it.
//
// Deprecated: use [WithVerification].
func Verification(o *builderOptions) { WithVerification()(o) }

// Concurrency is WithConcurrency.
//
// Deprecated: use [WithConcurrency].
func Concurrency(n int) BuilderOption { return WithConcurrency(n) }

// MaxBytes is WithMaxBytes.
//
// Deprecated: use [WithMaxBytes].
func MaxBytes(n int) BuilderOption { return WithMaxBytes(n) }

func chosen(options []BuilderOption) builderOptions {
	o := builderOptions{concurrency: 1, level: unknownLevel}
	for _, option := range options {
		option(&o)
	}
	return o
}

// shared returns the options that the packages with keyhash.Hash have, as those of one package.
func shared[O any](o builderOptions, concurrency func(int) O, verification func() O, maxBytes func(int) O) []O {
	return append(notConcurrent(o, verification, maxBytes), concurrency(o.concurrency))
}

// notConcurrent returns the options that every package has.
func notConcurrent[O any](o builderOptions, verification func() O, maxBytes func(int) O) (options []O) {
	if o.verification {
		options = append(options, verification())
	}
	if o.limited {
		options = append(options, maxBytes(o.maxBytes))
	}
	return options
}

// checkConcurrency is for packages that have no such option: their builders use one goroutine.
func (o builderOptions) checkConcurrency() error {
	return building.Settings{Concurrency: o.concurrency}.Check()
}
