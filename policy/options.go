package policy

import (
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/paired"
)

// BuilderOption is an option of Policy.NewBuilder.
type BuilderOption func(*builderOptions)

// builderOptions has them as either package takes them.
type builderOptions struct {
	bloom  []bloom.Option
	paired []paired.Option

	maxBytes int // if limited
	limited  bool
}

// RoundDown is the BuilderOption for tables of the bottommost level: it rounds a
// paired filter's size down to whole batches, as Speedb does there, and changes
// nothing for other filters.
func RoundDown(o *builderOptions) { o.paired = append(o.paired, paired.WithRoundDown()) }

// Verification is the BuilderOption that makes Finish look up every key in the
// filter it has built; see bloom.WithVerification. Finish's error wraps
// bloom.ErrVerification if one is missing.
func Verification(o *builderOptions) {
	o.bloom = append(o.bloom, bloom.WithVerification())
	o.paired = append(o.paired, paired.WithVerification())
}

// Concurrency is the BuilderOption that lets a builder use up to n goroutines, 1 or
// more; see bloom.WithConcurrency. It changes no byte.
func Concurrency(n int) BuilderOption {
	return func(o *builderOptions) {
		o.bloom = append(o.bloom, bloom.WithConcurrency(n))
		o.paired = append(o.paired, paired.WithConcurrency(n))
	}
}

// MaxBytes is the BuilderOption that limits a filter to n bytes; see
// bloom.WithMaxBytes and paired.WithMaxBytes. The batches are always the policy's
// own. The smallest filters, which n must have room for, are of 69 bytes
// (FastLocal), 2,052 (Paired in 32-block batches) and 8,196 (in 128-block batches).
func MaxBytes(n int) BuilderOption {
	return func(o *builderOptions) {
		o.bloom = append(o.bloom, bloom.WithMaxBytes(n))
		o.paired = append(o.paired, paired.WithMaxBytes(n))
		o.maxBytes, o.limited = n, true
	}
}

func chosen(options []BuilderOption) (o builderOptions) {
	for _, option := range options {
		option(&o)
	}
	return o
}
