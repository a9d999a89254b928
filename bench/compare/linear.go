package main

import (
	"fmt"
	"math"
	"slices"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// linearEntrant is the linear filter, where the bits per key are enough for one.
func linearEntrant(s *settings, fill filling) *entrant {
	const finishTakes = 4 // times what adding keys does
	e := &entrant{contestant: newLinear(s), passes: 1 + finishTakes}
	if least := linear.BitsPerKeyFor(int(fill.keys), 1); fill.bitsPerKey < least {
		e.leftOut, e.note = true, fmt.Sprintf("is left out: it takes at least %.1f bits/key", least)
	}
	return e
}

// newLinear returns package linear's filter.
func newLinear(s *settings) *own { return newOwn(s, linearKind) }

// newLinearOfRate returns it with the fewest bits per key at which fingerprints have the given
// number of bits, at the highest level.
func newLinearOfRate(s *settings, title string, fingerprint int) *own {
	k := linearKind
	k.title, k.prefix = title, title+" "
	k.bitsPerKey = func(fill filling) float64 {
		return linear.BitsPerKeyFor(int(fill.keys), math.Ldexp(1, -fingerprint))
	}
	o := newOwn(s, k)
	o.levels = []cpu.Level{slices.Max(o.levels)}
	return o
}

var linearKind = kind{
	title: "linear", prefix: "linear ", hash: keyhash.XX64,
	newBuilder: linear.NewBuilder, open: linear.Open,
	inBytes: func(data []byte, hashes []uint64) (found int) {
		for _, hash := range hashes {
			found += tables.One(linear.MayContainHash(data, hash))
		}
		return found
	},
	smaller: true,
	inPureGo: func(f *root.Filter, body []byte) func(hash uint64) bool {
		var layers []uint32
		lines := 0
		for _, n := range linear.Layers(f) {
			layers = append(layers, uint32(n))
			lines += n
		}
		body, r := body[:lines*asm.BlockBytes], linear.FingerprintBits(f)
		return func(hash uint64) bool { return fallback.LinearContains(body, layers, r, hash) }
	},
}
