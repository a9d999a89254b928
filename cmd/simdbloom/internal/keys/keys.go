// Package keys reads the keys that people have in files: lines, records that a zero byte ends or that all have
// the same size, and columns of CSV and Parquet files.
//
// A [Reader] cuts an input into chunks of whole records, which is all that must be done in order. [Format.Parse]
// finds the keys of a chunk, and [Parsed.Hashes] hashes them; any number of goroutines do that at once.
package keys

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/decode"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
)

// Format describes records, and the place of a record's key.
type Format struct {
	End    byte   // the byte behind each record, a newline or 0; of columns a newline
	Size   int    // of each record, which is the key; 0 if records end with End
	Case   Case   // of hexadecimal keys
	Text   bool   // carriage returns within lines are errors, and byte order marks before lines and rows are dropped
	Raw    bool   // a carriage return before a newline is part of the line
	Trim   bool   // blanks around keys are dropped
	Prefix string // of all keys, before their case is changed
	Remark string // begins a remark, up to the end of the line; or empty

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

// Parse sets the keys of whole records. The last one may lack its end. The keys refer to the data.
func (f *Format) Parse(to *Parsed, data []byte) (err error) {
	to.reset()
	to.data = data
	switch {
	case f.CSV:
		err = f.parseCSV(to, data)
	case f.Size > 0:
		for at := 0; at < len(data); at += f.Size {
			to.add(at, at+f.Size, at, at+f.Size)
		}
	default:
		err = f.parseLines(to, data)
	}
	if f.copied() {
		to.data = to.copies
	}
	return err
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
	if f.Size > 0 {
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
