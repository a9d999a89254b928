// Package decode reads lists as people have them: compressed, with a byte order mark, or in UTF-16. It recognises them
// by their first bytes. Other binary files, whose bytes would be taken for keys, are errors that say what to do.
package decode

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// Text describes a list once it is decompressed.
type Text byte

const (
	Binary    Text = iota // bytes as they are: keys of a fixed size
	ZeroEnded             // text in which zero bytes end keys
	ByteLines             // lines of any bytes, such as keys of databases
	Lines                 // lines of text, which has no zero bytes
)

// Reader reads the keys' bytes of a list. Only Close may be called beside another call.
type Reader struct {
	list io.Reader
	text Text
	from io.Reader // nil before the first Read
	err  error
	stop chan struct{}
	once sync.Once
}

// NewReader returns a reader of a list. Byte order marks of text are dropped, and UTF-16 becomes UTF-8.
func NewReader(list io.Reader, text Text) *Reader {
	return &Reader{list: list, text: text, stop: make(chan struct{})}
}

// Read is io.Reader's. The first call reads the list's first bytes, and no more of an interactive one than there are.
func (r *Reader) Read(p []byte) (int, error) {
	if r.from == nil && r.err == nil {
		r.from, r.err = r.open()
	}
	if r.err != nil {
		return 0, r.err
	}
	return r.from.Read(p)
}

// Close ends the goroutines of the reader, after the reads that they are in, for which it does not wait. It does not
// close the list.
func (r *Reader) Close() error {
	r.once.Do(func() { close(r.stop) })
	return nil
}

// mostLayers is how often a list may be compressed. Bombs may be more.
const mostLayers = 4

func (r *Reader) open() (io.Reader, error) {
	from, tooFew := r.list, beginsTextKind
	switch r.text {
	case Binary:
		tooFew = beginsKind
	case Lines:
		tooFew = beginsLinesKind
	}
	for layer := 0; ; layer++ {
		head := newHead(from)
		seen := head.peekWhile(tooFew)
		kind := kindOf(seen, r.text)
		if kind == nil && r.text == Lines {
			kind, _ = noList(seen)
		}
		switch {
		case kind == nil:
			if r.text == Binary {
				return head, nil
			}
			return decodeText(head, r.text)
		case kind.open == nil:
			return nil, fmt.Errorf("this is %s: %s (or give -raw, if these are the bytes of keys)", kind.name, kind.todo)
		case layer == mostLayers:
			return nil, fmt.Errorf("it is compressed more than %d times", mostLayers)
		}
		from = readAhead(&decompressor{from: head.large(), kind: kind, text: r.text}, r.stop)
	}
}

// decompressor reads one layer of compression, and names it in errors.
type decompressor struct {
	from head
	kind *kind
	text Text
	data io.ReadCloser // nil before the first Read
}

func (d *decompressor) Read(p []byte) (n int, err error) {
	defer func() {
		// The decoder of Zstandard panics on some frames (GO-2026-6865; the first version without that needs a newer
		// Go).
		if panicked := recover(); panicked != nil {
			n, err = 0, d.wrap(fmt.Errorf("the decoder panicked: %v", panicked))
		}
	}()
	if d.data == nil {
		data, err := d.kind.open(d.from)
		if err != nil {
			return 0, d.wrap(noEnd(err))
		}
		d.data = data
	}
	if n, err = d.data.Read(p); err != nil && err != io.EOF {
		err = d.wrap(err)
	}
	return n, err
}

func (d *decompressor) Close() error {
	if d.data == nil {
		return nil
	}
	return d.data.Close()
}

// noEnd returns an error that is not io.EOF, with which a list would end.
func noEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (d *decompressor) wrap(err error) error {
	if failed := d.from.list.err; failed != nil && failed != io.EOF {
		return failed // the list could not be read
	}
	orRaw := ""
	if d.text == Binary {
		orRaw = " (or give -raw, if these are the bytes of keys)"
	}
	switch {
	case errors.As(err, new(adviceError)):
		return fmt.Errorf("the %s data %w%s", d.kind.name, err, orRaw)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s data is cut short: %w%s", d.kind.name, err, orRaw)
	}
	return fmt.Errorf("the %s data is damaged: %w%s", d.kind.name, err, orRaw)
}

// adviceError is about data that is neither cut short nor damaged.
type adviceError struct{ error }

// errBehind is about bytes behind compressed data.
func errBehind(program string) error {
	return adviceError{fmt.Errorf("has other bytes behind it: if they are not part of the list, %s", through(program))}
}
