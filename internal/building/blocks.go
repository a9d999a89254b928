package building

import (
	"cmp"
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// Format describes a filter of some number of hashes, whose blocks are filled one after the other.
type Format struct {
	Layout
	BodyBytes  uint64 // of the body, even if the format does not allow it; an empty one has no trailer and no header
	UnitBlocks int    // that depend on each other
	Probes     int

	// NearBytes is the size up to which hashes in any order fill a body as fast as hashes that are put in order first.
	NearBytes uint64

	// Fill writes the hashes of a part into the blocks of that part, which are zero, and touches no others of the body.
	Fill func(body []byte, part Part, f Format)
}

// Blocks is the Scheme of a format whose filters are blocks, and a trailer behind them or a header before.
type Blocks struct {
	layout    func(hashes uint64) Format
	listsFrom uint64 // the option, or 0
	parts     []Part // of the filter that is being filled
}

// NewBlocks returns the Scheme of the formats that layout returns for numbers of hashes.
func NewBlocks(layout func(hashes uint64) Format, o *Options) *Blocks {
	return &Blocks{layout: layout, listsFrom: o.ListsFrom}
}

// MostInOrder is [Scheme]'s.
func (b *Blocks) MostInOrder(concurrency int) int {
	from := b.layout(0).NearBytes
	if concurrency > 1 {
		from = min(from, sharedFrom)
	}
	return MostWithin(cmp.Or(b.listsFrom, from), func(hashes uint64) uint64 { return b.layout(hashes).BodyBytes })
}

// Size is [Scheme]'s.
func (b *Blocks) Size(log *hashlog.Log) (bytes uint64, allowed bool) {
	return b.layout(uint64(log.Len())).Size()
}

// Size returns the size of the filter, and whether the format allows it.
func (f Format) Size() (bytes uint64, allowed bool) {
	if f.BodyBytes == 0 {
		return 0, true
	}
	return f.BodyBytes + uint64(f.Beside()), f.BodyBytes <= f.MaxBodyBytes
}

// Build is [Scheme]'s.
func (b *Blocks) Build(log *hashlog.Log, goroutines int, memory Memory) ([]byte, error) {
	format := b.layout(uint64(log.Len()))
	data, err := memory(format.Size())
	if err != nil || len(data) == 0 {
		return data, err
	}
	if format.Frame != nil {
		format.Frame(data, format.UnitBlocks, format.Probes)
	}
	body := data[format.HeaderBytes : len(data)-format.TrailerBytes]
	b.cut(log, goroutines, uint32(uint64(len(body))/format.BlockBytes), uint32(format.UnitBlocks))
	if len(b.parts) == 1 { // without an allocation
		format.Fill(body, b.parts[0], format)
		return data, nil
	}
	parallel.Each(goroutines, len(b.parts), func(_, i int) { format.Fill(body, b.parts[i], format) })
	return data, nil
}

// UsualNearBytes is the default for formats that keep a key in one block: four times the second-level cache, and at
// most 8 MiB, since more was not measured. With an L2 of 1 MiB (Zen 4) both ways take the same time at 4 MiB. With
// one of 2 MiB (Emerald Rapids) 8 MiB are best: with 4, FastLocal filters of 16 MiB take up to a nanosecond a key
// more, though those of 8 MiB take 17 % less.
var UsualNearBytes = func() uint64 {
	l2, _ := cpu.Caches()
	return uint64(min(4*l2, 8<<20))
}()

// sharedFrom is the size of a body beyond which it pays to put the hashes into lists for
// several goroutines, so that each finds its own. With two goroutines, a FastLocal filter
// took 1.09 of one's time at 2 MiB, 0.9 at 3 and 4, 0.74 at 8 (Sapphire Rapids).
const sharedFrom = 2 << 20

// MostWithin returns the largest number of hashes whose filter's body has at most the given size.
func MostWithin(size uint64, bodyBytes func(hashes uint64) uint64) int {
	return sort.Search(math.MaxInt32, func(hashes int) bool { return bodyBytes(uint64(hashes)+1) > size })
}

// cut cuts the body into parts with about equal numbers of hashes, as far as whole units
// allow: one for each goroutine, or one in all if the hashes are not in lists.
func (b *Blocks) cut(log *hashlog.Log, goroutines int, blocks, unit uint32) {
	parts := uint64(1)
	if log.Partitioned() {
		parts = uint64(goroutines)
	}
	section := uint64(sectionBytes)
	if b.listsFrom != 0 {
		section = min(section, b.listsFrom)
	}
	b.parts = b.parts[:0]
	from, list, before := uint32(0), 0, uint64(0) // hashes in the lists before
	for i := range parts {
		to := blocks
		if i+1 < parts {
			share := uint64(log.Len()) * (i + 1) / parts
			for before+uint64(log.ListLen(list)) <= share {
				before += uint64(log.ListLen(list))
				list++
			}
			// The hashes of a list are taken to be evenly spread.
			within := float64(share-before) / float64(log.ListLen(list))
			hash := uint64(list)<<fallback.ListShift + uint64(within*(1<<fallback.ListShift))
			to = fallback.Block(hash, blocks) / unit * unit
		}
		if to > from {
			b.parts = append(b.parts, newPart(log, blocks, unit, from, to, section))
			from = to
		}
	}
}
