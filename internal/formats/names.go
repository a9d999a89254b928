package formats

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/keyhash"
)

// NameOf returns the name of a format.
func NameOf(format asm.Format) string {
	if name := Of(format).Name; name != "" {
		return name
	}
	return fmt.Sprintf("simdbloom.Format(%d)", uint8(format))
}

// Recorded is a name under which filters of a format are recorded. Stored bytes depend on it for ever.
type Recorded struct {
	Name        string
	BatchBlocks int // of Paired: the only number that has the name, or 0 for all others
}

// before is the part of a recorded name before the key hash.
func (r Recorded) before() string { return "simdbloom." + r.Name + "." }

// RecordedName returns the name of a format and a key hash: "simdbloom.FastLocal.XX64".
func RecordedName(format asm.Format, batchBlocks int, hash keyhash.Hash) string {
	for _, r := range Of(format).Recorded {
		if r.BatchBlocks == batchBlocks || r.BatchBlocks == 0 {
			return r.before() + hashName(format, hash)
		}
	}
	panic(fmt.Sprintf("formats: filters of the format %d have no name", format))
}

// hashName returns the name of a key hash in recorded names. LevelDB's filters have RocksDB's hash by the name that it
// had in LevelDB before 1.18.
func hashName(format asm.Format, hash keyhash.Hash) string {
	if format == asm.LevelDB && hash == keyhash.RocksDB32 {
		return "LevelDB32Signed"
	}
	return hash.Name()
}

// ParseName returns the format of a RecordedName, and its key hash, which must be want. If that is zero, it
// must be one that package keyhash has.
func ParseName(name string, want keyhash.Hash) (asm.Format, keyhash.Hash, error) {
	format, hash, known := cutName(name)
	if !known {
		return 0, want, fmt.Errorf("%w: the format %q", contents.ErrUnknown, name)
	}
	want, err := HashNamed(hash, want)
	return format, want, err
}

// HashNamed returns the key hash of a recorded name, which must be want. If that is zero, it must be one that package
// keyhash has.
func HashNamed(name string, want keyhash.Hash) (keyhash.Hash, error) {
	if want.IsZero() {
		if want = keyhash.ForName(name); want.IsZero() {
			return want, fmt.Errorf("%w: its key hash is %q, which package keyhash does not have: pass the one that keyhash.New returned", contents.ErrUnknown, name)
		}
	}
	if want.Name() != name && want != keyhash.ForName(name) {
		return want, fmt.Errorf("%w: its key hash is %q, not %q", contents.ErrUnknown, name, want.Name())
	}
	return want, nil
}

// BatchBlocksOf returns the only number of blocks in a batch that filters of a recorded name have, or 0.
func BatchBlocksOf(name string) int {
	for _, r := range Of(asm.Paired).Recorded {
		if strings.HasPrefix(name, r.before()) {
			return r.BatchBlocks
		}
	}
	return 0
}

// cutName returns the two parts of a recorded name.
func cutName(name string) (format asm.Format, hash string, known bool) {
	for f := range rows {
		for _, r := range rows[f].Recorded {
			if hash, ok := strings.CutPrefix(name, r.before()); ok {
				return asm.Format(f), hash, true
			}
		}
	}
	return 0, "", false
}
