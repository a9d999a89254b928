package main

import (
	"container/list"
	"sync"

	"github.com/simdbloom/simdbloom/filterblock"
)

// cache is a filterblock.Cache that keeps the partitions which were used last, up to a number of bytes. An engine's
// block cache keeps data blocks, too, of all tables: a handle and the table's number are the name of a block there.
type cache struct {
	lock       sync.Mutex
	room       int // bytes that are left
	partitions map[filterblock.Handle]*list.Element
	used       list.List // of cached, the last one used at the front
}

type cached struct {
	handle    filterblock.Handle
	partition []byte
}

func newCache(bytes int) *cache {
	return &cache{room: bytes, partitions: make(map[filterblock.Handle]*list.Element)}
}

func (c *cache) Get(h filterblock.Handle) ([]byte, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	e, ok := c.partitions[h]
	if !ok {
		return nil, false
	}
	c.used.MoveToFront(e)
	return e.Value.(cached).partition, true
}

func (c *cache) Put(h filterblock.Handle, partition []byte) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if _, ok := c.partitions[h]; ok {
		return // another goroutine was faster
	}
	c.partitions[h] = c.used.PushFront(cached{h, partition})
	for c.room -= len(partition); c.room < 0; {
		last := c.used.Remove(c.used.Back()).(cached)
		delete(c.partitions, last.handle)
		c.room += len(last.partition)
	}
}
