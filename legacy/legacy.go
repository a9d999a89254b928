// Package legacy builds and reads RocksDB's full Bloom filter of before format_version 5, bit
// for bit (LegacyLocalityBloomImpl in RocksDB's util/bloom_impl.h). Pebble writes it to this
// day: it is the filter in the tables of Pebble and CockroachDB. All of a key's bits are in one
// 64-byte line.
//
//	b, err := legacy.NewBuilder(10)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := legacy.Open(data)
//	f.Contains(key)
//
//	legacy.MayContain(data, key) // without opening: for a block cache
//
// The format has a key hash of its own, of 32 bits: [Hash]. So it has no false-positive rate
// below n/2^32 for n keys, and its rates are higher than those of package [bloom] at the same
// size: see [PredictedFPR]. For new filters take that one, which costs no more.
//
// LevelDB's filters have the same hash, or one that is almost the same, and are in package
// [leveldb]. [docs/legacy.md] is about both.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [leveldb]: https://pkg.go.dev/github.com/simdbloom/simdbloom/leveldb
// [docs/legacy.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/legacy.md
package legacy

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

var (
	// ErrCorrupt is wrapped by every error about a filter's bytes. It is the same
	// value in all packages of filters.
	ErrCorrupt = answers.ErrCorrupt

	// ErrTooLarge is wrapped by Finish's error if the keys need more than 4 GiB, or than a
	// slice can have on this machine. That takes [WithPebble]: RocksDB's filters end at 512 MiB.
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by Finish's error if [WithVerification] found that
	// the filter lacks a key that was added.
	ErrVerification = building.ErrVerification
)

// Hash returns the key's hash, as RocksDB and Pebble compute it (RocksDB's util/hash.cc): the
// bytes behind the last whole four are extended by their sign. It takes about 2 ns for every
// four bytes. Any number of goroutines may call it at once.
func Hash(key []byte) uint32 { return hash32.Signed(key) }

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("legacy: %w", err)
}
