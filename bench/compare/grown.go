package main

import (
	"fmt"
	"iter"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
)

// loops are a filter and the loops that add to it. They do nothing else, and every filter has
// its own: a call through an interface for each key would be measured, too.
type loops interface {
	name() string
	// place makes an empty filter for the filling, over the memory or, if it is one of
	// simdbloom's, in memory of its own.
	place(memory []byte, fill filling) (bytes int, has chosen, err error)
	// save keeps what the filter is now, and returns what makes it so again.
	save() (restore func())

	addHashes(hashes []uint64)
	addKeys(keys [][]byte)
	turnHashes(added, queried []uint64) (found int)
	turnKeys(added, queried [][]byte) (found int)
}

// batcher is a filter that takes many keys in a call.
type batcher interface {
	batchHashes(hashes []uint64)
	batchKeys(keys [][]byte)
}

// sharedByGoroutines is a filter that goroutines may add to at once.
type sharedByGoroutines interface{ shared() }

// ownLoops is a filter of simdbloom's.
type ownLoops interface{ own() }

// inMemory is the memory of a filter whose bytes may be written.
type inMemory struct{ memory []byte }

func (m *inMemory) save() (restore func()) {
	saved := slices.Clone(m.memory)
	return func() { copy(m.memory, saved) }
}

// grown is a filter that grows.
type grown struct {
	loops
	level       cpu.Level
	own         bool
	perCall     int // keys in a call of batched rows
	concurrency []int
	keyBytes    int
	seed        uint64
	again       func()
	room, left  int // for keys, of a restored filter and of this one
}

func newGrown(s *settings, fill filling, level cpu.Level, l loops) *grown {
	_, own := l.(ownLoops)
	return &grown{
		loops: l, level: level, own: own, perCall: s.add, concurrency: s.concurrency.values,
		keyBytes: fill.keyBytes, seed: s.seed,
	}
}

func (g *grown) name() string {
	if g.own {
		return g.level.String() + " " + g.loops.name()
	}
	return g.loops.name()
}

func (g *grown) restore() {
	g.again()
	g.left = g.room
}

func (g *grown) take(keys int) int {
	if g.left == 0 {
		g.restore()
	}
	keys = min(keys, g.left)
	g.left -= keys
	return keys
}

func (g *grown) concurrent() bool {
	_, shared := g.loops.(sharedByGoroutines)
	return shared
}

// build adds the keys one by one.
func (g *grown) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	defer cpu.Limit(g.level)()
	if bytes, has, err = g.place(memory, fill); err != nil {
		return 0, chosen{}, err
	}
	if body := bytes / asm.BlockBytes * asm.BlockBytes; body != fill.bytes {
		return 0, chosen{}, fmt.Errorf("has %d bytes, and not %d", body, fill.bytes)
	}
	var room *queries
	number := uint64(0)
	for chunk := range hashes {
		if g.keyBytes == 0 {
			g.addHashes(chunk)
			continue
		}
		if room == nil {
			room = newQueries(len(chunk), 0, g.keyBytes)
		}
		room.number(g.seed, number, len(chunk))
		g.addKeys(room.keys[:len(chunk)])
		number += uint64(len(chunk))
	}
	g.again = g.save()
	g.room = int(fill.keys - fill.firstKeys().keys)
	g.left = g.room
	return bytes, has, nil
}

func (g *grown) rows() (rows []*row) {
	add := func(name string, how growth) {
		rows = append(rows, &row{name: g.name() + " " + name, level: g.level, own: g.own, keys: g.keyBytes > 0, grow: &how})
	}
	add(string(inTurn), growth{inTurn, 1, g.turns})
	add(string(oneKey), growth{oneKey, 1, g.add})
	if b, ok := g.loops.(batcher); ok {
		add(string(batched), growth{batched, 1, g.batches(b)})
	}
	for _, goroutines := range g.concurrency {
		if goroutines > 1 && g.concurrent() {
			add(fmt.Sprintf("%s, %d goroutines", oneKey, goroutines), growth{oneKey, goroutines, g.add})
		}
	}
	return rows
}

func (g *grown) add(added, _ *queries) {
	if g.keyBytes > 0 {
		g.addKeys(added.keys)
	} else {
		g.addHashes(added.hashes)
	}
}

func (g *grown) turns(added, queried *queries) {
	if g.keyBytes > 0 {
		queried.found = g.turnKeys(added.keys, queried.keys)
	} else {
		queried.found = g.turnHashes(added.hashes, queried.hashes)
	}
}

func (g *grown) batches(b batcher) func(added, _ *queries) {
	return func(added, _ *queries) {
		if g.keyBytes > 0 {
			inCalls(added.keys, g.perCall, b.batchKeys)()
		} else {
			inCalls(added.hashes, g.perCall, b.batchHashes)()
		}
	}
}
