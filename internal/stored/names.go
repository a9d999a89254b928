package stored

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// families are the names of formats. A filter's name is that of its format and its key hash. Stored
// bytes depend on them for ever.
var families = []struct {
	format      asm.Format
	batchBlocks int // of Paired
	name        string
}{
	{asm.FastLocal, 0, "simdbloom.FastLocal."},
	{asm.Paired, 32, "simdbloom.Paired32."},
	{asm.Paired, 0, "simdbloom.Paired128."}, // batches of 128 blocks, and filters without batches
	{asm.Linear, 0, "simdbloom.Linear."},
	{asm.Ribbon, 0, "simdbloom.Ribbon."},
	{asm.Legacy, 0, "simdbloom.Legacy."},
	{asm.LevelDB, 0, "simdbloom.LevelDB."},
	{asm.SplitBlock, 0, "simdbloom.SplitBlock."},
	{asm.Blobloom, 0, "simdbloom.Blobloom."},
}

const longestFamily = len("simdbloom.SplitBlock.")

// Name returns the name of a format and a key hash: "simdbloom.FastLocal.XX64".
func Name(format asm.Format, batchBlocks int, hash keyhash.Hash) string {
	for _, f := range families {
		if f.format == format && (f.batchBlocks == batchBlocks || f.batchBlocks == 0) {
			return f.name + hash.Name()
		}
	}
	panic(fmt.Sprintf("stored: the format %d has no name", format))
}

// hashOf returns the hash's part of a Name, which may have dots.
func hashOf(name string) string { return strings.SplitN(name, ".", 3)[2] }

// ParseName returns the format of a name, and its key hash, which must be want. If that is zero, it
// must be one that package keyhash has.
func ParseName(name string, want keyhash.Hash) (asm.Format, keyhash.Hash, error) {
	for _, f := range families {
		hash, ok := strings.CutPrefix(name, f.name)
		if !ok {
			continue
		}
		if want.IsZero() {
			if want = keyhash.ForName(hash); want.IsZero() {
				return 0, want, fmt.Errorf("%w: its key hash is %q, which package keyhash does not have: pass the one that keyhash.New returned", ErrUnknown, hash)
			}
		}
		if want.Name() != hash {
			return 0, want, fmt.Errorf("%w: its key hash is %q, not %q", ErrUnknown, hash, want.Name())
		}
		return f.format, want, nil
	}
	return 0, want, fmt.Errorf("%w: the format %q", ErrUnknown, name)
}
