package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	mark8        = "\xef\xbb\xbf"
	markLittle16 = "\xff\xfe"
	markBig16    = "\xfe\xff"
)

var (
	errUTF16 = errors.New("this seems to be text in UTF-16 without a byte order mark: " + through("iconv -f UTF-16LE -t UTF-8 FILE") +
		" (or UTF-16BE); -0 is for keys that end with a zero byte")
	errZero = errors.New("this is no text: it has zero bytes. -0 is for keys that end with a zero byte, -size for binary keys, and " +
		"-raw takes the lines as they are")
	errNoText = errors.New("this is no text: it is neither UTF-8 nor free of control characters. If it is compressed or encrypted, decode it " +
		"first; -size is for binary keys, and -raw takes the lines as they are")
)

// decodeText drops a byte order mark, and reads UTF-16 as UTF-8. Lines that are no text are an error.
func decodeText(h head, text Text) (io.Reader, error) {
	seen := h.peekWhile(func(seen []byte) bool {
		// No key ends before a line does.
		return beginsMark(seen) || text != ZeroEnded && (bytes.IndexByte(seen, '\n') < 0 || endsInHalf(seen))
	})
	switch {
	case bytes.HasPrefix(seen, []byte(mark8)):
		_, err := h.Discard(len(mark8))
		return h, err
	case bytes.HasPrefix(seen, []byte(markLittle16)):
		_, err := h.Discard(len(markLittle16))
		return &utf16Reader{from: h, order: binary.LittleEndian}, err
	case bytes.HasPrefix(seen, []byte(markBig16)):
		_, err := h.Discard(len(markBig16))
		return &utf16Reader{from: h, order: binary.BigEndian}, err
	case text == ZeroEnded:
		return h, nil
	case looksLikeUTF16(seen):
		return nil, errUTF16
	case text == ByteLines:
		return h, nil
	case bytes.IndexByte(seen, 0) >= 0:
		return nil, errZero
	case bytes.ContainsFunc(seen, isControl) && !isUTF8(seen):
		return nil, errNoText
	}
	return h, nil
}

// TrimMarks returns a line without the byte order marks of UTF-8 that it begins with, as where a list was put behind
// another.
func TrimMarks(line []byte) []byte {
	for len(line) >= len(mark8) && string(line[:len(mark8)]) == mark8 {
		line = line[len(mark8):]
	}
	return line
}

func beginsMark(seen []byte) bool {
	for _, mark := range []string{mark8, markLittle16, markBig16} {
		if len(seen) < len(mark) && strings.HasPrefix(mark, string(seen)) {
			return true
		}
	}
	return false
}

// isControl reports whether text hardly has a character.
func isControl(c rune) bool {
	return c < ' ' && !strings.ContainsRune("\a\b\t\n\v\f\r\x1b", c) || c == 0x7f
}

// isUTF8 reports whether bytes are UTF-8, of which the last character may be cut off.
func isUTF8(seen []byte) bool {
	for range utf8.UTFMax - 1 {
		if utf8.Valid(seen) || len(seen) == 0 {
			return true
		}
		seen = seen[:len(seen)-1]
	}
	return utf8.Valid(seen)
}

// endsInHalf reports whether the last byte may be half of a newline in UTF-16. Behind plain text it is not: whoever
// types a line waits for its answer.
func endsInHalf(seen []byte) bool {
	return len(seen)%2 == 1 && seen[len(seen)-1] == '\n' && (bytes.ContainsFunc(seen, isControl) || !utf8.Valid(seen))
}

// looksLikeUTF16 reports whether every other byte is zero, and no others are, as in English text in UTF-16, or all
// newlines have a zero byte on the same side, as in any.
func looksLikeUTF16(seen []byte) bool {
	zeros := [2]int{}
	for i, c := range seen {
		if c == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(seen) / 2
	switch {
	case len(seen) < 4 || zeros[0]+zeros[1] == 0:
		return false
	case zeros[0] >= pairs && zeros[1] == 0 || zeros[1] >= pairs && zeros[0] == 0:
		return true
	}
	lines := bytes.Count(seen, []byte{'\n'})
	return lines > 0 && (bytes.Count(seen, []byte("\n\x00")) == lines || bytes.Count(seen, []byte("\x00\n")) == lines)
}

// utf16Reader reads UTF-16 as UTF-8.
type utf16Reader struct {
	from  io.Reader
	order binary.ByteOrder

	in   [16 << 10]byte
	n    int    // bytes of in
	out  []byte // that are decoded
	room []byte
	err  error
}

var (
	errHalfUnit  = errors.New("the UTF-16 text ends in the middle of a character")
	errSurrogate = errors.New("the UTF-16 text has half of a surrogate pair: two such texts would become the same key")
)

// Read is io.Reader's.
func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		n, err := r.from.Read(r.in[r.n:])
		r.n += n
		r.err = err
		r.decode(err != nil)
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// firstLow is the first second half of a surrogate pair.
const firstLow = 0xdc00

// decode decodes the units that are whole.
func (r *utf16Reader) decode(last bool) {
	out, at := r.room[:0], 0
	for ; r.n-at >= 2; at += 2 {
		c := rune(r.order.Uint16(r.in[at:]))
		if utf16.IsSurrogate(c) {
			low := rune(utf8.RuneError)
			if r.n-at >= 4 {
				low = rune(r.order.Uint16(r.in[at+2:]))
			} else if c < firstLow {
				break // the other half is still to come
			}
			if c = utf16.DecodeRune(c, low); c == utf8.RuneError {
				r.err = errSurrogate
				break
			}
			at += 2
		}
		out = utf8.AppendRune(out, c)
	}
	if rest := r.n - at; last && rest > 0 && r.err == io.EOF {
		r.err = errHalfUnit
	}
	r.n = copy(r.in[:], r.in[at:r.n])
	r.out, r.room = out, out
}
