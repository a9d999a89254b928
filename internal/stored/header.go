package stored

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

const (
	magic = "\x89SBF\r\n\x1a\n"

	atVersion      = 8
	atFormatLength = 12
	atHashLength   = 14
	atLength       = 16 // 6 bytes
	atPieceBits    = 22 // 2 bytes
	atKeys         = 24
	atBitsPerKey   = 32
	atNames        = 40

	// LeastBytes are fewer than any file has.
	LeastBytes = atNames

	// PieceBytes is the size of the pieces that have a checksum each, unless others are chosen: a power of two from
	// LeastPieceBytes on. The last one may be smaller.
	PieceBytes      = 64 << 10
	LeastPieceBytes = 4 << 10

	// Version 1 has pieces of PieceBytes, and version 2 smaller ones.
	version       = 1
	versionPieces = 2

	mostNameBytes = 1024
	mostBytes     = 1 << 46 // more than any format holds

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
	piece        int // bytes of a piece
}

// sizesFor returns the sizes for names, a filter and pieces of the given lengths. It returns false if
// they do not fit in this machine's memory.
func sizesFor(format, hash int, length uint64, piece int) (s sizes, ok bool) {
	checked := up(uint64(atNames+format+hash), sumBytes) + sumBytes*numPieces(length, piece)
	alignment := uint64(lineBytes)
	if length >= PieceBytes {
		alignment = pageBytes
	}
	body := up(checked+sumBytes, alignment)
	if length > mostBytes || body+length > math.MaxInt-aligned.Slack {
		return s, false
	}
	return sizes{format, hash, int(checked), int(body), int(length), piece}, true
}

func numPieces(length uint64, piece int) uint64 { return up(length, uint64(piece)) / uint64(piece) }

func up(n, multiple uint64) uint64 { return (n + multiple - 1) / multiple * multiple }

// readSizes reads the first atNames bytes. Only their own plausibility is checked: the checksum
// of the header comes later.
func readSizes(fixed []byte) (s sizes, err error) {
	if !Begins(fixed) {
		return s, foreign()
	}
	length, piece := binary.LittleEndian.Uint64(fixed[atLength:]), PieceBytes
	switch v := binary.LittleEndian.Uint32(fixed[atVersion:]); v {
	case version:
	case versionPieces:
		log := binary.LittleEndian.Uint16(fixed[atPieceBits:])
		length &= 1<<(8*(atPieceBits-atLength)) - 1
		if piece = 1 << min(log, 16); piece < LeastPieceBytes || piece >= PieceBytes {
			return s, corrupt("version 2 of the file format has pieces of 2^12 to 2^15 bytes, not 2^%d", log)
		}
	default:
		return s, corrupt("version %d of the file format, but only versions up to %d can be read", v, versionPieces)
	}
	format := int(binary.LittleEndian.Uint16(fixed[atFormatLength:]))
	hash := int(binary.LittleEndian.Uint16(fixed[atHashLength:]))
	if format > mostNameBytes || hash > mostNameBytes {
		return s, corrupt("the names have %d and %d bytes, more than %d", format, hash, mostNameBytes)
	}
	s, ok := sizesFor(format, hash, length, piece)
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
	f.Offset, f.Length, f.PieceBytes = int64(s.body), int64(s.length), s.piece
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
	f.sums = make([]uint64, numPieces(uint64(s.length), s.piece))
	for i := range f.sums {
		f.sums[i] = binary.LittleEndian.Uint64(head[int(sums)+sumBytes*i:])
	}
	return f, nil
}

// appendHeader appends all bytes before the filter.
func (f *File) appendHeader(dst []byte) []byte {
	from := len(dst)
	dst = append(dst, magic...)
	v, length := uint32(version), uint64(f.Length)
	if f.PieceBytes < PieceBytes {
		v = versionPieces
		length |= uint64(bits.TrailingZeros(uint(f.PieceBytes))) << (8 * (atPieceBits - atLength))
	}
	dst = binary.LittleEndian.AppendUint32(dst, v)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Format)))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Hash)))
	dst = binary.LittleEndian.AppendUint64(dst, length)
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
