package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
)

// rows512 are those of a paired filter, of the lower block and then of the
// higher.
type rows512 struct {
	*pairs
	r    *blocks.Rows512
	sets *sets512
	rows int

	factors blocks.Factors
}

func (s *rows512) OctetBytes() int { return 2 * s.rows * blocks.Row512Bytes }

func (s *rows512) KeyBytes() int { return blocks.Row512KeyBytes }

func (s *rows512) Prepare(hashes, to Mem) {
	highs := s.r.Highs(hashes)
	for row := range s.rows {
		var lower, higher []reg.VecVirtual
		for _, products := range s.r.ProductsOf(row, highs, s.factors) {
			l, h := s.sets.sets(products)
			lower, higher = append(lower, l), append(higher, h)
		}
		s.r.PrepareRow(lower, to.Offset(row*blocks.Row512Bytes))
		s.r.PrepareRow(higher, to.Offset((s.rows+row)*blocks.Row512Bytes))
	}
}

func (s *rows512) Round() int { return 2 }

func (s *rows512) Mixed() bool { return s.rows == 1 }

func (s *rows512) Set(key int, offsets, from Mem) {
	lower, higher := s.block(0, key, offsets), s.block(1, key, offsets)
	s.r.SetRows(key, s.rows, from, lower)
	s.r.SetRows(key, s.rows, from.Offset(s.rows*blocks.Row512Bytes), higher)
}
