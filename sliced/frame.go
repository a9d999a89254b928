package sliced

import (
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// frame is a filter's header and trailer.
type frame struct {
	name          string // as recorded
	bitsPerKey    float64
	before, after string // the header, and the trailer with what is before it
}

// kind is everything that the rows of a hash depend on.
type kind struct {
	format    asm.Format
	probes    int
	bodyBytes int
}

func formatOf(f *simdbloom.Filter) asm.Format { return asm.Format(f.Format()) }

// sliceable reports whether a format's lookups are an AND of bits in one block.
func sliceable(format asm.Format) bool {
	return format == asm.FastLocal || format == asm.SplitBlock || format == asm.Blobloom
}

func sliceableNames() string {
	var names []string
	for _, format := range formats.All() {
		if sliceable(format) {
			names = append(names, formats.NameOf(format))
		}
	}
	return strings.Join(names, ", ")
}

// cut returns the parts of a filter that can be sliced. Callers keep it reachable.
func cut(f *simdbloom.Filter) (k kind, fr frame, body []byte) {
	format, data := formatOf(f), checked.Borrow(f)
	c, _ := formats.ReaderOf(format)(data)
	from := formats.Of(format).HeaderBytes
	to := from + len(c.Body)
	k = kind{format, f.NumProbes(), len(c.Body)}
	return k, frame{f.Name(), f.BitsPerKey(), string(data[:from]), string(data[to:])}, c.Body
}

// filter returns the filter with a body of the given size, which write fills.
func (fr *frame) filter(bodyBytes int, hash keyhash.Hash, write func(body []byte)) (*simdbloom.Filter, error) {
	from := len(fr.before)
	data := aligned.Make(from + bodyBytes + len(fr.after))
	copy(data, fr.before)
	copy(data[from+bodyBytes:], fr.after)
	write(data[from : from+bodyBytes : from+bodyBytes])
	return openNamed(fr.name, fr.bitsPerKey, data, hash)
}

// openNamed returns the filter of the bytes, which keeps the recorded bits per key, unless the key hash's name is too
// long for a file.
func openNamed(name string, bitsPerKey float64, data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	f, err := simdbloom.OpenNamed(name, data, hash)
	if err != nil || bitsPerKey == 0 {
		return f, err
	}
	file, err := stored.New(name, data, stored.PieceBytes)
	if err != nil {
		return f, nil
	}
	file.BitsPerKey = bitsPerKey
	return checked.Filter(&file, hash)
}
