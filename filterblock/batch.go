package filterblock

import (
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/batches"
)

// MayContainKeys sets hits[i] to MayContain(keys[i]). Keys may be in any order, and repeated. Each
// partition is loaded once, and batch kernels look up the keys that it has. Keys in the table's
// order take the least time. It panics if hits is shorter than keys, before anything is written.
// It uses its memory again: 40 bytes a key.
func (r *Reader) MayContainKeys(keys [][]byte, hits []bool) { r.each(pointLookup, keys, hits) }

// MayContainPrefixes sets hits[i] to MayContainPrefix(prefixes[i]), as MayContainKeys does.
func (r *Reader) MayContainPrefixes(prefixes [][]byte, hits []bool) {
	r.each(prefixLookup, prefixes, hits)
}

// mostTogether is how many keys are looked up together: their indexes fit in 32 bits, and memory is
// bounded.
const mostTogether = 1 << 20

func (r *Reader) each(q query, keys [][]byte, hits []bool) {
	batches.CheckKeys(len(keys), hits)
	if r.index == nil && !r.ofPrefixes(q) { // the filter answers for every key
		r.containsKeys(keys, hits)
		may := 0
		for _, hit := range hits[:len(keys)] {
			if hit {
				may++
			}
		}
		r.o.Counters.countKeys(len(keys), may)
		return
	}
	b := freeBatches.Get().(*batch)
	b.reader, b.query = r, q
	for len(keys) > 0 {
		n := min(mostTogether, len(keys))
		b.lookUp(keys[:n], hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
	clear(b.entries[:cap(b.entries)]) // so that the keys' memory can be freed
	b.reader = nil
	freeBatches.Put(b)
}

// batch is the memory that keys are looked up in.
type batch struct {
	reader *Reader
	query  query

	order   []uint64 // partition<<32 | index of a key, in the order of partitions
	entries [][]byte // in this order
	hashes  []uint64
	answers []bool

	next    [ahead]loaded
	touched byte // so that the compiler does not leave the loads out

	answered, may int // to be counted
}

var freeBatches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) lookUp(keys [][]byte, hits []bool) {
	r := b.reader
	b.sort(keys, hits)
	b.entries = b.entries[:0]
	for _, o := range b.order {
		entry, _ := r.entryOf(b.query, keys[uint32(o)])
		b.entries = append(b.entries, entry)
	}
	n := len(b.order)
	b.answers = slices.Grow(b.answers[:0], n)[:n]
	b.answered, b.may = 0, 0
	switch {
	case r.index == nil:
		r.containsKeys(b.entries, b.answers)
		b.count(0, n)
	case r.index.Len() == 0:
		clear(b.answers)
		b.count(0, n)
	case r.o.Unordered:
		b.lookUpInAll()
	default:
		b.lookUpPartitions()
	}
	for i, o := range b.order {
		key := keys[uint32(o)]
		if !b.answers[i] && r.index != nil && r.index.Len() > 0 && !r.o.Unordered && r.equalsIndexKey(key, int(o>>32)) {
			b.answers[i], _ = r.lookUp(b.entries[i], key)
		}
		hits[uint32(o)] = b.answers[i]
	}
	switch {
	case b.query != pointLookup:
		r.o.Counters.countSeeks(b.answered, b.may)
	case r.o.WholeKeys:
		r.o.Counters.countKeys(b.answered, b.may)
	default:
		r.o.Counters.countPrefixes(b.answered, b.may)
	}
}

// sort sets the order of the keys that the filter can answer for, and the hits of the others.
func (b *batch) sort(keys [][]byte, hits []bool) {
	r := b.reader
	b.order = b.order[:0]
	at, before, sorted := 0, 0, true
	for i, key := range keys {
		if _, ok := r.entryOf(b.query, key); !ok {
			hits[i] = true
			continue
		}
		if r.index != nil && !r.o.Unordered {
			at = r.index.findNear(key, r.o.Compare, at)
		}
		sorted = sorted && at >= before
		before = at
		b.order = append(b.order, uint64(at)<<32|uint64(i))
	}
	if !sorted {
		slices.Sort(b.order)
	}
}

// count counts answers, which are "may contain" if a prefix may go on in another partition.
func (b *batch) count(from, to int) {
	b.answered += to - from
	for i := from; i < to; i++ {
		if !b.answers[i] && b.reader.ofPrefixes(b.query) {
			b.answers[i] = b.reader.goesOn(b.entries[i], int(b.order[i]>>32))
		}
		if b.answers[i] {
			b.may++
		}
	}
}

// ahead is how many partitions are loaded before the first is looked up in. The lookup there
// is far away, and the processor fetches many lines at a time.
const ahead = 32

// loaded is a partition with the range of entries that are looked up in it.
type loaded struct {
	partition []byte
	from, to  int
}

// lookUpPartitions answers for the entries in every partition.
func (b *batch) lookUpPartitions() {
	b.hashes = b.reader.policy.Hash().AppendHashes(b.hashes[:0], b.entries)
	for from := 0; from < len(b.order); {
		next := b.next[:0]
		for from < len(b.order) && len(next) < ahead {
			i, to := b.order[from]>>32, from+1
			for to < len(b.order) && b.order[to]>>32 == i {
				to++
			}
			if partition := b.reader.partition(int(i)); partition != nil {
				next = append(next, loaded{partition, from, to})
			} else {
				for j := from; j < to; j++ {
					b.answers[j] = true
				}
			}
			from = to
		}
		for _, l := range next {
			b.touch(l)
		}
		for _, l := range next {
			b.lookUpIn(l.partition, b.entries[l.from:l.to], b.hashes[l.from:l.to], b.answers[l.from:l.to])
			b.count(l.from, l.to)
		}
		clear(next) // so that the partitions' memory can be freed
	}
}

// lookUpInAll answers for the entries in partitions whose order is unknown: each is looked up in one partition
// after the other, until one may contain it.
func (b *batch) lookUpInAll() {
	r, n := b.reader, len(b.order)
	b.hashes = r.policy.Hash().AppendHashes(b.hashes[:0], b.entries)
	left := n // the first ones, not found so far
	for i := 0; i < r.index.Len() && left > 0; i++ {
		partition := r.partition(i)
		if partition == nil {
			for j := range left {
				b.answers[j] = true
			}
			b.count(left, n) // earlier keys are answered
			return
		}
		b.lookUpIn(partition, b.entries[:left], b.hashes[:left], b.answers[:left])
		for j := left - 1; j >= 0; j-- {
			if b.answers[j] {
				left--
				b.swap(j, left)
			}
		}
	}
	b.count(0, n)
}

// swap swaps two entries.
func (b *batch) swap(i, j int) {
	b.order[i], b.order[j] = b.order[j], b.order[i]
	b.entries[i], b.entries[j] = b.entries[j], b.entries[i]
	b.hashes[i], b.hashes[j] = b.hashes[j], b.hashes[i]
	b.answers[i], b.answers[j] = b.answers[j], b.answers[i]
}

// touch loads the trailer of a partition, and the blocks that a few lookups read if it is one
// of the filters with blocks. (In others it loads some of its memory.)
func (b *batch) touch(l loaded) {
	b.touched += l.partition[len(l.partition)-1]
	if l.to-l.from < fewestOpened {
		blocks := uint32(len(l.partition) / asm.BlockBytes)
		for _, hash := range b.hashes[l.from:l.to] {
			b.touched += l.partition[uint(fallback.Block(hash, blocks))*asm.BlockBytes]
		}
	}
}

// fewestOpened is the number of hashes from which it pays to open a partition.
const fewestOpened = 8

// lookUpIn sets the answers for entries in a partition.
func (b *batch) lookUpIn(partition []byte, entries [][]byte, hashes []uint64, answers []bool) {
	p := b.reader.policy
	if !p.HashApplies(partition) {
		for i, entry := range entries {
			answers[i] = p.MayContain(partition, entry)
		}
		return
	}
	if len(hashes) >= fewestOpened {
		if f, err := p.Open(partition); err == nil {
			f.ContainsHashes(hashes, answers)
			return
		}
	}
	for i, hash := range hashes {
		answers[i] = p.MayContainHash(partition, hash)
	}
}
