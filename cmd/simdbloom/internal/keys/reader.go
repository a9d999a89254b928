package keys

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

const (
	chunkBytes = 1 << 20

	// mostRecord is how long a record may be: a file of another kind, without any end, should not fill the memory.
	mostRecord = 64 << 20
)

// Chunk is a part of an input, of whole records.
type Chunk struct {
	Data   []byte
	At     int64 // in the input
	Header bool  // the row with the columns' names: it has no key
}

// Reader cuts an input into chunks.
type Reader struct {
	format *Format
	from   io.Reader
	header func(row []byte) error // or nil; it may change the format
	rest   []byte                 // of the last chunk: the beginning of a record
	at     int64
	err    error // what from said last
	pool   *sync.Pool
}

// NewReader returns a reader. If header is not nil, the first record is passed to it, and has no key.
func NewReader(from io.Reader, format *Format, header func(row []byte) error) *Reader {
	return &Reader{format: format, from: from, header: header, pool: new(sync.Pool)}
}

// Next returns the next chunk, or io.EOF. It waits until the chunk is large, unless hurry returns true: then
// whatever is there will do.
func (r *Reader) Next(hurry func() bool) (*Chunk, error) {
	room := r.buffer()
	data := append(room[:0], r.rest...)
	cut := 0
	ends := r.format.ends(data, data) // a record may end in data: otherwise looking again for its end wastes time
	for ; cut == 0; ends = false {
		if len(data) > mostRecord {
			return nil, r.tooLong(data)
		}
		if cap(data) < len(data)+chunkBytes/2 {
			data = append(make([]byte, 0, 2*cap(data)+chunkBytes), data...)
		}
		for r.err == nil && len(data) < cap(data) && len(data) <= mostRecord && !(ends && hurry()) {
			n := 0
			n, r.err = r.from.Read(data[len(data):cap(data)])
			data = data[:len(data)+n]
			ends = ends || r.format.ends(data, data[len(data)-n:])
		}
		if r.err != nil && r.err != io.EOF {
			return nil, r.err
		}
		if len(data) == 0 {
			return nil, io.EOF
		}
		var err error
		if r.header != nil {
			if cut = r.format.wholeRows(data, true); cut == 0 && r.err == io.EOF {
				cut = len(data)
			}
			if cut > 0 {
				err = r.header(data[:cut])
			}
		} else {
			cut, err = r.format.cut(data, r.err == io.EOF)
			if err == nil && r.at == 0 && cut > 0 {
				err = r.format.compareBeginning(data[:cut])
			}
		}
		if err != nil {
			return nil, err
		}
	}
	chunk := &Chunk{data[:cut], r.at, r.header != nil}
	r.header = nil
	r.rest = append(r.rest[:0], data[cut:]...)
	r.at += int64(cut)
	return chunk, nil
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
	return fmt.Errorf("the record at byte %d is longer than %d bytes: is this the right kind of file?", r.at, mostRecord)
}

// compareBeginning returns an error if the first records show that keys are written in another way.
func (f *Format) compareBeginning(data []byte) error {
	switch {
	case !f.Text:
	case f.CSV && !f.Sure:
		data = bytes.TrimLeft(data, "\r\n") // empty rows
		if row := f.wholeRows(data, true); row > 0 {
			data = data[:row]
		}
		return f.compareFirst(data)
	case f.End == 0 && bytes.IndexByte(data, 0) < 0 && bytes.IndexByte(data, '\n') >= 0:
		return errNoZero
	}
	return nil
}

func (r *Reader) buffer() []byte {
	if room, ok := r.pool.Get().(*[]byte); ok {
		return *room
	}
	return make([]byte, 0, 2*chunkBytes)
}

// Free gives the memory of a chunk back.
func (r *Reader) Free(c *Chunk) {
	room := c.Data
	r.pool.Put(&room)
}
