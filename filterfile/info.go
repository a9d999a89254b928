package filterfile

import (
	"io"

	"github.com/simdbloom/simdbloom/internal/stored"
)

// Info has the facts that a filter file records about its filter.
type Info struct {
	Format string // the name of the format and the key hash: see [simdbloom.OpenNamed]
	Hash   string // the name of the key hash

	Keys       int64   // the number of keys, or -1 if it is unknown
	BitsPerKey float64 // the builder's setting, or 0 if it is unknown

	Offset int64 // where the filter's bytes begin in the file
	Length int64 // how many they are

	PieceBytes int // that have a checksum each: see [WithPieceBytes]
}

// ReadInfo reads and checks the header of a filter file, whatever the format and the key hash,
// and nothing of the filter. Its error wraps [simdbloom.ErrCorrupt] if the bytes are wrong.
func ReadInfo(r io.Reader) (Info, error) {
	info, err := stored.ReadInfo(r)
	return Info(info), wrap(err)
}

// IsFilterFile reports whether a file that begins with these bytes claims to be a filter
// file. Eight bytes are enough.
func IsFilterFile(start []byte) bool { return stored.Begins(start) }
