package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

// lengths is a range of keys' lengths, in bytes.
type lengths struct{ least, most int }

var allLengths = []lengths{{8, 8}, {16, 16}, {20, 20}, {24, 24}, {32, 32}, {64, 64}, {0, 64}}

func (l lengths) String() string {
	if l.least < l.most {
		return fmt.Sprintf("%d to %d", l.least, l.most)
	}
	return fmt.Sprint(l.least)
}

// put writes the key of a number, which gives its bytes and its length. It may write up to seven bytes behind the key.
func (l lengths) put(to []byte, number uint64) []byte {
	word := splitmix.Value(1, number)
	n := l.least + int(word>>32)%(l.most-l.least+1)
	for at := 0; at < n; at += 8 {
		binary.LittleEndian.PutUint64(to[at:], word*uint64(2*at+1)+number)
	}
	return to[:n:n]
}

// slotBytes is the memory for a key that is scattered: a cache line.
const slotBytes = 64

// A pool has keys to look up: others in each round, so that no line of a filter is in a cache because the last round
// read it.
type pool struct {
	lengths
	present uint64 // keys with a number below this are in the filter
	random  *rand.Rand
	memory  []byte
	keys    [][]byte // the round's, or all scattered ones
	next    int
}

// newPool returns a pool with room for the given number of keys: one round's, or, if they are scattered, many rounds'
// keys at random places of its memory.
func newPool(l lengths, keys int, scattered bool, present uint64) *pool {
	p := &pool{lengths: l, present: present, random: rand.New(rand.NewPCG(1, uint64(l.most))), memory: make([]byte, keys*slotBytes), keys: make([][]byte, keys)}
	if !scattered {
		return p
	}
	for i, slot := range p.random.Perm(keys) {
		p.keys[i] = p.put(p.memory[slot*slotBytes:][:slotBytes], p.number())
	}
	return p
}

// number returns the number of a key, which is present in half of the cases.
func (p *pool) number() uint64 {
	if p.random.Uint64()&1 == 0 {
		return p.random.Uint64N(p.present)
	}
	return p.random.Uint64() | 1<<63
}

// take returns keys for a round. If it takes all keys of the pool, it writes new ones first, one behind the other.
func (p *pool) take(n int) [][]byte {
	if n < len(p.keys) {
		if p.next+n > len(p.keys) {
			p.next = 0
		}
		keys := p.keys[p.next : p.next+n]
		p.next += n
		return keys
	}
	at := 0
	for i := range p.keys {
		p.keys[i] = p.put(p.memory[at:], p.number())
		at += len(p.keys[i])
	}
	return p.keys
}
