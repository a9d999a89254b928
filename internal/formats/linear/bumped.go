package linear

import (
	"math/bits"
	"sync"
)

// bumpedKeys is a source of keys that a layer has bumped: the keys of the next one. Each goroutine
// adds to a shard of its own.
type bumpedKeys struct{ shards []*shard }

const (
	segmentSize = 512 // hashes: a page

	// Bumped keys are in lists of this many hashes on average if all keys are bumped, which is
	// four times as many as usual.
	hashesPerList = 1 << 15
	mostLists     = 512
)

type segment [segmentSize]uint64

var segmentPool = sync.Pool{New: func() any { return new(segment) }}

// empty empties it and gets it ready for keys that are bumped from a layer of the
// given number of keys.
func (p *bumpedKeys) empty(keys uint64) {
	lists := 1 << min(bits.Len64(keys/hashesPerList), bits.Len(mostLists-1))
	for _, s := range p.shards {
		s.empty(lists)
	}
}

func (p *bumpedKeys) len() (n uint64) {
	for _, s := range p.shards {
		for i := range s.lists {
			n += s.lists[i].len()
		}
	}
	return n
}

// appendTo appends all of them.
func (p *bumpedKeys) appendTo(hashes []uint64) []uint64 {
	for i := range p.lists() {
		p.each(i, nil, func(some []uint64) { hashes = append(hashes, some...) })
	}
	return hashes
}

func (p *bumpedKeys) lists() int { return len(p.shards[0].lists) }

func (p *bumpedKeys) each(list int, _ *segment, do func(hashes []uint64)) {
	for _, s := range p.shards {
		l := &s.lists[list]
		for i, segment := range l.segments {
			if i+1 < len(l.segments) {
				do(segment[:])
			} else {
				do(segment[:l.inLast])
			}
		}
	}
}

// shard is the part of bumped keys that one goroutine fills.
type shard struct {
	lists []list
	shift int // from the low half of a hash to its list's number
}

// list is hashes in segments, all of them full but the last.
type list struct {
	segments []*segment
	last     *segment // nil if there is none
	inLast   int
}

func (l *list) len() uint64 {
	return uint64(max(0, len(l.segments)-1))*segmentSize + uint64(l.inLast)
}

func (s *shard) addAll(hashes []uint64) {
	lists, shift := s.lists, s.shift
	for _, hash := range hashes {
		l := &lists[uint32(hash)>>shift]
		if l.last == nil || l.inLast == segmentSize {
			l.last, l.inLast = segmentPool.Get().(*segment), 0
			l.segments = append(l.segments, l.last)
		}
		l.last[l.inLast%segmentSize] = hash
		l.inLast++
	}
}

// empty returns the segments to the pool and sets the number of lists.
func (s *shard) empty(lists int) {
	for i := range s.lists {
		l := &s.lists[i]
		for k, segment := range l.segments {
			segmentPool.Put(segment)
			l.segments[k] = nil
		}
		l.segments, l.last, l.inLast = l.segments[:0], nil, 0
	}
	if lists > cap(s.lists) {
		s.lists = append(s.lists[:cap(s.lists)], make([]list, lists-cap(s.lists))...)
	}
	s.lists, s.shift = s.lists[:lists], listShift(lists)
}
