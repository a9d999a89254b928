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
	full [][]uint64
	last []uint64 // the chunk being filled; its end is the newest hash
	n    int      // hashes in full
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
		if len(l.last) == 0 || len(l.last) == cap(l.last) {
			l.Add(hashes[0])
			hashes = hashes[1:]
			continue
		}
		n := len(l.last)
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

// grow begins a chunk as large as all before it together, up to chunkSize.
func (l *Log) grow() {
	if len(l.last) > 0 {
		l.full = append(l.full, l.last)
		l.n += len(l.last)
	}
	if size := max(smallest, l.n); size < chunkSize {
		l.last = make([]uint64, 0, size)
	} else {
		l.last = pool.Get().(*[chunkSize]uint64)[:0]
	}
}

// All yields the hashes in order, a chunk at a time, to be read only.
func (l *Log) All() iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for _, chunk := range l.full {
			if !yield(chunk) {
				return
			}
		}
		if len(l.last) > 0 {
			yield(l.last)
		}
	}
}

// Reset empties the log. Its memory may be another log's afterwards: nothing
// that All yielded may still be in use. One small chunk stays for the next use.
func (l *Log) Reset() {
	var small []uint64
	for _, chunk := range append(l.full, l.last) {
		if cap(chunk) == chunkSize {
			pool.Put((*[chunkSize]uint64)(chunk[:chunkSize]))
		} else {
			small = chunk[:0]
		}
	}
	*l = Log{last: small}
}
