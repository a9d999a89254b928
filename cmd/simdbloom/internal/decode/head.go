package decode

import (
	"bufio"
	"bytes"
	"io"
)

// head is a reader of which the first bytes can be seen before they are read.
type head struct {
	*bufio.Reader
	list *ended
}

const (
	mostHead   = 512     // bytes that are looked at
	headBytes  = 4 << 10 // a list of text is read past this buffer, and many lists are short
	largeBytes = 64 << 10
)

func newHead(from io.Reader) head {
	list := &ended{from: from}
	return head{bufio.NewReaderSize(list, headBytes), list}
}

// large returns the head with a buffer for decoders, which read little at once.
func (h head) large() head { return head{bufio.NewReaderSize(h.Reader, largeBytes), h.list} }

// ended does not read again after an end or an error: at a terminal, an end must not be typed twice.
type ended struct {
	from io.Reader
	err  error
}

func (e *ended) Read(p []byte) (n int, err error) {
	if e.err == nil {
		n, e.err = e.from.Read(p)
	}
	return n, e.err
}

// peekWhile returns the first bytes: those that the first read gives, and more as long as they are too few.
func (h head) peekWhile(tooFew func(seen []byte) bool) []byte {
	for want := 1; ; want++ {
		if _, err := h.Peek(want); err != nil {
			seen, _ := h.Peek(min(h.Buffered(), mostHead))
			return seen
		}
		seen, _ := h.Peek(min(h.Buffered(), mostHead))
		if want = len(seen); want >= mostHead || !tooFew(seen) {
			return seen
		}
	}
}

// beginsKind reports whether the bytes are too few to tell a kind.
func beginsKind(seen []byte) bool {
	for i := range kinds {
		if k := &kinds[i]; len(seen) < len(k.begins) && bytes.HasPrefix([]byte(k.begins), seen) {
			return true
		}
	}
	return false
}

func beginsTextKind(seen []byte) bool {
	return beginsKind(seen) || len(seen) < tarMagicAt+len(tarMagic) && beginsTar(seen)
}

func beginsLinesKind(seen []byte) bool {
	_, more := noList(seen)
	return more || beginsTextKind(seen)
}

// A tar archive begins with a file's name, and zero bytes up to the hundredth.
const (
	tarMagicAt = 257
	tarMagic   = "ustar"
	tarName    = 100
)

// beginsTar reports whether the bytes can be the first ones of a tar archive's name of fewer than 100 bytes.
func beginsTar(seen []byte) bool {
	name := seen[:min(len(seen), tarName)]
	end := bytes.IndexByte(name, 0)
	return end > 0 && len(name)-end >= 2 && len(bytes.Trim(name[end:], "\x00")) == 0
}
