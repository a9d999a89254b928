package policy

import (
	"fmt"
	"math"
	"sort"
	"strconv"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
)

// rateMark begins a false-positive rate in place of bits per key.
const rateMark = "fpr="

// WithFPR returns a policy of a format that is given a false-positive rate in place of bits per key: the builder of
// every filter knows the number of keys in Finish, and takes the size, the number of probes and the batch for it. So
// tables of a hundred keys and of a hundred million have at most this rate, by [Policy.PredictedFPR], and little more
// memory than they need. The name and the readers are those of the format's other policies: FastLocal,
// Paired and so on. The text is such as "simdbloom.Paired:fpr=0.001", which [Parse] reads, also with all other names.
//
// It is an error if the rate is not above 0 and below 1, if no filter of a thousand keys has it, or if the format does
// not exist. Where so many keys cannot have the rate, as with key hashes of 32 bits, the filter has at most twice the
// lowest possible.
//
// The first filter of a size costs a millisecond more, for Paired up to some tens and with key hashes of 32 bits up to
// hundreds, and later ones tens to hundreds of microseconds. So does Builder.SizeBytes.
func WithFPR(format simdbloom.Format, fpr float64) (*Policy, error) {
	if of, ok := rowOf(format); ok {
		return Parse(of.name + ":" + rateMark + strconv.FormatFloat(fpr, 'g', -1, 64))
	}
	return nil, fmt.Errorf("policy: %w: no policy has the format %v", simdbloom.ErrUnknown, format)
}

// setFPR gives the policy a rate, or returns an error if its filters cannot have it.
func (p *Policy) setFPR(fpr float64) error {
	format, o := p.choose(nil)
	set := building.Apply([]simdbloom.Option{o})
	if err := formats.CheckFPR(asm.Format(format), fpr, set); err != nil {
		return err
	}
	p.fpr = fpr
	p.bitsPerKey = p.bitsFor(format, usualKeys, o)
	return nil
}

// usualKeys is the number of keys that BitsPerKey is for.
const usualKeys = 1_000_000

// bitsFor returns the bits per key of a filter of n keys.
func (p *Policy) bitsFor(format simdbloom.Format, n int, o simdbloom.Option) float64 {
	if p.fpr == 0 {
		return p.bitsPerKey
	}
	return formats.BitsPerKeyForRate(asm.Format(format), n, p.fpr, building.Apply([]simdbloom.Option{o}))
}

// keysForRate is KeysFor of a policy with a rate.
func (p *Policy) keysForRate(format simdbloom.Format, bytes int, o simdbloom.Option) int {
	keysFor := rows[format].keysFor
	most := min(keysFor(bytes, building.LeastBitsPerKey, o), math.MaxInt32)
	return sort.Search(most, func(i int) bool { return keysFor(bytes, p.bitsFor(format, i+1, o), o) < i+1 })
}
