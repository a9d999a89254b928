package building

import (
	"fmt"
	"math"
	"runtime"

	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Settings are the options that all builders with hashes of 64 bits take.
type Settings struct {
	Concurrency  int
	Verification bool
}

// Defaults returns the settings of a builder that was given no options.
func Defaults() Settings { return Settings{Concurrency: 1} }

// Check returns an error for settings that no builder takes.
func (s Settings) Check() error {
	if s.Concurrency < 1 {
		return fmt.Errorf("concurrency must be at least 1, not %d", s.Concurrency)
	}
	return nil
}

// Keys is the part of a builder that collects keys, as hashes. Only one goroutine may use
// it at a time.
type Keys struct {
	hash     keyhash.Hash
	settings Settings
	log      hashlog.Log
	hashed   []uint64 // room for AddKeys
}

// NewKeys returns a builder's empty Keys. mostLinear says how many hashes it keeps before
// it puts them into lists; it is called only if the arguments are valid.
func NewKeys(hash keyhash.Hash, settings Settings, mostLinear func() int) (Keys, error) {
	if hash.IsZero() {
		return Keys{}, answers.ErrNoHash
	}
	if err := settings.Check(); err != nil {
		return Keys{}, err
	}
	return Keys{hash: hash, settings: settings, log: hashlog.New(mostLinear(), settings.Concurrency)}, nil
}

// Log returns the log that has the hashes.
func (k *Keys) Log() *hashlog.Log { return &k.log }

// Add adds a key.
func (k *Keys) Add(key []byte) { k.log.Add(k.hash.Sum64(key)) }

// AddString adds a key.
func (k *Keys) AddString(key string) { k.log.Add(k.hash.Sum64String(key)) }

// AddHash adds a key by its hash.
func (k *Keys) AddHash(hash uint64) { k.log.Add(hash) }

// AddHashes adds keys by their hashes.
func (k *Keys) AddHashes(hashes []uint64) { k.log.AddAll(hashes) }

// hashedAtOnce is the number of keys that AddKeys hashes before it adds the hashes. The log
// puts this many into lists without another copy.
const hashedAtOnce = 1024

// AddKeys adds keys. Their hashes are in memory that the builder keeps: they cannot be on
// the stack, because other goroutines may put them into the log.
func (k *Keys) AddKeys(keys [][]byte) {
	if k.hashed == nil && len(keys) > 0 {
		k.hashed = make([]uint64, 0, hashedAtOnce)
	}
	for len(keys) > 0 {
		n := min(hashedAtOnce, len(keys))
		k.log.AddAll(k.hash.AppendHashes(k.hashed, keys[:n]))
		keys = keys[n:]
	}
}

// Len returns the number of hashes kept.
func (k *Keys) Len() int { return k.log.Len() }

// Reset drops all hashes.
func (k *Keys) Reset() {
	k.log.Begin()
	defer k.log.End()
	k.log.Reset()
}

// Goroutines returns the largest number of goroutines to use.
func (k *Keys) Goroutines() int { return min(k.settings.Concurrency, runtime.GOMAXPROCS(0)) }

// Verification reports whether every hash is to be looked up in the filter.
func (k *Keys) Verification() bool { return k.settings.Verification }

// CheckSize returns a filter's size as an int. It is an error if the format does not allow
// the size, or if a slice on this machine cannot hold it and the given number of bytes
// more.
func (k *Keys) CheckSize(size uint64, allowed bool, more int) (int, error) {
	return CheckSize(k.log.Len(), size, allowed, more)
}

// CheckSize returns the size of a filter of some number of keys, if the format allows it and a
// slice on this machine can hold it and the given number of bytes more.
func CheckSize(keys int, size uint64, allowed bool, more int) (int, error) {
	if !allowed || size > uint64(math.MaxInt-more) {
		return 0, fmt.Errorf("a filter of %d bytes for %d keys is %w", size, keys, ErrTooLarge)
	}
	return int(size), nil
}
