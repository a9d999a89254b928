// Package stored writes and reads the bytes of a filter file, which docs/files.md describes:
// the header, the checksums of the filter's pieces, and streams. It knows formats only by name.
// The formats' packages store their filters by it, and package filterfile any filter.
package stored

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/pieces"
)

// ErrZero is returned where a filter without bytes is to be written.
var ErrZero = errors.New("the zero filter cannot be stored")

// Info has the facts that a file records about its filter.
type Info struct {
	Format string // family and key hash
	Hash   string

	Keys       int64   // or -1
	BitsPerKey float64 // or 0

	Offset int64 // of the filter's first byte
	Length int64

	PieceBytes int
}

// File is a filter's bytes and the facts in its filter file. Whoever uses the Body keeps the File reachable: the bytes
// may be mapped as long as it is.
type File struct {
	Info
	Body    []byte
	Mapping *mmap.Mapping         // that the Body is in, or nil
	Pieces  *pieces.Pieces        // if the Body is checked when lookups need it, or nil
	write   func(io.Writer) error // writes the body, if it is not in Body
	sums    []uint64              // of the pieces
}

// CheckPieceBytes returns an error if pieces cannot have that size.
func CheckPieceBytes(n int) error {
	if n < LeastPieceBytes || n > PieceBytes || n&(n-1) != 0 {
		return fmt.Errorf("WithPieceBytes must be a power of two from %d to %d, not %d", LeastPieceBytes, PieceBytes, n)
	}
	return nil
}

// New returns the file of a filter with a Name, in pieces of the given size. It reads all of the body.
func New(format string, body []byte, pieceBytes int) (File, error) {
	f, err := NewOf(format, uint64(len(body)), pieceBytes, func(w io.Writer) error {
		_, err := w.Write(body)
		return err
	})
	f.Body, f.write = body, nil
	return f, err
}

// NewOf is New of a body that is not in memory: write writes the same one, of the given length, each time it is called.
func NewOf(format string, length uint64, pieceBytes int, write func(io.Writer) error) (File, error) {
	hash := strings.SplitN(format, ".", 3)[2]                 // which may have dots
	const most = mostNameBytes - len("simdbloom.SplitBlock.") // whatever the format
	if len(hash) > most {
		return File{}, fmt.Errorf("the key hash's name has %d bytes, more than %d", len(hash), most)
	}
	s, ok := sizesFor(len(format), len(hash), length, pieceBytes)
	if !ok {
		return File{}, fmt.Errorf("the filter and its header are longer than %d bytes", math.MaxInt-aligned.Slack)
	}
	sums := summer{sums: make([]uint64, 0, numPieces(length, pieceBytes)), piece: pieceBytes}
	if err := write(&sums); err != nil {
		return File{}, err
	}
	return File{
		Info:  Info{Format: format, Hash: hash, Keys: -1, Offset: int64(s.body), Length: int64(s.length), PieceBytes: pieceBytes},
		write: write, sums: sums.all(),
	}, nil
}

// summer computes the checksums of the pieces that are written to it.
type summer struct {
	sums  []uint64
	sum   xxhash.Digest
	n     int // bytes of the last piece, which is not in sums
	piece int // bytes of a whole one
}

func (s *summer) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		if s.n == 0 {
			s.sum.Reset()
		}
		part := rest[:min(s.piece-s.n, len(rest))]
		s.sum.Write(part)
		if s.n += len(part); s.n == s.piece {
			s.sums, s.n = append(s.sums, s.sum.Sum64()), 0
		}
		rest = rest[len(part):]
	}
	return len(p), nil
}

// all returns the checksums after the last byte.
func (s *summer) all() []uint64 {
	if s.n > 0 {
		return append(s.sums, s.sum.Sum64())
	}
	return s.sums
}

// Sum returns the checksum of the header, which covers the checksums of the pieces.
func (f *File) Sum() uint64 {
	header := f.appendHeader(nil)
	names := up(uint64(atNames+len(f.Format)+len(f.Hash)), sumBytes)
	return binary.LittleEndian.Uint64(header[int(names)+sumBytes*len(f.sums):])
}

// AppendTo appends the file's bytes to dst.
func (f *File) AppendTo(dst []byte) []byte {
	dst = append(f.appendHeader(slices.Grow(dst, int(f.Offset+f.Length))), f.Body...)
	runtime.KeepAlive(f)
	return dst
}

// WriteTo writes the file's bytes.
func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	counted := counter{w: w}
	_, err = counted.Write(f.appendHeader(nil))
	switch {
	case err != nil:
	case f.write != nil:
		err = f.write(&counted)
	default:
		_, err = counted.Write(f.Body)
	}
	runtime.KeepAlive(f)
	if err == nil && counted.n != f.Offset+f.Length {
		err = io.ErrShortWrite
	}
	return counted.n, err
}

// counter counts the bytes that are written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// corrupt returns an error about a file's bytes.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", contents.ErrCorrupt, fmt.Sprintf(format, args...))
}
