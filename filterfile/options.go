package filterfile

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// WriteOption is an option of [New], [Write], [WriteFile] and [Append]. If one is given twice,
// the last one counts. A nil one changes nothing.
type WriteOption func(*writeOptions)

type writeOptions struct {
	keys       *int
	bitsPerKey *float64
	pieceBytes *int
}

// WithKeys records the number of keys that the filter was built from, which filters do not know.
// It is an error if n is below 0.
func WithKeys(n int) WriteOption { return func(o *writeOptions) { o.keys = &n } }

// WithBitsPerKey records the builder's bits per key. It is an
// error if they are not above 0, or infinite.
func WithBitsPerKey(b float64) WriteOption { return func(o *writeOptions) { o.bitsPerKey = &b } }

// WithPieceBytes sets the size of the pieces that have a checksum each, a power of two from 4 KiB to 64 KiB, or else it
// is an error. Without it, it is 64 KiB. With 4 KiB, a lookup with [WithLazyCheck] reads a page, and checksums are
// 1/512 of the filter. Other sizes than 64 KiB make a file of version 2 of the format. Readers that know only version 1
// refuse it.
func WithPieceBytes(n int) WriteOption { return func(o *writeOptions) { o.pieceBytes = &n } }

func (o *writeOptions) check() error {
	if o.keys != nil && *o.keys < 0 {
		return fmt.Errorf("filterfile: WithKeys must be at least 0, not %d", *o.keys)
	}
	if b := o.bitsPerKey; b != nil && !(*b > 0 && *b <= math.MaxFloat64) {
		return fmt.Errorf("filterfile: WithBitsPerKey must be above 0 and finite, not %v", *b)
	}
	if o.pieceBytes != nil {
		return wrap(stored.CheckPieceBytes(*o.pieceBytes))
	}
	return nil
}

// OpenOption is an option of everything that reads a filter file. If one is given twice, the
// last one counts. A nil one changes nothing.
type OpenOption func(*openOptions)

type openOptions = checked.Options

// WithHash gives the key hash that the filter must have. A filter whose hash is from [keyhash.New]
// needs it: the file has only its name. It is an error, which wraps [simdbloom.ErrUnknown], if the file
// has a hash of another name.
func WithHash(h keyhash.Hash) OpenOption { return func(o *openOptions) { o.Hash = h } }

// WithLazyCheck checks the header, and the end of the filter (of a Blobloom one also the first piece), at once, and the
// rest when lookups need it, by pieces of 64 KiB, or as [WithPieceBytes] said. The first lookup in a piece checks it,
// which costs some microseconds, and reads it, and nothing else, of a mapped file. A lookup needs one piece, in a
// Linear filter those of one or two headers and of one line. In LevelDB's, the first lookup checks all.
//
// In a piece that is wrong every lookup answers "may contain", and [File.Err] names the piece
// it is. No lookup is answered by bytes that were not checked.
func WithLazyCheck() OpenOption { return func(o *openOptions) { o.Lazy = true } }

// WithReadAhead has the system begin to read all of a mapped file, or all files of a set, for lookups that are expected
// soon. Use it with [WithLazyCheck], and for sets: a single file that is checked at once is read at once, too.
func WithReadAhead() OpenOption { return func(o *openOptions) { o.Soon = true } }
