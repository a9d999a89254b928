// Package keys reads the keys that people have in files: lines, records that a zero byte ends or that all have
// the same size, and columns of CSV and Parquet files.
//
// A [Reader] cuts an input into chunks of whole records, which is all that must be done in order. [Format.Parse]
// finds the keys of a chunk, and hashes them; any number of goroutines do that at once.
package keys

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/decode"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Format describes records, and the place of a record's key.
type Format struct {
	End    byte   // the byte behind each record, a newline or 0
	Size   int    // of each record, which is the key; 0 if records end with End
	Case   Case   // of hexadecimal keys
	Text   bool   // carriage returns within lines are errors, and byte order marks before lines and rows are dropped
	Raw    bool   // a carriage return before a newline is part of the line
	Trim   bool   // blanks around keys are dropped
	Prefix string // of all keys, before their case is changed
	Remark string // begins what is no key, to the end of the line; or empty

	CSV      bool // keys are columns
	Column   int  // the first one with a key, from 0
	Last     int  // and the last one
	Comma    byte // between columns
	Blanks   bool // instead of Comma, any number of blanks and tabs, also before the first column
	Quotes   bool // a field may be in quotes
	NoQuotes bool // that fields are not in quotes was said, and not assumed
	Sure     bool // Comma was chosen: a first row without it is right
}

// Lines is a key in each line. A carriage return before the newline is no part of it.
func Lines() Format { return Format{End: '\n'} }

// CSV is a key in a column, counted from 0, of rows as RFC 4180 has them.
func CSV(column int) Format {
	return Format{End: '\n', CSV: true, Column: column, Last: column, Comma: ',', Quotes: true}
}

// Parsed are the keys of a chunk. Empty lines and empty columns are no keys.
type Parsed struct {
	Hashes  []uint64
	Records []Record // that the keys are in: the same one again for each key of a row
	Odd     Odd

	room  []byte // for a key in another case
	whole []byte // for a key behind a prefix
	keys  []byte // if there is no hash, all keys,
	ends  []int  // and where each one ends
	views [][]byte
}

// Record is a part of a chunk, with its end.
type Record struct{ From, To int32 }

// Reset drops all keys, and keeps the memory.
func (p *Parsed) Reset() {
	p.Hashes, p.Records, p.Odd, p.keys, p.ends = p.Hashes[:0], p.Records[:0], Odd{}, p.keys[:0], p.ends[:0]
}

func (p *Parsed) add(key []byte, hash keyhash.Hash, from, to int) {
	if hash.IsZero() {
		p.keys = append(p.keys, key...)
		p.ends = append(p.ends, len(p.keys))
	} else {
		p.Hashes = append(p.Hashes, hash.Sum64(key))
	}
	p.Records = append(p.Records, Record{int32(from), int32(to)})
}

// Keys returns the keys, if Parse was given no hash, until Reset.
func (p *Parsed) Keys() [][]byte {
	p.views = p.views[:0]
	from := 0
	for _, end := range p.ends {
		p.views = append(p.views, p.keys[from:end])
		from = end
	}
	return p.views
}

// Parse appends the keys of whole records: their hashes, or a copy of them if the hash is the zero value. The last one
// may lack its end.
func (f *Format) Parse(to *Parsed, data []byte, hash keyhash.Hash) error {
	switch {
	case f.CSV:
		return f.parseCSV(to, data, hash)
	case f.Size > 0:
		for at := 0; at < len(data); at += f.Size {
			to.add(data[at:at+f.Size], hash, at, at+f.Size)
		}
		return nil
	}
	returns := 0 // that end lines
	for at := 0; at < len(data); {
		end, next := len(data), len(data)
		if n := bytes.IndexByte(data[at:], f.End); n >= 0 {
			end, next = at+n, at+n+1
		}
		key := data[at:end]
		if f.End == '\n' {
			if n := len(key); n > 0 && key[n-1] == '\r' && !f.Raw {
				key = key[:n-1]
				returns++
			}
			n := f.marks(key)
			key, at = f.withoutRemark(key[n:]), at+n
		}
		switch {
		case len(key) > 0:
			f.add(to, key, hash, at, next)
		case f.End == 0:
			to.add(key, hash, at, next)
		}
		at = next
	}
	if f.Text && f.End == '\n' && bytes.Count(data, []byte{'\r'}) > returns {
		return returnWithin(data)
	}
	return nil
}

// withoutRemark returns a line without the remark at its beginning or behind a blank, and the blanks before it.
func (f *Format) withoutRemark(line []byte) []byte {
	if f.Remark == "" {
		return line
	}
	for at := 0; ; {
		n := bytes.Index(line[at:], []byte(f.Remark))
		if n < 0 {
			return line
		}
		before := bytes.TrimRight(line[:at+n], " \t")
		if len(before) < at+n || at+n == 0 {
			return before
		}
		at += n + len(f.Remark)
	}
}

// isRemark reports whether a row has nothing but a remark.
func (f *Format) isRemark(row []byte) bool {
	return f.Remark != "" && bytes.HasPrefix(bytes.TrimLeft(row, " \t"), []byte(f.Remark))
}

// returnWithin returns the error about the first line with a carriage return within it.
func returnWithin(data []byte) error {
	for at := 0; ; {
		line, _, more := bytes.Cut(data[at:], []byte{'\n'})
		if !more || bytes.IndexByte(bytes.TrimSuffix(line, []byte{'\r'}), '\r') >= 0 {
			return &RowError{at, errReturn}
		}
		at += len(line) + 1
	}
}

// marks returns the length of the byte order marks that a line or row of text begins with.
func (f *Format) marks(line []byte) int {
	if !f.Text {
		return 0
	}
	return len(line) - len(decode.TrimMarks(line))
}

var (
	errReturn = errors.New("a carriage return within a line: end lines with newlines, as \"tr '\\r' '\\n' < FILE | simdbloom …\" does " +
		"(or give -raw, if it belongs to the key)")
	errNoZero = errors.New("there are newlines, and no zero byte: without -0, keys are lines (or give -raw, if it is one key)")
)

var errCutShort = errors.New("the input ends in the middle of a record")

// ends reports whether a record may end in data, of which the last part was not looked at before.
func (f *Format) ends(data, last []byte) bool {
	switch {
	case f.CSV:
		return bytes.IndexByte(last, '\n') >= 0
	case f.Size > 0:
		return len(data) >= f.Size
	}
	return bytes.IndexByte(last, f.End) >= 0
}

// cut returns how many bytes at the beginning of data are whole records.
func (f *Format) cut(data []byte, atEnd bool) (n int, err error) {
	switch {
	case f.CSV:
		if n = f.wholeRows(data, false); atEnd {
			n = len(data)
		}
		return n, nil
	case f.Size > 0:
		n = len(data) / f.Size * f.Size
		if atEnd && n < len(data) {
			return n, fmt.Errorf("%w: -size is %d, and the rest of it is %s", errCutShort, f.Size, figures.Bytes(int64(len(data)-n)))
		}
		return n, nil
	case atEnd:
		return len(data), nil
	}
	return bytes.LastIndexByte(data, f.End) + 1, nil
}
