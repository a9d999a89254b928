package keys

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/simdbloom/simdbloom/keyhash"
)

type withText struct {
	hashes []uint64
	texts  []string
}

// readAll returns the hashes and the records of an input.
func readAll(t *testing.T, from io.Reader, format Format, name string) (hashes []uint64, records []string, err error) {
	t.Helper()
	var header func([]byte) error
	if name != "" {
		header = func(row []byte) error { return format.FindColumn(row, name) }
	}
	r := NewReader(from, &format, header)
	next := func(hurry func() bool) (Chunk, error) { return r.Next(nil, hurry) }
	err = InOrder(context.Background(), 3, next, func(c Chunk) (*withText, error) {
		p := new(Parsed)
		if err := c.Parse(p); err != nil {
			return nil, err
		}
		hashes := p.Hashes(keyhash.XX64)
		if !slices.Equal(keyhash.XX64.AppendHashes(nil, p.Keys()), hashes) {
			return nil, fmt.Errorf("keys are not those that were hashed: %q", p.Keys())
		}
		texts := make([]string, len(p.Records))
		for i, record := range p.Records {
			texts[i] = string(c.Data[record.From:record.To])
		}
		return &withText{hashes, texts}, nil
	}, func(p *withText) error {
		hashes, records = append(hashes, p.hashes...), append(records, p.texts...)
		return nil
	})
	return hashes, records, err
}

func hashesOf(keys ...string) (hashes []uint64) {
	for _, key := range keys {
		hashes = append(hashes, keyhash.XX64.Sum64String(key))
	}
	return hashes
}

// text returns the format of text.
func text(f Format) Format {
	f.Text = true
	return f
}

func TestFormats(t *testing.T) {
	blanks := Format{End: '\n', CSV: true, Column: 1, Last: 9, Comma: ' ', Blanks: true, Remark: "#"}
	for _, c := range []struct {
		name, input string
		format      Format
		column      string
		keys        []string
		records     string // joined by |
	}{
		{"lines", "a\n\nbc\r\n\r\n d \nlast", Lines(), "", []string{"a", "bc", " d ", "last"}, "a\n|bc\r\n| d \n|last"},
		{"no lines", "", Lines(), "", nil, ""},
		{"only empty lines", "\n\n", Lines(), "", nil, ""},
		{"zero bytes", "a\nb\x00\x00c\r", Format{}, "", []string{"a\nb", "", "c\r"}, "a\nb\x00|\x00|c\r"},
		{"binary", "aabbcc", Format{Size: 2}, "", []string{"aa", "bb", "cc"}, "aa|bb|cc"},
		{"csv", "1,a\n2,\"b,\n\"\"c\"\r\n\n3,\n4,d", CSV(1), "", []string{"a", "b,\n\"c", "d"}, "1,a\n|2,\"b,\n\"\"c\"\r\n|4,d"},
		{"carriage returns", "\"a\",\"b\"\r\n\"c\",d\r\n\r\n\"e\",\"f\"\r", CSV(0), "", []string{"a", "c", "e"}, "\"a\",\"b\"\r\n|\"c\",d\r\n|\"e\",\"f\"\r"},
		{"carriage returns of fields", "1\r,\"\r\"\r\n2,3\r\r\n", CSV(1), "", []string{"\r", "3\r"}, "1\r,\"\r\"\r\n|2,3\r\r\n"},
		{"named csv", "id,name\r\n1,a\r\n2,b\r\n", CSV(0), "name", []string{"a", "b"}, "1,a\r\n|2,b\r\n"},
		{"broken quotes in other columns", "1,a \"b\" \"\n2,\"17\" c\"\r\n\"3\",\"\"d\"\n4,\"e\"\n", CSV(0), "", []string{"1", "2", "3", "4"}, "1,a \"b\" \"\n|2,\"17\" c\"\r\n|\"3\",\"\"d\"\n|4,\"e\"\n"},
		{"several columns", "1,a,b\n2,,c\n3,,\n", Format{End: '\n', CSV: true, Column: 1, Last: 9, Comma: ','}, "", []string{"a", "b", "c"}, "1,a,b\n|1,a,b\n|2,,c\n"},
		{"hosts", "# a\n\n0.0.0.0\t b  c # d\n  :: e#f\n ::\n", blanks, "", []string{"b", "c", "e#f"}, "0.0.0.0\t b  c # d\n|0.0.0.0\t b  c # d\n|  :: e#f\n"},
		{"remarks", "#a\nb #c\n #\nd#e #f", Format{End: '\n', Remark: "#"}, "", []string{"b", "d#e"}, "b #c\n|d#e #f"},
		{"remarks before names", "#\"\n id,n\n#\n1,\"x\n#y\"\n", Format{End: '\n', CSV: true, Comma: ',', Quotes: true, Trim: true, Remark: "#"}, "n", []string{"x\n#y"}, "1,\"x\n#y\"\n"},
		{"a separator of Excel", "sep=;\r\na;b\n", text(CSV(1)), "", []string{"b"}, "a;b\n"},
		{"blanks around keys", " a \n\t\nb\u00a0\n", Format{End: '\n', Trim: true}, "", []string{"a", "b"}, " a \n|b\u00a0\n"},
		{"blanks without width", "a\ufeff\nb\u200b\nc\u00ad\u200e\u200f\u2060\n", Format{End: '\n', Trim: true}, "", []string{"a", "b", "c"}, "a\ufeff\n|b\u200b\n|c\u00ad\u200e\u200f\u2060\n"},
		{"doubled quotes before a comma and a newline", "\"a\"\",\nb\",1\n2,\"\"\"\n\"\n", CSV(1), "", []string{"1", "\"\n"}, "\"a\"\",\nb\",1\n|2,\"\"\"\n\"\n"},
		{"quoted name", "\"a \"\"b\"\"\",c\n1,2\n", CSV(0), "a \"b\"", []string{"1"}, "1,2\n"},
		{"a last row in quotes", "1,2\n\"a\nb\",c", CSV(1), "", []string{"2", "c"}, "1,2\n|\"a\nb\",c"},
		{"a name and a quote", "id:\"x\n1:\"\n2:\"\n", Format{End: '\n', CSV: true, Comma: ':'}, "id", []string{"1", "2"}, "1:\"\n|2:\"\n"},
		{"a key of two lines behind an empty one", "\x00a\nb\x00", text(Format{}), "", []string{"", "a\nb"}, "\x00|a\nb\x00"},
		{"a remark to a row's end", "1 x #y\n2 z\n", blanks, "", []string{"x", "z"}, "1 x #y\n|2 z\n"},
		{"tabs and blanks", "1\tx\n  ", blanks, "", []string{"x"}, "1\tx\n"},
		{"an empty last field behind a quote", "\"a\",", CSV(1), "", nil, ""},
		{"an empty last field", "1,a\n2,", CSV(0), "", []string{"1", "2"}, "1,a\n|2,"},
		{"only a header", "id", CSV(0), "id", nil, ""},
		{"raw lines", "a\r\nb\r", Format{End: '\n', Raw: true}, "", []string{"a\r", "b\r"}, "a\r\n|b\r"},
		{"carriage returns at ends of rows of text", "1,a\r\n2,b\r\n3,c\r", text(CSV(1)), "", []string{"a", "b", "c"}, "1,a\r\n|2,b\r\n|3,c\r"},
	} {
		for how, from := range map[string]io.Reader{"whole": strings.NewReader(c.input), "bytes": iotest.OneByteReader(strings.NewReader(c.input))} {
			hashes, records, err := readAll(t, from, c.format, c.column)
			if err != nil || !slices.Equal(hashes, hashesOf(c.keys...)) || strings.Join(records, "|") != c.records {
				t.Errorf("%s, %s: %q, %d hashes, %v", c.name, how, records, len(hashes), err)
			}
		}
	}
}

// wrongInput is an input that has an error.
type wrongInput struct {
	input  io.Reader
	format Format
	column string
	want   string
}

func (w *wrongInput) check(t *testing.T) {
	t.Helper()
	if _, _, err := readAll(t, w.input, w.format, w.column); err == nil || !strings.Contains(err.Error(), w.want) {
		t.Errorf("%v, want %s", err, w.want)
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []wrongInput{
		{strings.NewReader("abc"), Format{Size: 2}, "", "-size is 2, and the rest of it is 1 byte"},
		{strings.NewReader("1,2\n3\n"), CSV(1), "", `byte 4: "3" has 1 column; the key column is 2`},
		{strings.NewReader("1,2\n3,\"4\n"), CSV(1), "", "a quote is not closed"},
		{strings.NewReader("id\n1\n\"2\n"), CSV(0), "id", "byte 5: a quote is not closed"}, // behind the header's chunk
		{strings.NewReader("a\"b,1\n"), CSV(0), "", "a quote within a field"},
		{strings.NewReader("1,\"a\nb\"c\"\n"), CSV(0), "", "text behind a quoted field"},
		{strings.NewReader("1,\"\nb\"c\"\n"), CSV(0), "", "text behind a quoted field"},
		{strings.NewReader("\"a\"b,1\n"), CSV(0), "", "text behind a quoted field"},
		{strings.NewReader("1\n\"a\"\rb,1\n"), CSV(0), "", "text behind a quoted field"},
		{strings.NewReader("\"a\"\r,1\n"), CSV(0), "", "text behind a quoted field"},
		{strings.NewReader("i"), CSV(0), "x", "no column is named"},
		{io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)), Lines(), "", "broken"},
		{strings.NewReader("\"a\"\r\"b\"\r"), text(CSV(0)), "", "byte 0: a carriage return"},
		{strings.NewReader("1,2\r\n3\r,4\r\n"), text(CSV(1)), "", "byte 5: a carriage return"}, // not in the key's column
		{strings.NewReader("a\r\nb\rc\r\nd\r\n"), text(Lines()), "", "byte 3: a carriage return"},
		{strings.NewReader("a\n\rb\nc\rd\n"), text(Lines()), "", "byte 2: a carriage return"},
		{strings.NewReader("a\rb"), text(Lines()), "", "byte 0: a carriage return"},
	} {
		c.check(t)
	}
}

// TestLongRecords: a file of another kind does not fill the memory.
func TestLongRecords(t *testing.T) {
	long := func(begin string, c repeated) io.Reader {
		return io.MultiReader(strings.NewReader(begin), io.LimitReader(c, mostRecord+2*chunkBytes))
	}
	for _, c := range []wrongInput{
		{long("", 0), Lines(), "", "longer than"},
		{long("a\n", '\r'), text(Lines()), "", "a carriage return"},
		{long("1\r\n\"\r\n", 'a'), text(CSV(0)), "", "longer than"},
		{long("\n", 'b'), text(Format{}), "", "no zero byte"},
		{long("a\x00b\n", 'c'), text(Format{}), "", "longer than"},
	} {
		c.check(t)
	}
}

// TestCase changes hexadecimal keys, with - or : between digits, and no others.
func TestCase(t *testing.T) {
	for c := range 256 {
		for to, change := range map[Case]func([]byte) []byte{Lower: bytes.ToLower, Upper: bytes.ToUpper} {
			key := []byte{'A', byte(c), 'f'}
			want := key
			if strings.ContainsRune("0123456789abcdefABCDEF-:", rune(c)) {
				want = change(key)
			}
			f, parsed := Format{Size: len(key), Case: to}, new(Parsed)
			f.add(parsed, key, 0, len(key))
			if parsed.data = parsed.copies; !bytes.Equal(parsed.Keys()[0], want) {
				t.Errorf("case %d of %q: %q, want %q", to, key, parsed.Keys()[0], want)
			}
		}
	}
}

// repeated is a byte that has no end.
type repeated byte

func (r repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// TestCSVAsInTheStandardLibrary writes random rows with package encoding/csv, more than a chunk of them.
func TestCSVAsInTheStandardLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	var want []string
	for text.Len() < 3*chunkBytes {
		row := make([]string, 3)
		for i := range row {
			for range random.IntN(6) {
				row[i] += string("a,\"\nb "[random.IntN(6)])
			}
		}
		row[0] += "x"
		if row[1] != "" {
			want = append(want, row[1])
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
		w.Flush()
	}
	hashes, records, err := readAll(t, &text, CSV(1), "")
	if err != nil || !slices.Equal(hashes, hashesOf(want...)) || len(records) != len(want) {
		t.Errorf("%d of %d keys: %v", len(hashes), len(want), err)
	}
}

// TestChunks: lines of all lengths, in order.
func TestChunks(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := 0; text.Len() < 5*chunkBytes; i++ {
		line := fmt.Sprint(i, strings.Repeat("-", i%300))
		if i%5000 == 4999 {
			line += strings.Repeat("long", chunkBytes/2)
		}
		want = append(want, line)
		text.WriteString(line + "\n")
	}
	hashes, _, err := readAll(t, iotest.HalfReader(strings.NewReader(text.String())), Lines(), "")
	if err != nil || !slices.Equal(hashes, hashesOf(want...)) {
		t.Errorf("%d of %d keys: %v", len(hashes), len(want), err)
	}
}

// TestInOrderEnds: with the first error, and as soon as the context is done, though next waits.
func TestInOrderEnds(t *testing.T) {
	wrong := errors.New("wrong")
	next := func(func() bool) (int, error) { return 1, nil }
	same := func(n int) (int, error) { return n, nil }
	if err := InOrder(context.Background(), 2, next, func(int) (int, error) { return 0, wrong }, func(int) error { return nil }); err != wrong {
		t.Error(err)
	}
	if err := InOrder(context.Background(), 2, next, same, func(int) error { return wrong }); err != wrong {
		t.Error(err)
	}
	var working atomic.Int32 // when InOrder has ended, nobody works
	slow := func(n int) (int, error) {
		defer working.Add(-1)
		working.Add(1)
		time.Sleep(time.Millisecond)
		return n, nil
	}
	for range 10 {
		if err := InOrder(context.Background(), 4, next, slow, func(int) error { return wrong }); err != wrong || working.Load() != 0 {
			t.Errorf("%v, %d at work", err, working.Load())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	wait := make(chan int)
	defer close(wait)
	err := InOrder(ctx, 2, func(func() bool) (int, error) {
		cancel()
		return <-wait, io.EOF
	}, same, func(int) error { return nil })
	if err != context.Canceled {
		t.Error(err)
	}
	for range 100 { // ctx is done, and so is next
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		err := InOrder(ctx, 1, func(func() bool) (int, error) {
			if n++; n > 1 {
				<-ctx.Done()
			}
			return n, nil
		}, same, func(int) error {
			cancel()
			time.Sleep(100 * time.Microsecond)
			return nil
		})
		if err != context.Canceled {
			t.Fatal(err)
		}
	}
}

// TestInOrderHurry: work waits at the beginning, and not while it has more to do.
func TestInOrderHurry(t *testing.T) {
	var hurried []bool
	busy := make(chan int)
	err := InOrder(context.Background(), 1, func(hurry func() bool) (int, error) {
		if hurried = append(hurried, hurry()); len(hurried) == 3 {
			close(busy)
			return 0, io.EOF
		}
		return 1, nil
	}, func(n int) (int, error) {
		<-busy
		return n, nil
	}, func(int) error { return nil })
	if err != nil || len(hurried) != 3 || !hurried[0] || hurried[2] {
		t.Errorf("%v, %v", hurried, err)
	}
}

// inParts gives a part at a time.
type inParts struct {
	parts []string
	given int
}

func (p *inParts) Read(data []byte) (int, error) {
	if p.given == len(p.parts) {
		return 0, io.EOF
	}
	p.given++
	return copy(data, p.parts[p.given-1]), nil
}

// TestHurry: if work waits, a chunk ends as soon as a record does. Until then nobody asks whether it waits, and looks
// for an end again: with a long record that comes in small parts, that took time which grew with the square of its
// length.
func TestHurry(t *testing.T) {
	type chunk struct {
		data  string
		given int // parts
	}
	quotedBlanks := Format{End: '\n', CSV: true, Column: 1, Last: 1, Comma: ' ', Blanks: true, Quotes: true, Remark: "#"}
	for _, c := range []struct {
		format Format
		column string
		parts  []string
		chunks []chunk
	}{
		{Lines(), "", []string{"a", "b\nc", "d", "e\nf\ng"}, []chunk{{"ab\n", 2}, {"cde\nf\n", 4}, {"g", 4}}},
		{Format{}, "", []string{"a\n", "\x00b\n", "\x00"}, []chunk{{"a\n\x00", 2}, {"b\n\x00", 3}}},
		{Format{Size: 2}, "", []string{"ab", "cd"}, []chunk{{"ab", 1}, {"cd", 2}}},
		{CSV(1), "", []string{"\"a\nb\",", "1\n"}, []chunk{{"\"a\nb\",1\n", 2}}},
		{quotedBlanks, "", []string{"a \"b\nc\" # \"x\n", "d e\n"}, []chunk{{"a \"b\nc\" # \"x\n", 1}, {"d e\n", 2}}},
		{Format{Size: 2}, "", []string{"a", "bc", "d"}, []chunk{{"ab", 2}, {"cd", 3}}},
		{CSV(0), "", []string{"\"a\n", "b", "\"\nc\n"}, []chunk{{"\"a\nb\"\nc\n", 3}}},
		{CSV(0), "id", []string{"i", "d\n1\n\"", "\"\n3", "\n"}, []chunk{{"id\n", 2}, {"1\n", 2}, {"\"\"\n", 3}, {"3\n", 4}}},
	} {
		from := &inParts{parts: c.parts}
		var header func([]byte) error
		if c.column != "" {
			header = func(row []byte) error { return c.format.FindColumn(row, c.column) }
		}
		r := NewReader(from, &c.format, header)
		for _, want := range c.chunks {
			got, err := r.Next(nil, func() bool { return true })
			if err != nil || string(got.Data) != want.data || from.given != want.given {
				t.Errorf("%q: %v, %+v after %d parts, want %q after %d", c.parts, err, got, from.given, want.data, want.given)
				break
			}
		}
		if _, err := r.Next(nil, func() bool { return true }); err != io.EOF {
			t.Errorf("%q: %v", c.parts, err)
		}
	}
	asked := 0
	r := NewReader(iotest.OneByteReader(strings.NewReader(strings.Repeat("x", 1<<21)+"\n")), &Format{End: '\n'}, nil)
	if got, err := r.Next(nil, func() bool { asked++; return true }); err != nil || len(got.Data) != 1<<21+1 || asked > 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}
