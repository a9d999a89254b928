package filterfile

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// lookups is what the filters of all packages with a keyhash.Hash have, and those of policies.
type lookups interface {
	Contains(key []byte) bool
	ContainsString(key string) bool
	ContainsHash(hash uint64) bool
	ContainsHashes(hashes []uint64, hits []bool)
	ContainsHashBits(hashes, hits []uint64)
	ContainsKeys(keys [][]byte, hits []bool)
	AppendHits(dst []int, hashes []uint64) []int
	Hash() keyhash.Hash
	EstimatedFPR() float64
}

// families are what opens them with any key hash.
var families = map[string]func(data []byte, hash keyhash.Hash) (lookups, error){
	stored.FastLocal: with(bloom.Open),
	stored.Paired128: with(paired.Open),
	stored.Paired32:  with(paired.Open),
	stored.Linear:    with(linear.Open),
	stored.Ribbon:    with(ribbon.Open),
}

// with returns a package's Open.
func with[F lookups](open func([]byte, keyhash.Hash) (F, error)) func([]byte, keyhash.Hash) (lookups, error) {
	return func(data []byte, hash keyhash.Hash) (lookups, error) {
		f, err := open(data, hash)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

// readers are the policies by their recorded names.
var readers = func() map[string]policy.Policy {
	all := make(map[string]policy.Policy)
	for _, p := range policy.Readers() {
		all[p.Name()] = p
	}
	return all
}()

// The hashes of 32 bits belong to a policy each.
const (
	legacyName  = stored.Legacy + stored.RocksDB32
	levelDBName = stored.LevelDB + stored.LevelDB32
	rocksDBName = stored.FastLocal + "XXPH3"
)

// What the filters of packages have that tells them apart, alone and in a policy's filter.
type (
	hashed interface {
		Source
		Hash() keyhash.Hash
	}
	fastLocalSource interface {
		hashed
		Kind() bloom.Kind
	}
	pairedSource interface {
		hashed
		Kind() paired.Kind
		BatchBlocks() int
	}
	linearSource interface {
		hashed
		FingerprintBits() int
	}
	ribbonSource interface {
		hashed
		Kind() ribbon.Kind
	}
)

// recordedOf returns the name to record for a filter, and its key hash.
func recordedOf(f Source) (name string, hash keyhash.Hash, err error) {
	if f, ok := f.(hashed); ok && f.Hash().IsZero() {
		return "", hash, wrap(stored.ErrZero)
	}
	switch f := f.(type) {
	case fastLocalSource:
		return stored.FastLocal + f.Hash().Name(), f.Hash(), nil
	case pairedSource:
		return stored.Paired(f.BatchBlocks()) + f.Hash().Name(), f.Hash(), nil
	case linearSource:
		return stored.Linear + f.Hash().Name(), f.Hash(), nil
	case ribbonSource:
		return stored.Ribbon + f.Hash().Name(), f.Hash(), nil
	case *legacy.Filter:
		return legacyName, readers[legacyName].Hash(), nil
	case *leveldb.Filter:
		if f.HashName() != readers[levelDBName].Hash().Name() {
			return "", hash, fmt.Errorf("filterfile: a filter of package leveldb with the key hash %s cannot be written, only with leveldb.Hash", f.HashName())
		}
		return levelDBName, readers[levelDBName].Hash(), nil
	case hashed: // a policy's filter of 32-bit hashes
		for _, name := range []string{legacyName, levelDBName} {
			if hash := readers[name].Hash(); f.Hash() == hash {
				return name, hash, nil
			}
		}
		if old, err := legacy.Open(f.Bytes()); err == nil && f.Hash() == keyhash.XXPH3 && old.Kind() == legacy.Legacy {
			return rocksDBName, keyhash.XXPH3, nil // a legacy filter that RocksDB's policy opened
		}
	}
	return "", hash, fmt.Errorf("filterfile: a filter of type %T does not say its format: give WithPolicy", f)
}

// openAs opens the filter that is recorded under a name. hash is zero, or the one that the
// filter must have.
func openAs(info stored.Info, hash keyhash.Hash, data []byte) (lookups, error) {
	if p, ok := readers[info.Format]; ok {
		if !hash.IsZero() && hash != p.Hash() {
			return nil, fmt.Errorf("filterfile: %w: %s has its own key hash, not yours of the name %q", ErrUnknown, info.Format, hash.Name())
		}
		f, err := p.Open(data)
		if err != nil {
			return nil, wrap(err)
		}
		return f, nil
	}
	open, ok := families[strings.TrimSuffix(info.Format, info.Hash)]
	if !ok {
		return nil, fmt.Errorf("filterfile: %w: the format %q", ErrUnknown, info.Format)
	}
	hash, err := info.KeyHash(hash)
	if err != nil {
		return nil, fmt.Errorf("%w: see WithHash", wrap(err))
	}
	f, err := open(data, hash)
	if err != nil {
		return nil, wrap(err)
	}
	return f, nil
}
