package redisbloom

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/classic"
)

// The options of a filter. Others are errors.
const (
	optionNoRound   = 1 // bits as the rate needs them, not 2^n
	optionRaw       = 2 // the capacity was given as n of 2^n bits
	optionHash64    = 4
	optionNoScaling = 8

	knownOptions = optionNoRound | optionRaw | optionHash64 | optionNoScaling
)

// layout has the places in a dump's header. All begin with the number of keys, that of links, and the options.
type layout struct {
	fixed   int // the bytes before the links
	link    int // of a link
	entries int // of a link's capacity
}

// layouts has the newest first. That of v2.2.0 is not among them, {20, 49, 4}: the newest one looks like it, with
// one link, if the dump's last 4 bytes are missing.
var layouts = [...]layout{
	{20, 53, 8}, // since v2.2.1 (2020)
	{16, 49, 4}, // up to v2.0.3: without the growth of the next link
}

// header has the fields in the first bytes of a dump.
type header struct {
	layout
	keys    uint64
	count   int // of links
	options uint32
}

// Open returns the filter of a dump: the data of all replies of BF.SCANDUMP, in their order, one behind the other. It
// copies nothing, and costs a few nanoseconds a link. The bytes must neither change nor be freed while the filter is in
// use.
//
// The error wraps [simdbloom.ErrCorrupt] and describes the mistake: the numbers of links, bits or probes, unknown
// options, or a sum of all links' bytes that is not the number of bytes behind the header. So a dump
// is an error if a reply is missing, or if keys were added meanwhile and the filter got another link. The format
// has no checksum: other corrupt bytes open without an error. Lookups in them are safe, and their answers mean
// nothing. [Filter.Verify] finds more.
func Open(data []byte) (*Filter, error) {
	h, flaw := readHeader(data)
	if flaw != sound {
		return nil, fmt.Errorf("redisbloom: %w: %d bytes: %s", simdbloom.ErrCorrupt, len(data), flaw)
	}
	f := &Filter{header: h, data: data[:len(data):len(data)], links: make([]link, h.count)}
	at := h.bytes()
	for i := range f.links {
		l, _ := h.readLink(data, i, at)
		l.array = classic.BitsOf(l.words)
		f.links[i] = l
		at += len(f.links[i].words)
	}
	return f, nil
}

// IsDump reports whether data, of which 128 bytes are enough, begin as a dump or the replies for OpenFile:
// then the error is about a dump. Other data begin so once in 2^60 times,
// if they are random.
func IsDump(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte(firstIterator))
	for _, l := range layouts {
		if len(data) < l.fixed+l.link || binary.LittleEndian.Uint32(data[12:])&^knownOptions != 0 {
			continue
		}
		h := header{layout: l}
		if link, _ := h.readLink(data, 0, len(data)); link.FPR > 0 && link.FPR < 1 && link.isPlausible() {
			return true
		}
	}
	return false
}

// MayContain is Open and Contains in one call, without allocating. If Open refuses the bytes, it answers
// true. It reads all links' headers first: Open is for more than one key.
func MayContain(data, key []byte) bool {
	h, flaw := readHeader(data)
	if flaw != sound {
		return true
	}
	sum, at := h.sum(key), h.bytes()
	for i := range h.count {
		l, _ := h.readLink(data, i, at)
		if l.contains(sum) {
			return true
		}
		at += len(l.words)
	}
	return false
}

// flaw is a mistake in a dump, in the order of checks. If no layout suits, the last flaw is that of the
// layout that suits best.
type flaw int

const (
	sound flaw = iota
	noHeader
	noLinks
	badOptions
	noLinkHeaders
	badRate
	badProbes
	badBits
	tooShort
	tooLong
)

func (f flaw) String() string {
	return [...]string{
		sound:         "nothing is wrong",
		noHeader:      "too short for a header",
		noLinks:       "the number of links is 0",
		badOptions:    "unknown options",
		noLinkHeaders: "too short for the links' headers",
		badRate:       "a link's rate is not above 0 and below 1",
		badProbes:     fmt.Sprintf("a link's number of probes is 0, or more than %d", classic.MostProbes),
		badBits:       "a link's number of bits is 0, or more than its bytes have",
		tooShort:      "too short for the links' bits",
		tooLong:       "longer than the links' bits",
	}[f]
}

// readHeader returns the header, in the newest layout that suits the bytes.
func readHeader(data []byte) (h header, is flaw) {
	for _, l := range layouts {
		h, flaw := l.read(data)
		if flaw == sound {
			return h, sound
		}
		is = max(is, flaw)
	}
	return h, is
}

// read returns the header in a layout. If it has no flaw, the links are in the data, to the last byte.
func (l layout) read(data []byte) (h header, is flaw) {
	if len(data) < l.fixed {
		return h, noHeader
	}
	h = header{layout: l, keys: binary.LittleEndian.Uint64(data), options: binary.LittleEndian.Uint32(data[12:])}
	count := binary.LittleEndian.Uint32(data[8:])
	switch {
	case count == 0:
		return h, noLinks
	case h.options&^knownOptions != 0:
		return h, badOptions
	case uint64(count) > uint64(len(data)-l.fixed)/uint64(l.link):
		return h, noLinkHeaders
	}
	h.count = int(count)
	at := h.bytes()
	for i := range h.count {
		link, flaw := h.readLink(data, i, at)
		if flaw != sound {
			return h, flaw
		}
		at += len(link.words)
	}
	if at != len(data) {
		return h, tooLong
	}
	return h, sound
}

// bytes returns the length of the header with its links.
func (h *header) bytes() int { return h.fixed + h.count*h.link }

// readLink returns a link whose bits begin at a byte of the dump.
func (h *header) readLink(data []byte, i, at int) (l link, is flaw) {
	from := data[h.fixed+i*h.link:][:h.link]
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(from[i:]) }
	size, bits, probes, n2 := number(0), number(8), binary.LittleEndian.Uint32(from[40:]), from[h.link-1]
	l.Keys, l.FPR, l.Probes = number(16), math.Float64frombits(number(24)), int(probes)
	l.perKey = math.Float64frombits(number(32))
	if h.entries == 8 {
		l.Capacity = number(44)
	} else {
		l.Capacity = uint64(binary.LittleEndian.Uint32(from[44:]))
	}
	if n2 > 0 { // versions before 2.2.0 do not fill in the number of bits then
		bits = 1 << n2
	}
	switch {
	case !(l.FPR > 0 && l.FPR < 1):
		return l, badRate
	case probes == 0 || probes > classic.MostProbes:
		return l, badProbes
	case bits == 0 || size < bits/8 || size == bits/8 && bits%8 != 0:
		return l, badBits
	case size > uint64(len(data)-at):
		return l, tooShort
	}
	l.Bits, l.m = bits, classic.NewDivisor(bits)
	l.words = data[at : at+int(size)]
	// Up to v1.1.0, the places of hashes of 32 bits were computed with 32 bits, and later, in the
	// same filters, with 64 bits. With 2^n bits up to 2^32 that makes no difference.
	l.wraps = h.options&optionHash64 == 0 && (n2 == 0 || n2 > 32)
	return l, sound
}
