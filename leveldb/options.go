package leveldb

import (
	"errors"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hash32"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// Option is an option of [NewBuilder], [Open], [NewBlockBuilder] or [OpenBlock]. Each says
// which of them take it. If two choose a hash, the last one counts.
type Option func(*options)

// BlockOption is an Option. [NewBlockBuilder] takes more of them than the others.
type BlockOption = Option

type options struct {
	hash   keyHash
	prefix func(key []byte) (prefix []byte, ok bool)
	noKeys bool // only prefixes are added

	limit        building.Limit
	verification bool
}

// WithSignedHash hashes keys with [SignedHash], as RocksDB does, and LevelDB before 1.18 did.
// Builders and readers take it.
func WithSignedHash() Option {
	return func(o *options) { o.hash = signedHash }
}

// WithEitherHash reads a filter of which is unknown whether it was built with [Hash] or with
// [SignedHash], as in files with filters that are named leveldb.BuiltinBloomFilter: goleveldb
// and old LevelDB wrote them. A key may be in it if it is by either hash. Only keys that have
// two hashes cost a second lookup, and have up to twice the false-positive rate.
//
// [Open] and [OpenBlock] take it. For builders it is an error, or a panic.
func WithEitherHash() Option {
	return func(o *options) { o.hash = eitherHash }
}

// WithPrefixes adds the prefix of every key that has one, before the key itself, as RocksDB
// does with a prefix_extractor. prefix returns it, which may be a part of the key. A prefix
// equal to the last one that was added to the same filter is not added again.
//
// Only [NewBlockBuilder] takes it. A reader passes the prefix to [Block.MayContain] instead of
// the key.
func WithPrefixes(prefix func(key []byte) (prefix []byte, ok bool)) BlockOption {
	return func(o *options) { o.prefix = prefix }
}

// WithoutKeys adds only prefixes, as RocksDB does without whole_key_filtering.
//
// Only [NewBlockBuilder] takes it, together with [WithPrefixes].
func WithoutKeys() BlockOption {
	return func(o *options) { o.noKeys = true }
}

// WithMaxBytes limits a filter to n bytes, the number of probes included. One that fits is built
// as without a limit. One that does not is as large as the limit allows, with the number of
// probes that suits the whole bits per key it really has: there are more false positives, and
// no false negatives. It is an error if n is below 9, the size of the smallest filter.
//
// Only [NewBuilder] takes it.
func WithMaxBytes(n int) Option { return func(o *options) { o.limit = building.AtMost(n) } }

// WithVerification makes Finish look up every key in the filter it has built. If one is missing,
// Finish's error wraps [ErrVerification]. It takes some nanoseconds a key.
//
// Only [NewBuilder] takes it.
func WithVerification() Option { return func(o *options) { o.verification = true } }

// chosen returns the defaults as changed by the options.
func chosen(set []Option) (o options) {
	for _, option := range set {
		option(&o)
	}
	return o
}

var (
	errEither   = errors.New("WithEitherHash is for reading: a filter is built with one hash")
	errBuilding = errors.New("WithMaxBytes and WithVerification are options of NewBuilder")
	errPrefixes = errors.New("WithPrefixes and WithoutKeys are options of NewBlockBuilder")
)

// forBuilder returns an error for options that NewBuilder does not take.
func (o options) forBuilder() error {
	if o.hash == eitherHash {
		return errEither
	}
	if err := o.limit.Check(leastBodyBits/8 + trailerBytes); err != nil {
		return err
	}
	return o.withoutPrefixes()
}

// forReader returns an error for options that Open and OpenBlock do not take.
func (o options) forReader() error {
	if err := o.withoutPrefixes(); err != nil {
		return err
	}
	return o.withoutBuilding()
}

func (o options) withoutPrefixes() error {
	if o.prefix != nil || o.noKeys {
		return errPrefixes
	}
	return nil
}

func (o options) withoutBuilding() error {
	if o.limit != (building.Limit{}) || o.verification {
		return errBuilding
	}
	return nil
}

// forBlockBuilder returns an error for options that NewBlockBuilder does not take.
func (o options) forBlockBuilder() error {
	if o.hash == eitherHash {
		return errEither
	}
	if o.noKeys && o.prefix == nil {
		return errors.New("WithoutKeys needs WithPrefixes: nothing would be added")
	}
	return o.withoutBuilding()
}

// keyHash says which hash keys have.
type keyHash uint8

const (
	unsignedHash keyHash = iota
	signedHash
	eitherHash
)

var hashNames = [...]string{unsignedHash: stored.LevelDB32, signedHash: "SignedLevelDB32", eitherHash: "EitherLevelDB32"}

// first returns a key's hash: if it may have either, LevelDB's.
func (h keyHash) first(key []byte) uint32 {
	if h == signedHash {
		return hash32.Signed(key)
	}
	return hash32.Unsigned(key)
}

// second returns a key's other hash, if it may have either and they differ.
func (h keyHash) second(key []byte, first uint32) (hash uint32, ok bool) {
	if h != eitherHash {
		return 0, false
	}
	hash = hash32.Signed(key)
	return hash, hash != first
}
