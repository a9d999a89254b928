package stored

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

const (
	magic   = "\x89SBF\r\n\x1a\n"
	version = 1

	atVersion      = 8
	atFormatLength = 12
	atHashLength   = 14
	atLength       = 16
	atKeys         = 24
	atBitsPerKey   = 32
	atNames        = 40

	// LeastBytes are fewer than any file has.
	LeastBytes = atNames

	// PieceBytes is the size of the pieces that have a checksum each. The last one may be smaller.
	PieceBytes = 64 << 10

	mostNameBytes = 1024
	mostBytes     = 1 << 46 // above what any format holds

	sumBytes = 8

	// A body begins at a multiple of these: a cache line, or a page.
	lineBytes = 64
	pageBytes = 4096

	unknownKeys = math.MaxUint64
)

// Begins reports whether bytes begin as a file does. Eight are enough.
func Begins(start []byte) bool {
	return len(start) >= len(magic) && string(start[:len(magic)]) == magic
}

// sizes say where the parts of a file are.
type sizes struct {
	format, hash int // the lengths of names
	checked      int // where the header's own checksum is
	body         int // where the filter begins
	length       int // of the filter
}

// sizesFor returns the sizes for names and a filter of the given lengths. It returns false if
// they do not fit in this machine's memory.
func sizesFor(format, hash int, length uint64) (s sizes, ok bool) {
	checked := up(uint64(atNames+format+hash), sumBytes) + sumBytes*numPieces(length)
	alignment := uint64(lineBytes)
	if length >= PieceBytes {
		alignment = pageBytes
	}
	body := up(checked+sumBytes, alignment)
	if length > mostBytes || body+length > math.MaxInt-aligned.Slack {
		return s, false
	}
	return sizes{format, hash, int(checked), int(body), int(length)}, true
}

func numPieces(length uint64) uint64 { return up(length, PieceBytes) / PieceBytes }

func up(n, multiple uint64) uint64 { return (n + multiple - 1) / multiple * multiple }

// readSizes reads the first atNames bytes. Only their own plausibility is checked: the checksum
// of the header comes later.
func readSizes(fixed []byte) (s sizes, err error) {
	if !Begins(fixed) {
		return s, foreign()
	}
	if v := binary.LittleEndian.Uint32(fixed[atVersion:]); v != version {
		return s, corrupt("version %d of the file format, but only version %d can be read", v, version)
	}
	format := int(binary.LittleEndian.Uint16(fixed[atFormatLength:]))
	hash := int(binary.LittleEndian.Uint16(fixed[atHashLength:]))
	length := binary.LittleEndian.Uint64(fixed[atLength:])
	if format > mostNameBytes || hash > mostNameBytes {
		return s, corrupt("the names have %d and %d bytes, more than %d", format, hash, mostNameBytes)
	}
	s, ok := sizesFor(format, hash, length)
	if !ok {
		return s, corrupt("a filter of %d bytes, more than this machine can have", length)
	}
	return s, nil
}

// readHeader reads all bytes before the filter. The file that it returns has no body.
func readHeader(head []byte, s sizes) (f File, err error) {
	if sum := binary.LittleEndian.Uint64(head[s.checked:]); sum != xxhash.Sum64(head[:s.checked]) {
		return f, corrupt("the header's checksum is wrong")
	}
	for _, b := range head[s.checked+sumBytes:] {
		if b != 0 {
			return f, corrupt("the bytes between the header and the filter are not zero")
		}
	}
	names := head[atNames:]
	f.Format, f.Hash = string(names[:s.format]), string(names[s.format:][:s.hash])
	f.Offset, f.Length = int64(s.body), int64(s.length)
	if s.hash == 0 || !strings.HasSuffix(f.Format, "."+f.Hash) {
		return f, corrupt("the format %q does not end with the name of its hash, %q", f.Format, f.Hash)
	}
	keys := binary.LittleEndian.Uint64(head[atKeys:])
	if keys > math.MaxInt64 && keys != unknownKeys {
		return f, corrupt("the number of keys is %d, more than 2^63-1", keys)
	}
	f.Keys = int64(keys) // unknownKeys is -1
	f.BitsPerKey = math.Float64frombits(binary.LittleEndian.Uint64(head[atBitsPerKey:]))
	if math.Signbit(f.BitsPerKey) || !(f.BitsPerKey <= math.MaxFloat64) {
		return f, corrupt("bits per key are %v, neither 0 nor a positive number", f.BitsPerKey)
	}
	sums := up(uint64(atNames+s.format+s.hash), sumBytes)
	for _, b := range names[s.format+s.hash : sums-atNames] {
		if b != 0 {
			return f, corrupt("the bytes behind the names are not zero")
		}
	}
	f.sums = make([]uint64, 0, numPieces(uint64(s.length)))
	for at := int(sums); at < s.checked; at += sumBytes {
		f.sums = append(f.sums, binary.LittleEndian.Uint64(head[at:]))
	}
	return f, nil
}

// appendHeader appends all bytes before the filter.
func (f *File) appendHeader(dst []byte) []byte {
	from := len(dst)
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, version)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Format)))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Hash)))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(f.Length))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(f.Keys))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f.BitsPerKey))
	dst = append(dst, f.Format...)
	dst = append(dst, f.Hash...)
	dst = append(dst, make([]byte, up(uint64(len(dst)-from), sumBytes)-uint64(len(dst)-from))...)
	for _, sum := range f.sums {
		dst = binary.LittleEndian.AppendUint64(dst, sum)
	}
	dst = binary.LittleEndian.AppendUint64(dst, xxhash.Sum64(dst[from:]))
	return append(dst, make([]byte, from+int(f.Offset)-len(dst))...)
}
