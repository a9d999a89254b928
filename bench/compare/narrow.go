package main

import (
	"iter"
	"math"
)

// The filters of packages legacy and leveldb have hashes of 32 bits: here the low halves of
// 64, or for keys their own.

// narrowEntrants are these filters, as far as their formats go.
func narrowEntrants(s *settings, fill filling) (entrants []*entrant) {
	const limit = 512 << 20
	for _, c := range []contestant{newLegacy(s), newLevelDB(s)} {
		e := &entrant{contestant: c, passes: 2, leftOut: fill.bytes >= limit}
		if e.leftOut {
			e.note = "is left out: its filters are smaller than " + sizeText(limit)
		}
		entrants = append(entrants, e)
	}
	return entrants
}

// wholeBits is the bits per key of filters that take whole ones.
func wholeBits(fill filling) float64 { return math.Floor(fill.bitsPerKey) }

// narrowBuilder is a builder of such a filter.
type narrowBuilder interface {
	AddHashes(hashes []uint32)
	Finish() ([]byte, error)
	AppendFinish(dst []byte) ([]byte, error)
}

// wideBuilder is one of those that is given hashes of 64 bits.
type wideBuilder struct {
	narrowBuilder
	room []uint32
}

func (b *wideBuilder) AddHashes(hashes []uint64) { b.narrowBuilder.AddHashes(b.narrow(hashes)) }

// narrow returns the low halves of hashes, which are good until the next call.
func (b *wideBuilder) narrow(hashes []uint64) []uint32 {
	b.room = b.room[:0]
	for _, hash := range hashes {
		b.room = append(b.room, uint32(hash))
	}
	return b.room
}

// write holds the hashes of all keys.
func (b *wideBuilder) write(memory []byte, hashes iter.Seq[[]uint64]) ([]byte, error) {
	for chunk := range hashes {
		b.AddHashes(chunk)
	}
	return b.AppendFinish(memory)
}
