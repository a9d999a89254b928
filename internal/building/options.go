package building

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// Options are the options of builders. Each format has some of them.
type Options struct {
	Concurrency  int
	Verification bool
	Limit        Limit
	BatchBlocks  int // 0 if they were not given
	RoundDown    bool
	FPR          float64 // that is wanted in place of the bits per key, or 0
	Pebble       bool
	KeepEqual    bool        // hashes that equal the one before
	Mix          hashlog.Mix // of hashes in lists
	Overwrites   bool        // the Scheme writes every byte of a filter, whatever was there
	Level        int         // of the database, for policies
	Own          *Own        // of a policy's filter that is no format of this library, or nil
	AlwaysTrue   bool        // of policies: the filters may contain every key
	ListsFrom    uint64      // see WithListsFrom

	// AtOnce, if not nil, returns a function that adds hashes to a body of a known size as they arrive. (A Kernel in
	// its place would link the functions that add to all formats.)
	AtOnce func(body []byte) (add func(hashes []uint64))

	Given Given
}

// Given has the given options that some formats do not have.
type Given uint

// The options that some formats do not have.
const (
	GivenSizeBytes Given = 1 << iota
	GivenBatchBlocks
	GivenRoundDown
	GivenPebble
	GivenLevel
	GivenFasterLookups
)

var givenNames = [...]string{"WithSizeBytes", "WithBatchBlocks", "WithRoundDown", "WithPebble", "WithLevel", "WithFasterLookups"}

// WithRoundDown is an option of Paired: it rounds a filter's size down instead of up to whole batches, at least one, as
// Speedb does for the tables of its bottommost level. Only tests have it, for Speedb reads both.
func WithRoundDown(o *Options) { o.RoundDown = true; o.Given |= GivenRoundDown }

// WithListsFrom has builders put the hashes of filters larger than the given size into lists, and fill those
// in sections of at most this size; 0 is the usual size. Only tests have it: the bytes are the same.
func WithListsFrom(bytes uint64) func(*Options) { return func(o *Options) { o.ListsFrom = bytes } }

// Apply returns the defaults as changed by the options.
func Apply[O ~func(*Options)](options []O) *Options {
	o := &Options{Concurrency: 1}
	for _, option := range options {
		if option != nil {
			option(o)
		}
	}
	return o
}

// Check returns an error if an option is invalid, or if the format, which has the given ones, lacks it. leastBytes is
// the size of the smallest filter.
func (o *Options) Check(has Given, leastBytes int) error {
	if other := o.Given &^ has; other != 0 {
		var names []string
		for ; other != 0; other &= other - 1 {
			names = append(names, givenNames[bits.TrailingZeros(uint(other))])
		}
		return fmt.Errorf("the format has no option %s", strings.Join(names, ", "))
	}
	if o.Concurrency < 1 {
		return fmt.Errorf("WithConcurrency must be at least 1, not %d", o.Concurrency)
	}
	return o.Limit.Check(leastBytes)
}
