package decode

import (
	"bufio"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gzipReader reads the members of a gzip file one by one, with zero bytes between or behind them, which tapes and block
// devices leave. The gzip program ignores them, too.
type gzipReader struct {
	member *gzip.Reader
	from   *bufio.Reader // for which the decoder has code of its own
}

func openGzip(from head) (io.ReadCloser, error) {
	first, err := gzip.NewReader(from.Reader)
	if err != nil {
		return nil, err
	}
	first.Multistream(false)
	return &gzipReader{first, from.Reader}, nil
}

func (r *gzipReader) Read(p []byte) (n int, err error) {
	for {
		if n, err = r.member.Read(p); n > 0 || err != io.EOF {
			if err == io.EOF {
				err = nil // the next call finds it again
			}
			return n, err
		}
		if err := skipZeros(r.from); err != nil {
			return 0, err
		}
		if next, _ := r.from.Peek(2); next[0] != 0x1f || len(next) > 1 && next[1] != 0x8b {
			return 0, errBehind("gzip -dc FILE")
		}
		// Reset returns io.EOF for a header that is cut off in the member's name.
		if err := r.member.Reset(r.from); err != nil {
			return 0, noEnd(err)
		}
		r.member.Multistream(false)
	}
}

func (r *gzipReader) Close() error { return r.member.Close() }

// skipZeros reads zero bytes. It returns io.EOF if nothing else follows.
func skipZeros(from *bufio.Reader) error {
	for {
		b, err := from.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return from.UnreadByte()
		}
	}
}

// bzip2Reader ignores zero bytes behind the last stream, as the bzip2 program does.
type bzip2Reader struct {
	io.Reader
	from *lastTwo
}

// lastTwo knows the last two bytes that were read.
type lastTwo struct {
	head
	last [2]byte
}

func (l *lastTwo) ReadByte() (byte, error) {
	b, err := l.head.ReadByte()
	if err == nil {
		l.last = [2]byte{l.last[1], b}
	}
	return b, err
}

func openBzip2(from head) (io.ReadCloser, error) {
	last := &lastTwo{head: from}
	return io.NopCloser(&bzip2Reader{bzip2.NewReader(last), last}), nil
}

// The error of package bzip2 for two bytes behind a stream that begin none.
const noStream = bzip2.StructuralError("bad magic value in continuation file")

func (r *bzip2Reader) Read(p []byte) (n int, err error) {
	n, err = r.Reader.Read(p)
	if err == noStream {
		if err = errBehind("bzip2 -dc FILE"); r.from.last == [2]byte{} && skipZeros(r.from.Reader) == io.EOF {
			err = io.EOF
		}
	}
	return n, err
}
