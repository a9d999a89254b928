// Package hashlog keeps the hashes that a filter's builder collects until it
// knows how many there are.
//
// They lie in chunks that are never copied again: first small ones, so that a
// small filter costs little, then chunks of 512 KiB, which come from a pool and
// go back to it. A million hashes take at most 8.6 bytes each.
package hashlog

import (
	"iter"
	"sync"
)

const (
	smallest  = 64      // hashes in the first chunk
	chunkSize = 1 << 16 // hashes in a chunk that is worth pooling
)

var pool = sync.Pool{New: func() any { return new([chunkSize]uint64) }}

// Log is a list of hashes that drops each one that is equal to the one just
// before it. The zero Log is empty and ready. It is for one goroutine at a time;
// several may read it together with All.
type Log struct {
	chunks [][]uint64 // in order of size: full ones, the one being filled, unused small ones
	used   int        // chunks with hashes in them
	last   []uint64   // the one being filled, chunks[used-1]; its end is the newest hash
	n      int        // hashes in the chunks before it
}

// Len returns the number of hashes kept.
func (l *Log) Len() int { return l.n + len(l.last) }

// Add appends one hash, unless it equals the one before.
func (l *Log) Add(hash uint64) {
	n := len(l.last)
	if n > 0 && l.last[n-1] == hash {
		return
	}
	if n == cap(l.last) {
		l.grow()
	}
	l.last = append(l.last, hash)
}

// AddAll appends hashes in order, each unless it equals the one before.
func (l *Log) AddAll(hashes []uint64) {
	for len(hashes) > 0 {
		n := len(l.last)
		if n == cap(l.last) { // or nothing was added yet
			l.Add(hashes[0])
			hashes = hashes[1:]
			continue
		}
		room := l.last[n:cap(l.last)]
		take := min(len(room), len(hashes))
		before, kept := l.last[n-1], 0
		for _, hash := range hashes[:take] {
			room[kept] = hash
			if hash != before {
				kept++
			}
			before = hash
		}
		l.last = l.last[:n+kept]
		hashes = hashes[take:]
	}
}

// grow goes on to the next chunk, which is as large as all before it together,
// up to chunkSize.
func (l *Log) grow() {
	if l.used > 0 {
		l.chunks[l.used-1] = l.last
		l.n += len(l.last)
	}
	if l.used == len(l.chunks) {
		if size := max(smallest, l.n); size < chunkSize {
			l.chunks = append(l.chunks, make([]uint64, 0, size))
		} else {
			l.chunks = append(l.chunks, pool.Get().(*[chunkSize]uint64)[:0])
		}
	}
	l.last = l.chunks[l.used]
	l.used++
}

// All yields the hashes in order, a chunk at a time, to be read only.
func (l *Log) All() iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for i := range l.used - 1 {
			if !yield(l.chunks[i]) {
				return
			}
		}
		if len(l.last) > 0 {
			yield(l.last)
		}
	}
}

// Reset empties the log. Nothing that All yielded may still be in use. The small
// chunks stay for the next use, 512 KiB at most; the others go back to the pool
// and may be another log's.
func (l *Log) Reset() {
	for i, chunk := range l.chunks {
		if cap(chunk) < chunkSize {
			l.chunks[i] = chunk[:0]
			continue
		}
		for _, chunk := range l.chunks[i:] {
			pool.Put((*[chunkSize]uint64)(chunk[:chunkSize]))
		}
		clear(l.chunks[i:])
		l.chunks = l.chunks[:i]
		break
	}
	*l = Log{chunks: l.chunks}
}
