package hashlog

import (
	"sync"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/aligned"
)

const (
	slabSize = 1 << 21 // hashes: 16 MiB
	pageSize = 1 << 18 // hashes in a huge page, of which slabs are made

	mostChunks = 28 // of 512 KiB, before the first slab
)

// slab is the unit in which a log allocates much memory, for huge pages: a fresh one costs a
// fifth of what its hashes would cost in fresh pages of 4 KiB.
type slab [slabSize]uint64

var slabPool = sync.Pool{New: func() any { return (*slab)(aligned.Words(slabSize)) }}

// source is where the shards of a log take memory from.
type source struct {
	mu     sync.Mutex
	slabs  []*slab
	rest   []uint64 // of the last one
	chunks []*chunk // taken over, and others
	unused int      // the last ones of them
}

// memory returns memory that nothing else uses: a chunk or a huge page.
func (s *source) memory() []uint64 {
	s.mu.Lock()
	if s.unused > 0 {
		chunk := s.chunks[len(s.chunks)-s.unused]
		s.unused--
		s.mu.Unlock()
		return chunk[:]
	}
	if len(s.chunks) < mostChunks {
		chunk := (*chunk)(newChunk(chunkSize)[:chunkSize])
		s.chunks = append(s.chunks, chunk)
		s.mu.Unlock()
		return chunk[:]
	}
	if len(s.rest) == 0 {
		slab := slabPool.Get().(*slab)
		s.slabs = append(s.slabs, slab)
		s.rest = slab[:]
	}
	page := s.rest[:pageSize]
	s.rest = s.rest[pageSize:]
	s.mu.Unlock()
	aligned.Collapse(page) // slow where it is new, so without the lock
	return page
}

// take adopts a chunk. It must not be called concurrently.
func (s *source) take(c *chunk) {
	s.chunks = append(s.chunks, c)
	s.unused++
}

func (s *source) reset() {
	for _, slab := range s.slabs {
		slabPool.Put(slab)
	}
	for _, chunk := range s.chunks {
		free(chunk[:])
	}
	clear(s.slabs)
	clear(s.chunks)
	s.slabs, s.rest = s.slabs[:0], nil
	s.chunks, s.unused = s.chunks[:0], 0
}

// segments cuts memory of a source into segments, for one goroutine.
type segments struct {
	source *source
	rest   []uint64 // of what it gave last
}

func (s *segments) next() *fallback.Segment {
	if len(s.rest) < fallback.SegmentSize {
		s.rest = s.source.memory()
	}
	segment := (*fallback.Segment)(s.rest)
	s.rest = s.rest[fallback.SegmentSize:]
	return segment
}
