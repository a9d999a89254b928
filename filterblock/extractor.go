package filterblock

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Extractor returns the prefix of a key, so that a filter can also have prefixes: RocksDB's
// prefix_extractor, or a function of your own. Any number of goroutines may use it at once.
// [ParseExtractor] and [NewExtractor] make one. A nil *Extractor has no prefix of any key, and its
// Name is empty.
type Extractor struct {
	name   string
	kind   extractorKind
	length int
	prefix func(key []byte) (prefix []byte, ok bool) // of kind ownPrefix
}

type extractorKind uint8

const (
	ownPrefix extractorKind = iota
	fixedPrefix
	cappedPrefix // also the whole key, up to any length
)

// RocksDB's extractors (util/slice.cc). A name without a length, which RocksDB 6.27 wrote into its
// tables, does not define the prefixes.
const (
	fixedName  = "rocksdb.FixedPrefix."
	cappedName = "rocksdb.CappedPrefix."
	noopName   = "rocksdb.Noop"
	noneName   = "nullptr"
)

var withLength = []struct {
	begin string // of the text
	name  string // that tables record
	kind  extractorKind
}{
	{fixedName, fixedName, fixedPrefix},
	{"fixed:", fixedName, fixedPrefix},
	{cappedName, cappedName, cappedPrefix},
	{"capped:", cappedName, cappedPrefix},
}

// ParseExtractor returns RocksDB's extractor of a name. It reads the names in options, and the
// table property rocksdb.prefix.extractor.name:
//
//	fixed:8    rocksdb.FixedPrefix.8     the first 8 bytes; shorter keys have no prefix
//	capped:8   rocksdb.CappedPrefix.8    the first 8 bytes, or all if there are fewer
//	noop       rocksdb.Noop              the whole key
//	nullptr    (or no text)              no extractor: it returns nil and no error
//
// RocksDB's notation with an id, such as "{id=rocksdb.FixedPrefix.8;}", is the same. Any other text
// is an error that wraps [simdbloom.ErrUnknown]. A length has 31 bits at most.
func ParseExtractor(text string) (*Extractor, error) {
	name := text
	if inner, ok := strings.CutPrefix(text, "{id="); ok {
		name = strings.TrimSuffix(strings.TrimSuffix(inner, "}"), ";")
	}
	switch name {
	case "", noneName:
		return nil, nil
	case noopName, "noop":
		return &Extractor{name: noopName, kind: cappedPrefix, length: math.MaxInt}, nil
	}
	for _, known := range withLength {
		digits, ok := strings.CutPrefix(name, known.begin)
		if !ok {
			continue
		}
		length, err := strconv.ParseUint(digits, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("filterblock: prefix extractor %q: the length must be a whole number from 0 to %d", text, math.MaxInt32)
		}
		return &Extractor{name: known.name + strconv.FormatUint(length, 10), kind: known.kind, length: int(length)}, nil
	}
	return nil, contents.Unknown(fmt.Errorf("filterblock: unknown prefix extractor %q (known: fixed:N, capped:N, noop, and RocksDB's names of them)", text))
}

// NewExtractor returns an extractor that calls prefix. The name stands for the function for ever:
// tables record it, and a reader uses a table's prefixes only if its extractor has the same name.
// NewExtractor panics if the name is one that [ParseExtractor] reads, or if prefix is nil.
//
// prefix returns the first bytes of the key, as a part of it, or false if the key has no prefix.
// Several goroutines may call it at once. It must keep nothing of the key. RocksDB requires, too,
// that the keys of one prefix are next to each other (include/rocksdb/slice_transform.h). Without
// that a [Reader] is right, but skips less.
func NewExtractor(name string, prefix func(key []byte) (prefix []byte, ok bool)) *Extractor {
	if _, err := ParseExtractor(name); err == nil {
		panic(fmt.Sprintf("filterblock: NewExtractor's name must not be empty or RocksDB's, but is %q", name))
	}
	if prefix == nil {
		panic("filterblock: NewExtractor's function must not be nil")
	}
	return &Extractor{name: name, prefix: prefix}
}

// Name returns the name that a table records: RocksDB's, such as "rocksdb.FixedPrefix.8", or the
// one given to [NewExtractor].
func (e *Extractor) Name() string {
	if e == nil {
		return ""
	}
	return e.name
}

// Prefix returns the prefix of a key, which is a part of the key's memory, or false if the key has
// none. It costs a nanosecond or two, and allocates nothing.
func (e *Extractor) Prefix(key []byte) (prefix []byte, ok bool) {
	if e == nil {
		return nil, false
	}
	if e.kind == ownPrefix {
		return e.prefix(key)
	}
	if len(key) < e.length {
		return key, e.kind == cappedPrefix
	}
	return key[:e.length], true
}

// mayBegin reports whether keys with the prefix may be next to an index key, between two keys of the table.
func (e *Extractor) mayBegin(indexKey, prefix []byte) bool {
	if e.kind == ownPrefix {
		return bytes.HasPrefix(indexKey, prefix)
	}
	its, ok := e.Prefix(indexKey)
	return ok && bytes.Equal(its, prefix)
}

// gives reports whether the extractor could give the prefix. Of a function it is taken to be so.
func (e *Extractor) gives(prefix []byte) bool {
	switch e.kind {
	case fixedPrefix:
		return len(prefix) == e.length
	case cappedPrefix:
		return len(prefix) <= e.length
	}
	return true
}
