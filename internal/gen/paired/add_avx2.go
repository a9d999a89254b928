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
	r    *blocks.Rows256
	sets *sets256
	rows int
}

func (s *rows256) OctetBytes() int { return shared.Octet * s.KeyBytes() }

func (s *rows256) KeyBytes() int { return 2 * s.rows * blocks.RowBytes }

func (s *rows256) Prepare(hashes, to Mem) {
	s.EachPrepared(s, hashes, to, func(hash, to Mem) {
		high := blocks.Powers.Key256(s.Fn, hash)
		for row := range s.rows {
			products := s.Fn.YMM()
			s.Fn.VPMULLD(Mem{Base: s.Multipliers, Disp: blocks.RowBytes * row}, high, products)
			lower, higher := s.sets.sets(products)
			s.r.Store(lower, to.Offset(row*blocks.RowBytes))
			s.r.Store(higher, to.Offset((s.rows+row)*blocks.RowBytes))
		}
	})
}

func (s *rows256) Round() int { return 2 }

func (s *rows256) Mixed() bool { return false }

func (s *rows256) Set(key int, offsets, from Mem) {
	lower, higher := s.both(key, offsets)
	s.r.SetRows(s.Probes, from.Offset(2*key*s.rows*blocks.RowBytes), lower)
	s.r.SetRows(s.Probes, from.Offset((2*key+1)*s.rows*blocks.RowBytes), higher)
}
