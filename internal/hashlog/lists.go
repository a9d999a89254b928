package hashlog

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// Lists is how many lists there are. The list of a hash is the top bits of those
// that choose its block.
const Lists = fallback.Lists

// lists are the lists of a log: each goroutine that fills them has a shard.
type lists struct {
	source  source
	shards  []*shard
	mix     func(dst, hashes []uint64) // or nil
	staging [staged]uint64
}

func newLists(mix func(dst, hashes []uint64)) *lists {
	l := &lists{mix: mix}
	l.grow(1)
	return l
}

// grow adds shards until there are n.
func (l *lists) grow(n int) {
	for len(l.shards) < n {
		l.shards = append(l.shards, &shard{segments: segments{source: &l.source}, mix: l.mix})
	}
}

// add adds hashes, at least one, and drops none.
func (l *lists) add(hashes []uint64) { l.shards[0].add(^hashes[0], hashes) }

// addPieces adds hashes, each unless it equals the one before, with n goroutines.
func (l *lists) addPieces(before uint64, hashes []uint64, n int) {
	if n == 1 {
		l.shards[0].add(before, hashes)
		return
	}
	l.grow(n)
	parallel.Each(n, (len(hashes)+piece-1)/piece, func(goroutine, i int) {
		from, before := i*piece, before
		if from > 0 {
			before = hashes[from-1]
		}
		l.shards[goroutine].add(before, hashes[from:min(from+piece, len(hashes))])
	})
}

func (l *lists) len() (n int) {
	for _, shard := range l.shards {
		n += shard.kept
	}
	return n
}

func (l *lists) listLen(list int) (n int) {
	for _, shard := range l.shards {
		n += len(shard.full[list])*fallback.SegmentSize + shard.open[list].Len
	}
	return n
}

// all yields the hashes of a list, and reports whether more are wanted.
func (l *lists) all(list int, yield func([]uint64) bool) bool {
	for _, shard := range l.shards {
		full, open := shard.full[list], shard.open[list]
		for i, segment := range full {
			if i+1 < len(full) {
				asm.PrefetchSegment(full[i+1])
			} else {
				asm.PrefetchSegment(open.Segment)
			}
			if !yield(segment[:]) {
				return false
			}
		}
		if open.Len > 0 && !yield(open.Segment[:open.Len]) {
			return false
		}
	}
	return true
}

func (l *lists) reset() {
	for _, shard := range l.shards {
		shard.reset()
	}
	l.source.reset()
}

// shard is the part of all lists that one goroutine fills.
type shard struct {
	segments segments
	open     [fallback.Lists]fallback.OpenList
	full     [Lists][]*fallback.Segment
	kept     int // hashes
	mix      func(dst, hashes []uint64)
	mixed    []uint64
}

const mixedAtOnce = 1024 // hashes

// add adds hashes, each unless it equals the one before.
func (s *shard) add(before uint64, hashes []uint64) {
	if s.open[0].Segment == nil {
		for i := range s.open {
			s.open[i].Segment = s.segments.next()
		}
	}
	if s.mix == nil {
		s.put(before, hashes)
		return
	}
	if s.mixed == nil {
		s.mixed = make([]uint64, mixedAtOnce)
	}
	s.mixed[0] = before
	s.mix(s.mixed, s.mixed[:1])
	for before = s.mixed[0]; len(hashes) > 0; {
		n := min(mixedAtOnce, len(hashes))
		s.mix(s.mixed, hashes[:n])
		s.put(before, s.mixed[:n])
		before, hashes = s.mixed[n-1], hashes[n:]
	}
}

// put puts hashes into their lists.
func (s *shard) put(before uint64, hashes []uint64) {
	for len(hashes) > 0 {
		taken, kept := asm.Partition(&s.open, before, hashes)
		s.kept += kept
		before = hashes[taken-1]
		hashes = hashes[taken:]
		if list := fallback.ListOf(before); s.open[list].Len == fallback.SegmentSize {
			s.full[list] = append(s.full[list], s.open[list].Segment)
			s.open[list] = fallback.OpenList{Segment: s.segments.next()}
		}
	}
}

// reset empties the shard. The room for pointers stays.
func (s *shard) reset() {
	for i, full := range s.full {
		clear(full) // else they keep slabs alive
		s.full[i] = full[:0]
	}
	s.open = [fallback.Lists]fallback.OpenList{}
	s.segments.rest = nil
	s.kept = 0
}
