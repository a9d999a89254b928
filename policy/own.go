package policy

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Own has the functions of a filter of your own, for [New]. Any number of goroutines may call them at once.
type Own struct {
	// Hash is the key hash. The zero Hash stands for [keyhash.XX64].
	Hash keyhash.Hash

	// SizeBytes returns the size of a filter of that many keys, at most: more keys have no smaller one. Package
	// filterblock cuts filters into partitions by it.
	SizeBytes func(keys int) int

	// Build returns the filter of the keys' hashes, at least one byte. There is at least one hash, and equal ones
	// may be among them. It may change the slice, and keep it.
	Build func(hashes []uint64) ([]byte, error)

	// MayContain reports whether a filter may have the key of a hash. The bytes come from a disk: it must not
	// panic on any, and answers true where it cannot tell. It keeps nothing of them.
	MayContain func(data []byte, hash uint64) bool
}

// sizeBytes is the size of a builder's filter, which has no bytes without keys.
func (o *Own) sizeBytes(keys int) int {
	if keys < 1 {
		return 0
	}
	return max(o.SizeBytes(keys), 1)
}

// keysFor searches among numbers of keys near the answer: for many more, SizeBytes may exceed an int of 32 bits.
func (o *Own) keysFor(bytes int) int {
	most := 1
	for most < math.MaxInt32/2 && o.sizeBytes(most) <= bytes {
		most *= 2
	}
	return sort.Search(most, func(n int) bool { return o.sizeBytes(n+1) > bytes })
}

// New returns a policy of your own filter, which package filterblock and the adapters' FilterPolicy take as any
// other: RocksDB's customized FilterPolicy. Tables record the name. It stands for the functions for ever:
// other bytes, or another key hash, need another name. Pass the policy to [ForName] to read such tables; a program
// that does not know the name uses no filter.
//
// Builders have the options WithConcurrency, which changes nothing, and WithVerification. If Build returns an
// error, [AppendFilter] writes RocksDB's six zero bytes, for which, as for no bytes, MayContain is not called. The
// policy's Open returns an error, and PredictedFPR NaN.
//
// New panics if the name is empty, one that ForName knows, or begins with "simdbloom.", and if a function is nil.
func New(name string, own Own) *Policy {
	own.Hash = cmp.Or(own.Hash, keyhash.XX64)
	if _, err := ForName(name); err == nil || name == "" || strings.HasPrefix(name, "simdbloom.") {
		panic(fmt.Sprintf("policy: New's name must not be empty, or a filter's of this library, but is %q", name))
	}
	if own.SizeBytes == nil || own.Build == nil || own.MayContain == nil {
		panic("policy: New's functions must not be nil")
	}
	mayContainHash := func(data []byte, hash uint64) bool {
		return len(data) > 0 && (bytes.Equal(data, contents.AlwaysTrue[:]) || own.MayContain(data, hash))
	}
	mayContain := func(data, key []byte) bool { return mayContainHash(data, own.Hash.Sum64(key)) }
	return &Policy{
		kind: kind{mayContain: mayContain, mayContainHash: mayContainHash, format: simdbloom.Reserved, hash: own.Hash, recorded: name},
		text: name, own: &own, bloomBefore: noLevel,
	}
}
