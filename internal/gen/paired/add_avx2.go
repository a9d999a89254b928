package paired

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// rows256 are those of a paired filter: of each key, of the lower block and then
// of the higher.
type rows256 struct {
	*pairs
	b    *blocks.Bytes256
	sets *sets256
	n    Mem // probes of a block, on the stack
	rows int
}

func (s *rows256) OctetBytes() int { return shared.Octet * s.KeyBytes() }

func (s *rows256) KeyBytes() int { return 2 * s.rows * blocks.RowsBytes }

func (s *rows256) Prepare(hashes, to Mem) {
	s.EachPrepared(s, hashes, to, func(hash, to Mem) {
		high := blocks.Powers.Key256(s.Fn, hash)
		for row := range s.rows {
			products := s.Fn.YMM()
			s.Fn.VPMULLD(Mem{Base: s.Multipliers, Disp: blocks.RowBytes * row}, high, products)
			lower, higher := s.sets.sets(products)
			s.b.Store(lower, row, s.rows, to)
			s.b.Store(higher, row, s.rows, to.Offset(s.KeyBytes()/2))
		}
	})
}

func (s *rows256) Round() int { return 2 }

func (s *rows256) Mixed() bool { return false }

func (s *rows256) Set(key int, offsets, from Mem) {
	for half := range 2 {
		s.b.SetRows(s.n, s.rows, from.Offset((2*key+half)*s.KeyBytes()/2), s.block(half, key, offsets))
	}
}
