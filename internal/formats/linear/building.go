package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// mostInOrder is how many hashes a builder keeps before it puts them into lists: a mebibyte.
const mostInOrder = 1 << 17

// scheme builds filters of one setting.
type scheme struct {
	setting   setting
	listsFrom uint64 // the option, or 0
	attempts  attempts
	plans     [64]planned // the last plan by the number of keys modulo 64: numbers of small filters recur
}

// planned is the plan for some number of keys, and the number of lines that a small filter tries to have.
type planned struct {
	keys, least uint64
	plan        Plan
}

// MostInOrder is [building.Scheme]'s.
func (s *scheme) MostInOrder(int) int {
	if s.listsFrom == 0 {
		return mostInOrder
	}
	return building.MostWithin(s.listsFrom, func(hashes uint64) uint64 { return s.setting.lines(hashes) * lineBytes })
}

// Size returns the largest size that the filter could have.
func (s *scheme) Size(log *hashlog.Log) (bytes uint64, allowed bool) {
	lines := s.setting.lines(uint64(log.Len()))
	return mostBytes(lines), lines <= MaxLines
}

// Build writes the filter into the beginning of the memory.
func (s *scheme) Build(log *hashlog.Log, goroutines int, room building.Memory) ([]byte, error) {
	keys := uint64(log.Len())
	if keys == 0 {
		data, err := room(mostBytes(0), true)
		return AppendTrailer(data[:0], nil, 0, fallback.MostLinearBits), err
	}
	known := &s.plans[keys%uint64(len(s.plans))]
	if known.keys != keys {
		known.plan, known.least = s.setting.plan(keys)
		known.keys = keys
	}
	p := known.plan
	data, err := room(mostBytes(p.Lines), p.Lines <= MaxLines)
	if err != nil {
		return nil, err
	}
	a := &s.attempts
	a.begin(log, goroutines)
	defer a.end()
	m := memory{data[:p.Lines*asm.BlockBytes], data[p.Lines*asm.BlockBytes:][:p.Lines]}
	p = a.build(m, p, known.least)
	n := a.layers.NumLines()
	copy(data[n*asm.BlockBytes:], m.headers[:n]) // behind the lines that there are
	return AppendTrailer(data[:n*lineBytes], a.multipliers, p.Cut, p.Bits), nil
}
