package stored

import (
	"fmt"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/keyhash"
)

// The families of formats. A format's name is that of its family and its key hash. Stored bytes
// depend on them for ever.
const (
	FastLocal = "simdbloom.FastLocal."
	Paired128 = "simdbloom.Paired128." // batches of 128 blocks, and the filters without batches
	Paired32  = "simdbloom.Paired32."
	Linear    = "simdbloom.Linear."
	Ribbon    = "simdbloom.Ribbon."
	Legacy    = "simdbloom.Legacy."
	LevelDB   = "simdbloom.LevelDB."
)

// The key hashes of 32 bits, which have one family each.
const (
	RocksDB32 = "RocksDB32"
	LevelDB32 = "LevelDB32"
)

// Paired returns the family of filters with batches of the given number of blocks.
func Paired(batchBlocks int) string {
	if batchBlocks == 32 {
		return Paired32
	}
	return Paired128
}

// Require returns an error unless the file's format is the given one.
func (i *Info) Require(format string) error {
	if i.Format != format {
		return fmt.Errorf("%w: its format is %q, not %q", ErrUnknown, i.Format, format)
	}
	return nil
}

// HashIn is KeyHash of a file that must be of one of the families.
func (i *Info) HashIn(families []string, want keyhash.Hash) (keyhash.Hash, error) {
	if !slices.Contains(families, strings.TrimSuffix(i.Format, i.Hash)) {
		return keyhash.Hash{}, fmt.Errorf("%w: its format is %q, not %s*", ErrUnknown, i.Format, strings.Join(families, "* or "))
	}
	return i.KeyHash(want)
}

// KeyHash returns the filter's key hash, which must be want. If that is zero, it must be one that
// package keyhash has.
func (i *Info) KeyHash(want keyhash.Hash) (keyhash.Hash, error) {
	switch {
	case !want.IsZero() && want.Name() != i.Hash:
		return want, fmt.Errorf("%w: its key hash is %q, not %q", ErrUnknown, i.Hash, want.Name())
	case !want.IsZero():
		return want, nil
	case i.Hash == keyhash.XX64.Name():
		return keyhash.XX64, nil
	case i.Hash == keyhash.XXPH3.Name():
		return keyhash.XXPH3, nil
	}
	return want, fmt.Errorf("%w: its key hash is %q, which package keyhash does not have", ErrUnknown, i.Hash)
}
