package cold

import (
	"context"
	"sync"
)

// A key names an entry of the cache: the bytes of a unit of a file's filter, from its first byte on, or the facts of
// the file.
type key struct {
	file int32
	at   int64 // or ofFile
}

const ofFile = -1

// Classes of entries, in the order in which they are kept.
const (
	files   = iota // headers, with checksums, and the first and last bytes of filters, among them Linear's headers
	headers        // pieces with headers of Linear, if they are too many for that
	pieces
	numClasses
)

// entry is something in the cache, or on its way there.
type entry struct {
	key        key
	class      int
	cost       int64
	done       chan struct{} // closed when the rest is there
	data       []byte
	file       *file
	err        error
	prev, next *entry // in the class, from the one that was used last; nil if it is not in the cache
}

// cache keeps ranges, up to a number of bytes. Goroutines wait for a range that another one reads.
type cache struct {
	mu      sync.Mutex
	most    int64
	used    int64
	entries map[key]*entry
	used1st [numClasses]entry // heads of rings
}

func newCache(most int64) *cache {
	c := &cache{most: most, entries: make(map[key]*entry)}
	for i := range c.used1st {
		head := &c.used1st[i]
		head.prev, head.next = head, head
	}
	return c
}

// get returns an entry, which may be on its way, or a new one that the caller must read, and give to put.
func (c *cache) get(k key, class int) (e *entry, own bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[k]; e != nil {
		if e.next != nil {
			e.unlink()
			e.link(&c.used1st[e.class])
		}
		return e, false
	}
	e = &entry{key: k, class: class, done: make(chan struct{})}
	c.entries[k] = e
	return e, true
}

// overhead is about the memory of an entry besides its bytes.
const overhead = 256

// put ends the reading of an entry: of an error, of a piece or of a file. Without an error it is kept, if there is
// room.
func (c *cache) put(e *entry, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.cost = bytes + overhead; e.err != nil || e.cost > c.most {
		delete(c.entries, e.key)
	} else {
		e.link(&c.used1st[e.class])
		c.used += e.cost
		for class := numClasses - 1; c.used > c.most; {
			last := c.used1st[class].prev
			if last == &c.used1st[class] {
				class--
				continue
			}
			last.unlink()
			c.used -= last.cost
			delete(c.entries, last.key)
		}
	}
	close(e.done)
}

func (e *entry) link(head *entry) {
	e.prev, e.next = head, head.next
	e.prev.next, e.next.prev = e, e
}

func (e *entry) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
	e.prev, e.next = nil, nil
}

// isThere reports whether nobody reads the entry any more.
func (e *entry) isThere() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// wait waits for an entry that another call reads. again says that the call was ended, which is no reason for this one
// to end.
func (e *entry) wait(ctx context.Context) (again bool, err error) {
	select {
	case <-e.done:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if e.err != nil && isEnd(e.err) && ctx.Err() == nil {
		return true, nil
	}
	return false, e.err
}
