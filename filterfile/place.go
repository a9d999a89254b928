package filterfile

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// place says which piece a lookup reads.
type place struct {
	way   way
	lines uint32
	shift int // from a line's number to its piece's
}

type way int

const (
	anywhere    way = iota // in any piece
	byProduct              // the line is a fraction of all lines
	byRemainder            // the line is a remainder
)

// piece returns the piece that a lookup of the hash reads. There is one unless the way is
// anywhere.
func (p *place) piece(hash uint64) int {
	if p.way == byRemainder {
		return int(uint32(hash) % p.lines >> p.shift)
	}
	return int(asm.Block(hash, p.lines) >> p.shift)
}

// placeOf returns where a filter's lookups read. A paired line is in the same batch as its
// pair, and a batch, 2 or 8 KiB, is in one piece.
func placeOf(f lookups, data []byte) place {
	switch f := f.(type) {
	case fastLocalSource:
		if f.Kind() == bloom.FastLocal {
			return products((len(data) - fastlocal.TrailerBytes) / asm.BlockBytes)
		}
	case pairedSource:
		if f.BatchBlocks() > 0 {
			return products(len(data) / asm.BlockBytes) // the trailer is shorter than a line
		}
	case ribbonSource:
		if f.Kind() == ribbon.FastLocal {
			return products((len(data) - fastlocal.TrailerBytes) / asm.BlockBytes)
		}
	default:
		old, err := legacy.Open(data)
		if err == nil && old.Kind() == legacy.Legacy && f.Hash() == readers[legacyName].Hash() {
			return remainders(old.NumLines(), (len(data)-fastlocal.TrailerBytes)/old.NumLines())
		}
	}
	return place{}
}

func products(lines int) place {
	return place{byProduct, uint32(lines), shiftFor(asm.BlockBytes)}
}

// remainders is for lines of 2^m bytes.
func remainders(lines, bytes int) place {
	if bytes > stored.PieceBytes {
		return place{}
	}
	return place{byRemainder, uint32(lines), shiftFor(bytes)}
}

// shiftFor returns the logarithm of the lines in a piece.
func shiftFor(line int) (shift int) {
	for ; line<<shift < stored.PieceBytes; shift++ {
	}
	return shift
}
