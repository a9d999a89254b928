package main

import (
	"encoding/binary"
	"fmt"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// ribbonEntrant is a Ribbon filter with FastLocal's rate, where there are enough keys for one
// and not too many for memory.
func ribbonEntrant(c contestant, fill filling) *entrant {
	const (
		finishTakes = 10   // times what adding keys does
		fewest      = 1000 // of fewer keys, it may be a FastLocal filter
	)
	e := notInLarge(c, fill, "memory")
	e.passes = 1 + finishTakes
	if fill.keys < fewest {
		e.leftOut, e.note = true, fmt.Sprintf("is left out: of fewer than %d keys, it may be a FastLocal filter", fewest)
	}
	return e
}

// newRibbon returns package ribbon's filter.
func newRibbon(s *settings) *own { return newOwn(s, ribbonKind) }

var ribbonKind = kind{
	title: "ribbon", prefix: "ribbon ", hash: keyhash.XX64,
	newBuilder: ribbon.NewBuilder, open: ribbon.Open,
	inBytes: func(data []byte, hashes []uint64) (found int) {
		for _, hash := range hashes {
			found += tables.One(ribbon.MayContainHash(data, hash))
		}
		return found
	},
	smaller:   true,
	bodyBytes: func(bytes int) int { return bytes - ribbonTrailerBytes },
	inPureGo: func(f *root.Filter, body []byte) func(hash uint64) bool {
		last := binary.LittleEndian.Uint32(f.Bytes()[len(body)+1:]) // the seed, and the blocks
		shape := fallback.NewRibbonShape(uint64(len(body)), last>>8, byte(last))
		return func(hash uint64) bool { return fallback.RibbonContains(body, &shape, hash) }
	},
}

const ribbonTrailerBytes = 5
