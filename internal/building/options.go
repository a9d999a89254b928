package building

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// Options are what the options of builders say. Each format has some of them.
type Options struct {
	Concurrency  int
	Verification bool
	Limit        Limit
	BatchBlocks  int // 0 if they were not given
	RoundDown    bool
	Pebble       bool
	KeepEqual    bool        // hashes that equal the one before
	Mix          hashlog.Mix // of hashes in lists
	Overwrites   bool        // the Scheme writes every byte of a filter, whatever was there
	Level        int         // of the database, for policies

	// AtOnce, if not nil, prepares a body of a known size for hashes that are added as they arrive.
	AtOnce func(body []byte) asm.Kernel

	Given Given
}

// Given says which options were given that some formats do not have.
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

// Choose returns the defaults as changed by the options. It is an error if one is invalid, or if it
// is none of those that the format has. leastBytes is the size of the smallest filter.
func Choose[O ~func(*Options)](options []O, has Given, leastBytes int) (Options, error) {
	o := Defaults()
	for _, option := range options {
		if option != nil {
			option(&o)
		}
	}
	return o, o.check(has, leastBytes)
}

// ChooseBlocks is Choose, and Millibits, of a format whose filters are blocks and the bytes beside them.
func ChooseBlocks[O ~func(*Options)](options []O, bitsPerKey float64, blockBytes, mostBytes uint64, besideBytes int) (o Options, millibits int, err error) {
	o, err = Choose(options, GivenSizeBytes, int(blockBytes)+besideBytes)
	if err == nil {
		err = o.Limit.CheckUnits(blockBytes, mostBytes, besideBytes)
	}
	if err == nil {
		millibits, err = Millibits(bitsPerKey)
	}
	return o, millibits, err
}

// Defaults returns the options of a builder that was given none.
func Defaults() Options { return Options{Concurrency: 1} }

func (o *Options) check(has Given, leastBytes int) error {
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
