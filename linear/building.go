package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/linearplan"
)

// mostInOrder is how many hashes a builder keeps before it puts them into lists: a mebibyte.
const mostInOrder = 1 << 17

// scheme builds filters of one plan.
type scheme struct {
	plan     plan
	attempts attempts
}

// MostInOrder is [building.Scheme]'s.
func (s *scheme) MostInOrder(int) int {
	return building.MostInOrder(mostInOrder, func(hashes uint64) uint64 { return s.plan.lines(hashes) * asm.BlockBytes })
}

// Size returns the largest size that the filter could have.
func (s *scheme) Size(log *hashlog.Log) (bytes uint64, allowed bool) {
	lines := s.plan.lines(uint64(log.Len()))
	return mostBytes(lines), lines <= linearplan.MaxLines
}

// Build writes the filter into the beginning of the memory.
func (s *scheme) Build(log *hashlog.Log, goroutines int, memory building.Memory) ([]byte, error) {
	r, lines := s.plan.of(uint64(log.Len()))
	data, err := memory(mostBytes(lines), lines <= linearplan.MaxLines)
	if err != nil {
		return nil, err
	}
	a := &s.attempts
	a.begin(log, goroutines)
	defer a.end()
	layers, r := a.build(data[:lines*asm.BlockBytes], r, lines)
	return layout.AppendLinear(data[:linesOf(layers)*asm.BlockBytes], layers, r), nil
}
