package dcso

import (
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Rule is how a key's hash gives the places of its bits. The first number is computed from the hash, each other
// one from that before it, and its remainder modulo m is the place of a bit.
//
// A file of v0.2.0 and before has another header, and needs Seeded: Open finds that out. All later
// files look alike. Open assumes Multiply for them, the rule of every released tool but flor 1.1.0.
// [Filter.WithRule] gives another, and [Filter.DetectRule] guesses Added from the bits.
type Rule int

const (
	// Multiply multiplies by 2^64-1469, modulo 2^64 and then modulo the prime 2^64-59. It is the rule of
	// DCSO/bloom since June 17, 2018 (v0.2.2), of flor since 1.1.1, of fleur and of Poppy.
	Multiply Rule = iota

	// MultiplyWide multiplies modulo the prime only. It is the rule of flor 1.1.0 (October and November 2018), since
	// Python's integers do not overflow.
	MultiplyWide

	// Added adds i times the number to the i-th number, from 0 on. It is the rule of DCSO/bloom and of flor
	// for some commits of June 17, 2018, which no release has.
	Added

	// Seeded adds a second hash, that of the key and "this-is-magical". It is the rule of DCSO/bloom up
	// to v0.2.0, and of flor 1.0.
	Seeded
)

// String returns the rule's name.
func (r Rule) String() string {
	switch r {
	case Multiply:
		return "multiply"
	case MultiplyWide:
		return "multiply-wide"
	case Added:
		return "added"
	case Seeded:
		return "seeded"
	}
	return fmt.Sprintf("Rule(%d)", int(r))
}

// ParseRule returns the rule with the given name. The error of an unknown one wraps [simdbloom.ErrUnknown].
func ParseRule(name string) (Rule, error) {
	for r := Multiply; r <= Seeded; r++ {
		if r.String() == name {
			return r, nil
		}
	}
	return 0, contents.Unknown(fmt.Errorf("dcso: unknown rule %q: %v, %v, %v or %v", name, Multiply, MultiplyWide, Added, Seeded))
}

// WithRule returns the same filter with another rule. It panics if there is no such rule. It shares the bytes, and
// is closed with f.
func (f *Filter) WithRule(rule Rule) *Filter {
	if rule < Multiply || rule > Seeded {
		panic("dcso: there is no " + rule.String())
	}
	other := *f
	other.rule = rule
	return &other
}

// Rule returns the rule that lookups use.
func (f *Filter) Rule() Rule { return f.rule }

const (
	prime      = 1<<64 - 59
	multiplier = prime - 1410
	seed       = "this-is-magical"
)

// state is where a rule has come to.
type state struct {
	at   uint64
	step uint64 // of Seeded
}

// start returns the state before the first number.
func (r Rule) start(hash uint64) state {
	switch r {
	case Multiply, MultiplyWide:
		if hash >= prime {
			hash -= prime
		}
	case Seeded:
		return state{hash, sumFrom(hash, seed)}
	}
	return state{at: hash}
}

// next returns the state at number i, from 1 on, of that at the number before it.
func (r Rule) next(s state, i int) state {
	switch r {
	case Multiply:
		s.at = multiply(s.at)
	case MultiplyWide:
		high, low := bits.Mul64(s.at, multiplier)
		s.at = bits.Rem64(high, low, prime)
	case Added:
		s.at *= uint64(i)
	default:
		s.at += s.step
	}
	return s
}

func multiply(x uint64) uint64 {
	x *= multiplier
	if x >= prime {
		x -= prime
	}
	return x
}
