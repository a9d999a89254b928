package policy

import (
	"encoding"
	"io"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// The filters of packages legacy and leveldb have key hashes of 32 bits. In policies they are
// the low half of a hash of 64.

// narrowFilter is what the filters of these packages have.
type narrowFilter interface {
	keyFilter
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
	io.WriterTo
	io.ReaderFrom
	ContainsHash(hash uint32) bool
	ContainsHashes(hashes []uint32, hits []bool)
	ContainsHashBits(hashes []uint32, hits []uint64)
	AppendHits(dst []int, hashes []uint32) []int
}

// keyFilter is the part of a Filter that takes no hashes.
type keyFilter interface {
	Contains(key []byte) bool
	ContainsString(key string) bool
	ContainsKeys(keys [][]byte, hits []bool)
	NumProbes() int
	SizeBytes() int
	Bytes() []byte
	EstimatedFPR() float64
}

// widened is a Filter of such a package.
type widened struct {
	narrowFilter
	hash        keyhash.Hash
	copyAligned func() Filter
}

func (f widened) Hash() keyhash.Hash { return f.hash }

func (f widened) CopyAligned() Filter { return f.copyAligned() }

func (f widened) ContainsHash(hash uint64) bool { return f.narrowFilter.ContainsHash(uint32(hash)) }

func (f widened) ContainsHashes(hashes []uint64, hits []bool) {
	_ = hits[:len(hashes)]
	inRooms(hashes, func(from int, narrow []uint32) { f.narrowFilter.ContainsHashes(narrow, hits[from:]) })
}

func (f widened) ContainsHashBits(hashes, hits []uint64) {
	_ = hits[:asm.Words(len(hashes))]
	inRooms(hashes, func(from int, narrow []uint32) { f.narrowFilter.ContainsHashBits(narrow, hits[from/64:]) })
}

func (f widened) AppendHits(dst []int, hashes []uint64) []int {
	inRooms(hashes, func(from int, narrow []uint32) {
		before := len(dst)
		dst = f.narrowFilter.AppendHits(dst, narrow)
		for i := range dst[before:] {
			dst[before+i] += from
		}
	})
	return dst
}

// room is where hashes become narrow. It is passed through an interface, and so it cannot be
// on the stack.
type room [2048]uint32

var rooms = sync.Pool{New: func() any { return new(room) }}

// inRooms calls do for all hashes, a room at a time.
func inRooms(hashes []uint64, do func(from int, narrow []uint32)) {
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	for from := 0; from < len(hashes); from += len(r) {
		n := min(len(r), len(hashes)-from)
		for i, hash := range hashes[from : from+n] {
			r[i] = uint32(hash)
		}
		do(from, r[:n])
	}
}

// narrowBuilder is what the builders of these packages have.
type narrowBuilder interface {
	keyBuilder
	AddHash(hash uint32)
}

// widenedBuilder is a Builder of such a package.
type widenedBuilder struct {
	keyBuilder
	narrow narrowBuilder
}

// keyBuilder is the part of a Builder that takes no hashes.
type keyBuilder interface {
	Add(key []byte)
	AddString(key string)
	AddKeys(keys [][]byte)
	Len() int
	SizeBytes() int
	Finish() ([]byte, error)
	AppendFinish(dst []byte) ([]byte, error)
	Reset()
}

func (b widenedBuilder) AddHash(hash uint64) { b.narrow.AddHash(uint32(hash)) }

func (b widenedBuilder) AddHashes(hashes []uint64) {
	for _, hash := range hashes {
		b.narrow.AddHash(uint32(hash))
	}
}
