package leveldb

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
)

// Open returns the filter whose bytes are data, without copying them: they must neither
// change nor be freed while the filter is in use.
//
// Open takes any bytes, checks them in constant time, and reads them as LevelDB does
// (BloomFilterPolicy in util/bloom.cc): zero bytes contain no key, as the filters of a block
// without keys, and a filter of more than 30 probes, or of none, may contain every key. A
// single byte is a filter that was cut off: for LevelDB it contains no key, but here it is an
// error that wraps [ErrCorrupt]. An option that is not for reading is an error, too.
//
// It takes [WithSignedHash] and [WithEitherHash]. By default, keys have [Hash].
func Open(data []byte, options ...Option) (*Filter, error) {
	o := chosen(options)
	if err := o.forReader(); err != nil {
		return nil, wrap(err)
	}
	body, probes, flaw := read(data)
	if flaw != "" {
		return nil, wrap(answers.Corrupt(data, flaw))
	}
	return &Filter{kernel: asm.NewLevelDB(body, probes), hash: o.hash, body: body, probes: probes, data: data}, nil
}

// MayContain is Open and Contains in one call, without allocating, for keys with [Hash]. It
// answers true for bytes that Open refuses: here a single byte is such, while LevelDB says no.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs little more
// than Contains. Any number of goroutines may call it at once.
func MayContain(data, key []byte) bool { return MayContainHash(data, Hash(key)) }

// MayContainHash is MayContain of a key by its hash, whichever the filter was built with.
func MayContainHash(data []byte, hash uint32) bool {
	body, probes, flaw := read(data)
	if flaw != "" {
		return true
	}
	return asm.LevelDBContains(body, probes, hash)
}
