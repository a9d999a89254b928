package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

const (
	chunkBytes = 1 << 18

	// mostRecord is how long a record may be: a file of another kind, without any end, should not fill the memory.
	mostRecord = 64 << 20
)

// Input is known of an input.
type Input struct {
	Name    string // for errors, or empty
	Hint    string // about an odd first line, once all was read
	Columns bool   // lines are keys, and the first one may have several columns
	Keys    bool   // whether it has keys: the caller sets it
}

// Chunk is a part of an input, of whole records.
type Chunk struct {
	Data   []byte
	At     int64 // in the input
	Header bool  // the row with the columns' names: it has no key
	Input  *Input

	format *Format
}

// Parse sets the chunk's keys, which refer to its data.
func (c *Chunk) Parse(to *Parsed) error {
	if c.Header {
		to.reset()
		return nil
	}
	err := c.format.Parse(to, c.Data)
	var row *RowError
	if errors.As(err, &row) {
		err = fmt.Errorf("the row at byte %d: %w", c.At+int64(row.At), row.Err)
	}
	return c.Input.named(err)
}

// named adds the input's name to an error.
func (i *Input) named(err error) error {
	if err == nil || err == io.EOF || i.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", i.Name, err)
}

// Reader cuts an input into chunks.
type Reader struct {
	*Input
	format *Format
	from   io.Reader
	header func(row []byte) error // or nil; it may change the format
	rest   []byte                 // of the last chunk: the beginning of a record
	at     int64
	err    error // the last one of from
}

// NewReader returns a reader. If header is not nil, the first record is passed to it, and has no key.
func NewReader(from io.Reader, format *Format, header func(row []byte) error) *Reader {
	return &Reader{Input: new(Input), format: format, from: from, header: header}
}

// Next returns the next chunk, or io.EOF. It waits until the chunk is large, unless hurry returns true: then
// whatever is there will do. The chunk is at the beginning of the room, if that is large enough.
func (r *Reader) Next(room []byte, hurry func() bool) (Chunk, error) {
	c, err := r.next(room, hurry)
	return c, r.named(err)
}

func (r *Reader) next(room []byte, hurry func() bool) (none Chunk, err error) {
	data := append(room[:0], r.rest...)
	cut, noKeys := 0, false
	ends := r.format.ends(data, data) // a record may end in data: otherwise looking again for its end wastes time
	for ; cut == 0; ends = false {
		if len(data) > mostRecord {
			return none, r.tooLong(data)
		}
		if cap(data) < len(data)+chunkBytes/2 {
			data = append(make([]byte, 0, 2*cap(data)+chunkBytes), data...)
		}
		for r.err == nil && len(data) < cap(data) && len(data) <= mostRecord && !(ends && hurry()) {
			var n int
			n, r.err = r.from.Read(data[len(data):cap(data)])
			data = data[:len(data)+n]
			ends = ends || r.format.ends(data, data[len(data)-n:])
		}
		if r.err != nil && r.err != io.EOF {
			return none, r.err
		}
		if len(data) == 0 {
			return none, io.EOF
		}
		if cut, noKeys, err = r.cut(data); err != nil {
			return none, err
		}
	}
	chunk := Chunk{data[:cut], r.at, noKeys, r.Input, r.format}
	r.rest = append(r.rest[:0], data[cut:]...)
	r.at += int64(cut)
	return chunk, nil
}

// cut returns the length of the next chunk, or 0 if there is too little data for one, and whether it has no key.
func (r *Reader) cut(data []byte) (n int, noKeys bool, err error) {
	f, atEnd := r.format, r.err == io.EOF
	if r.at == 0 {
		if n, err = f.takeSeparator(data); n > 0 || err != nil {
			return n, true, err
		}
	}
	if r.header != nil {
		if n = f.wholeRows(data, true); n == 0 && atEnd {
			n = len(data)
		}
		if n > 0 && !f.isRemark(data[:n]) {
			err = r.header(data[:n])
			r.header = nil
		}
		return n, true, err
	}
	n, err = f.cut(data, atEnd)
	if err == nil && r.at == 0 && n > 0 {
		err = r.compareBeginning(data[:n])
	}
	return n, false, err
}

// tooLong returns the error about a record of which the given bytes are the beginning.
func (r *Reader) tooLong(data []byte) error {
	newlines := bytes.IndexByte(data, '\n') >= 0
	switch f := r.format; {
	case f.Text && f.End == '\n' && !newlines && bytes.IndexByte(data, '\r') >= 0:
		return errReturn
	case f.Text && f.End == 0 && newlines && r.at == 0:
		return errNoZero
	}
	quotes := ""
	if r.format.Quotes && newlines {
		quotes = " Is a quote not closed?" + orNoQuotes
	}
	return fmt.Errorf("the record at byte %d is longer than %d bytes: is this the right kind of file?%s", r.at, mostRecord, quotes)
}

// compareBeginning returns an error if the first records show that keys are written in another way, or sets Hint.
func (r *Reader) compareBeginning(data []byte) error {
	f := r.format
	if f.Size > 0 && isText(data) {
		r.Hint = "it is lines of text, and keys are binary: without -size, keys are lines"
	}
	if !f.Text {
		return nil
	}
	if f.End == 0 {
		if bytes.IndexByte(data, 0) < 0 && bytes.IndexByte(data, '\n') >= 0 {
			return errNoZero
		}
		return nil
	}
	for len(data) > 0 { // empty rows, and remarks
		row, rest, _ := bytes.Cut(data, []byte{'\n'})
		if len(bytes.TrimRight(row[f.marks(row):], "\r")) > 0 && !f.isRemark(row[f.marks(row):]) {
			break
		}
		data = rest
	}
	if !f.CSV {
		r.Hint = f.hint(data)
		first, _, _ := bytes.Cut(data, []byte{'\n'})
		r.Columns = bytes.ContainsAny(first, ",;|")
		return nil
	}
	if f.Sure || len(data) == 0 {
		return nil
	}
	return f.compareFirst(data)
}

// isText reports whether data has lines of printable characters.
func isText(data []byte) bool {
	data = data[:min(len(data), 4096)]
	odd := bytes.ContainsFunc(data, func(c rune) bool {
		return c != '\n' && c != '\r' && c != '\t' && (c == utf8.RuneError || !unicode.IsPrint(c))
	})
	return !odd && bytes.IndexByte(data, '\n') >= 0
}
