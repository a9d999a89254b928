package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/keyhash"
)

// oneByOne is Parse of records that end with a byte, which looks at each.
func (f *Format) oneByOne(to *Parsed, data []byte) {
	to.reset()
	to.data = data
	for at := 0; at < len(data); {
		end, next := len(data), len(data)
		if n := bytes.IndexByte(data[at:], f.End); n >= 0 {
			end, next = at+n, at+n+1
		}
		f.addLine(to, data, at, end, next)
		at = next
	}
	if f.copied() {
		to.data = to.copies
	}
}

// equal returns an error if keys, records or what is odd differ.
func (p *Parsed) equal(other *Parsed) error {
	switch {
	case !slices.EqualFunc(p.Keys(), other.Keys(), bytes.Equal):
		return fmt.Errorf("keys %.200q, want %.200q", p.Keys(), other.Keys())
	case !slices.Equal(p.Records, other.Records):
		return fmt.Errorf("records %.200v, want %.200v", p.Records, other.Records)
	case p.Odd != other.Odd:
		return fmt.Errorf("odd: %+v, want %+v", p.Odd, other.Odd)
	case !slices.Equal(p.Hashes(keyhash.XX64), keyhash.XX64.AppendHashes(nil, other.Keys())): // of places in the data only
		return errors.New("hashes are of other keys")
	}
	return nil
}

// TestPlainLinesAreAsOthers: with every option of lines, many lines at once have the keys of one after the other. The
// texts end everywhere in a block of the kernels, and some have more lines or bytes than are searched at once.
func TestPlainLinesAreAsOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var formats []Format
	for _, end := range []byte{'\n', 0} {
		for _, text := range []bool{true, false} {
			for _, f := range []Format{{}, {Raw: !text}, {Trim: true}, {Remark: "#"}, {Case: Lower}, {Prefix: "p", Case: Upper}, {NoQuotes: true}} {
				f.End, f.Text = end, text
				formats = append(formats, f)
			}
		}
	}
	alphabet := []string{"a", "A0", "key", "\r\n", "\n", "\n", "\x00", "x\x00", " ", "\t", "'", "\"", ",", ";", "\\", "#", "\u00e9", "\u00a0", "\ufeff", "\x80", "0123456789abcdef\n"}
	got, want := new(Parsed), new(Parsed)
	for i := range 3000 {
		var text []byte
		parts := alphabet[random.IntN(len(alphabet)):]
		length := random.IntN(300)
		if i%50 == 0 {
			length = random.IntN(200_000)
		}
		for len(text) < length {
			part := parts[random.IntN(len(parts))]
			if random.IntN(3) == 0 { // mostly plain lines
				part = "0123456789abcdef\n"[random.IntN(17):]
			}
			text = append(text, part...)
		}
		f := formats[random.IntN(len(formats))]
		if err := f.Parse(got, text); err != nil && !bytes.Contains(text, []byte{'\r'}) {
			t.Fatalf("%+v: %q: %v", f, text, err)
		}
		f.oneByOne(want, text)
		if err := got.equal(want); err != nil {
			t.Fatalf("%+v: %.300q: %v", f, text, err)
		}
	}
	big := bytes.Repeat([]byte("\n"), 3*mostEnds) // one line after the other has no key
	if f := text(Lines()); f.Parse(got, big) != nil || len(got.Records) != 0 {
		t.Errorf("%d keys of empty lines", len(got.Records))
	}
}

// TestEmptyRecords: nothing before a zero byte is a key, whatever is done to other keys.
func TestEmptyRecords(t *testing.T) {
	for _, f := range []Format{{}, {Case: Lower}, {Case: Upper, Trim: true}, {Prefix: "p"}} {
		to := new(Parsed)
		if err := f.Parse(to, []byte("\x00\x00ABCDEF\x00\x00")); err != nil {
			t.Fatal(err)
		}
		hashes, empty := to.Hashes(keyhash.XX64), keyhash.XX64.Sum64(nil)
		if len(hashes) != 4 || hashes[0] != empty || hashes[1] != empty || hashes[2] == empty || hashes[3] != empty {
			t.Errorf("%+v: hashes %x", f, hashes)
		}
	}
}

// TestChunksEndAnywhere: the keys of a text do not depend on where its chunks end.
func TestChunksEndAnywhere(t *testing.T) {
	input := []byte("\ufeffplain\n\nwindows\r\n blank \nlong" + string(bytes.Repeat([]byte("er"), 100)) + "\n,\n\xff\nlast")
	format := text(Lines())
	hashes, records, err := readAll(t, bytes.NewReader(input), format, "")
	if err != nil || len(hashes) != 7 {
		t.Fatalf("%d keys, %v", len(hashes), err)
	}
	for at := range len(input) + 1 {
		parts := io.MultiReader(bytes.NewReader(input[:at]), bytes.NewReader(input[at:]))
		again, same, err := readAll(t, parts, format, "")
		if err != nil || !slices.Equal(again, hashes) || !slices.Equal(same, records) {
			t.Fatalf("cut at %d: %q, %v, want %q", at, same, err, records)
		}
	}
}
