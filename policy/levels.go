package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
)

// ByLevel returns a policy for each level, given its number of keys. Together the policies take no more memory than
// p in every level, and have the fewest false positives. A lookup of an absent key queries a filter in every level,
// so the sum of the rates is the expected number of tables that are read in vain. A bit per key costs little in a
// small level: FastLocal(10) becomes 27.1, 20.4, 14.7 and 9.4 bits per key for levels of 1, 10, 100 and 1,000
// million keys, and the reads fall from 39 to 14 per 1,000 absent keys (Dayan, Athanassoulis, Idreos: Monkey,
// SIGMOD 2017).
//
// The policies have p's format and name, so tables may move between levels. Mainly the proportions of the numbers
// matter: estimates will do, and a level that is empty now should count with the keys that it will have. One of 0
// keys gets p, and one that is best left without a filter a policy of 0 bits per key. Levels of more than ten million
// keys count as tables of ten million: [Policy.SizeBytes] and [Policy.PredictedFPR] of a table's keys return its
// filter's size and rate.
//
// The sum is within about 0.1 % of the least by [Policy.PredictedFPR], among policies of up to 100 bits per key, or
// 40 with key hashes of 32 bits. A negative number is an error, and so are policies of [New].
// ByLevel costs up to a tenth of a second, for Paired one or two, and with key hashes of 32 bits some seconds: call it
// once, for a store's options.
func (p *Policy) ByLevel(keys ...int64) ([]*Policy, error) {
	bytes := 0.0
	for _, n := range keys {
		_, size := p.inLevel(n)
		bytes += size
	}
	return p.byLevel(bytes, keys)
}

// ByLevelWithin is [Policy.ByLevel] for filters of at most the given number of bytes in all levels together. It
// uses p's bits per key only for levels of 0 keys.
func (p *Policy) ByLevelWithin(bytes int64, keys ...int64) ([]*Policy, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("policy: ByLevelWithin: the number of bytes must be at least 0, not %d", bytes)
	}
	return p.byLevel(float64(bytes), keys)
}

func (p *Policy) byLevel(bytes float64, keys []int64) ([]*Policy, error) {
	if p.own != nil {
		return nil, fmt.Errorf("policy: ByLevel: filters of %s have no bits per key", p.kind.recorded)
	}
	all := make([]*Policy, len(keys))
	var filled []int // indexes of levels that have keys
	var best []choice
	largest := int64(1)
	for i, n := range keys {
		if n < 0 {
			return nil, fmt.Errorf("policy: ByLevel: a level's number of keys must be at least 0, not %d", n)
		}
		largest = max(largest, n)
		if all[i] = p; n > 0 {
			filled, best = append(filled, i), append(best, choice{millibits: p.millibits()})
		}
	}
	m := p.menu(bytes, largest)
	for _, unit := range m.units {
		var choices [][]choice
		for i, level := range filled {
			choices = append(choices, m.of(keys[level], best[i].millibits, unit))
		}
		best = fewestReads(choices, bytes)
	}
	for i, level := range filled {
		all[level] = p.at(best[i].millibits)
	}
	return all, nil
}

// millibits returns the bits per key in thousandths, or 0 for those of no filter.
func (p *Policy) millibits() int {
	if p.alwaysTrue() {
		return 0
	}
	return int(math.Round(1000 * max(p.bitsPerKey, 1)))
}

// at returns the policy with other bits per key.
func (p *Policy) at(millibits int) *Policy {
	other := *p
	other.bitsPerKey, other.fpr = float64(millibits)/1000, 0
	bits := strconv.FormatFloat(other.bitsPerKey, 'f', -1, 64)
	switch other.text = p.kind.recorded + ":" + bits; {
	case p.bloomBefore != noLevel && p.kind.format == simdbloom.Ribbon:
		other.text = fmt.Sprintf("ribbonfilter:%s:%d", bits, p.bloomBefore)
	case p.kind.format == simdbloom.Paired && p.kind.batchBlocks == 0:
		other.text = "simdbloom.Paired:" + bits
	}
	return &other
}

// mostInTable is the number of keys of a table of a larger level.
const mostInTable = 10_000_000

// inLevel returns the number of keys of a level's table, and the size of the level's filters.
func (p *Policy) inLevel(keys int64) (inTable int, bytes float64) {
	if keys > 0 && !p.alwaysTrue() {
		inTable = int(min(keys, mostInTable))
		bytes = float64(p.SizeBytes(inTable)) * (float64(keys) / float64(inTable))
	}
	return inTable, bytes
}

// menu has the choices for levels.
type menu struct {
	policy     *Policy
	bytes      float64 // of all levels
	units      []int   // by which bits per key differ, in thousandths: all over in the first round, then near the choice
	most       int     // thousandths of bits per key
	negligible float64 // rate
	rates      map[table]float64
}

// table is a table with its filter.
type table struct{ keys, millibits int }

func (p *Policy) menu(bytes float64, largest int64) *menu {
	m := &menu{policy: p, bytes: bytes, rates: make(map[table]float64), units: []int{100, 10, 1}, most: 1000 * building.MostBitsPerKey}
	if formats.Of(asm.Format(p.kind.format)).Narrow { // whole bits per key
		m.units, m.most = []int{1000}, 40_000
	}
	// If the largest level had all bytes, it would still have about this rate.
	if most := 8000 * bytes / float64(largest); most >= 1000 {
		m.negligible = 1e-6 * m.rate(table{int(min(largest, mostInTable)), int(min(most, float64(m.most)))})
	}
	return m
}

func (m *menu) rate(t table) float64 {
	rate, ok := m.rates[t]
	if !ok {
		rate = m.policy.at(t.millibits).PredictedFPR(t.keys)
		m.rates[t] = rate
	}
	return rate
}

// of returns the choices for a level of keys, by their bytes: no filter, and those that fit, each with a lower rate
// than the one before it. They are whole units and the choice of the round before.
func (m *menu) of(keys int64, before, unit int) []choice {
	const near = 25
	from, to := 1000, m.most
	if unit != m.units[0] {
		from, to = max(from, before-near*unit), min(to, before+near*unit)
	}
	all := []choice{{rate: 1}}
	add := func(millibits int) (more bool) {
		inTable, size := m.policy.at(millibits).inLevel(keys)
		if size > m.bytes {
			return false
		}
		c := choice{millibits, size, m.rate(table{inTable, millibits})}
		all = append(all, c)
		return c.rate > m.negligible
	}
	if before > 0 {
		add(before)
	}
	for millibits := from; millibits <= to && add(millibits); millibits += unit {
	}
	slices.SortFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.rate, b.rate), b.millibits-a.millibits)
	})
	better := all[:1]
	for _, c := range all[1:] {
		if c.rate < better[len(better)-1].rate {
			better = append(better, c)
		}
	}
	return better
}
