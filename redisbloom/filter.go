// Package redisbloom queries the filters of [RedisBloom], Redis's BF commands, outside of Redis: their dumps,
// as BF.SCANDUMP returns them, without copying them.
//
// Call BF.SCANDUMP with the iterator 0, then with the one of each reply, until that is 0, and concatenate
// the data of all replies. [Open] reads that:
//
//	f, err := redisbloom.Open(data)
//	if err != nil {
//		return err
//	}
//	f.ContainsString("apple") // what BF.EXISTS answers
//
// [OpenFile] maps a file that has them, and also reads the replies of redis-cli. [Filter.ContainsKeys] looks up
// many keys: it overlaps their cache misses, and reads from disk. The package writes no filters: use BF.ADD and
// BF.LOADCHUNK of Redis.
//
// Dumps of all versions up to 8.8 are read but 2.2.0 (December 2019), whose header cannot be told from
// others: they are errors. Filters that versions before 1.1.1 (2019) began have key hashes of 32 bits, later ones
// of 64. Dumps of CF.SCANDUMP, of cuckoo filters, are something else.
//
// New filters take less time in the formats of the [other packages], where a key's bits are in one or
// two cache lines. Here they are in one for each probe, in each link of a chain.
//
// [RedisBloom]: https://github.com/RedisBloom/RedisBloom
// [other packages]: https://pkg.go.dev/github.com/simdbloom/simdbloom
package redisbloom

import (
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/classic"
)

// Filter is a dumped filter: a chain of one Bloom filter or more, its links. [Open] returns it. It is
// immutable: any number of goroutines may use it at once. Queries allocate nothing.
type Filter struct {
	header
	data  []byte
	links []link // the newest last
}

// Link has the facts that a dump records about a link of the chain.
type Link struct {
	Bits     uint64  // those that its probes may choose
	Probes   int     // the bits that a key sets
	Keys     uint64  // those that changed a bit when they were added
	Capacity uint64  // the number of keys from which on the next link is begun
	FPR      float64 // the rate that it was made for
}

// link is a link and its bits.
type link struct {
	Link
	words  []byte
	array  classic.Bits // the same
	m      classic.Divisor
	perKey float64 // bits, before they are rounded
	wraps  bool    // keys' places may have been computed with 32 bits, too
}

// Contains reports whether the key may have been added. False means that it was not.
//
// It costs the key's hash, on the order of a nanosecond for 4 bytes, and for each link some nanoseconds a probe,
// more if the bits are not cached. In a link it ends at the first zero bit. The newest link is first.
func (f *Filter) Contains(key []byte) bool {
	defer runtime.KeepAlive(f)
	h := f.sum(key)
	for i := len(f.links) - 1; i >= 0; i-- {
		if f.links[i].contains(h) {
			return true
		}
	}
	return false
}

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.Contains(unsafe.Slice(unsafe.StringData(key), len(key)))
}

// Keys returns how many keys changed a bit when they were added, according to the header. BF.CARD returns it.
func (f *Filter) Keys() uint64 { return f.keys }

// Links returns the dump's facts about its links, the oldest first.
func (f *Filter) Links() []Link {
	links := make([]Link, len(f.links))
	for i := range f.links {
		links[i] = f.links[i].Link
	}
	return links
}

// Scales reports whether a full filter gets another link: it was not made with NONSCALING.
func (f *Filter) Scales() bool { return f.options&optionNoScaling == 0 }

// HashBits returns the number of bits of the key hashes that places are computed from: 64, or 32 in filters that
// versions before 1.1.1 began.
func (f *Filter) HashBits() int {
	if f.options&optionHash64 != 0 {
		return 64
	}
	return 32
}

// Bytes returns all bytes: those that Open was given. Do not change them.
func (f *Filter) Bytes() []byte { return f.data }

// SizeBytes returns the length of Bytes.
func (f *Filter) SizeBytes() int { return len(f.data) }

// EstimatedFPR returns the filter's false-positive rate, computed from the bits that are set: the rate at which
// any link finds all of an absent key's bits. It reads the whole filter, at some gigabytes a second.
func (f *Filter) EstimatedFPR() float64 {
	absent := 1.0
	for i := range f.links {
		l := &f.links[i]
		absent *= 1 - classic.FPR(min(l.array.Ones(), l.Bits), l.Bits, l.Probes)
	}
	runtime.KeepAlive(f)
	return 1 - absent
}

// contains reports whether the link has the bits of the hash.
func (l *link) contains(h hash) bool {
	return l.has(h, ^uint64(0)) || l.wraps && l.has(h, 1<<32-1)
}

// has is contains with places modulo mask+1.
func (l *link) has(h hash, mask uint64) bool {
	for range l.Probes {
		bit := l.m.Remainder(h.at & mask)
		if l.words[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
		h.at += h.step
	}
	return true
}
