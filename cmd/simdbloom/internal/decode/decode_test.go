package decode

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func zstandard(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// What bzip2 1.0.8 writes of "a\nbc\n", of nothing, and of "a\n" and "bc\n" in two streams.
var (
	bzipped      = fromHex("425a6839314159265359c3b6aa8d0000014100001038002000218c8334d108f177245385090c3b6aa8d0")
	bzippedEmpty = fromHex("425a683917724538509000000000")
	bzippedTwice = fromHex("425a6839314159265359633ed6e2000000c100001020002000210082b177245385090633ed6e20" +
		"425a68313141592653593a90b9be000000c1000010180020002198198461772453850903a90b9be0")
)

func fromHex(text string) string {
	data, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func inUTF16(text string, little, marked bool) string {
	units := utf16.Encode([]rune(text))
	if marked {
		units = append([]uint16{0xfeff}, units...)
	}
	var b []byte
	for _, u := range units {
		if little {
			b = append(b, byte(u), byte(u>>8))
		} else {
			b = append(b, byte(u>>8), byte(u))
		}
	}
	return string(b)
}

func read(from io.Reader, text Text) (string, error) {
	r := NewReader(from, text)
	defer r.Close()
	data, err := io.ReadAll(r)
	return string(data), err
}

// TestListsAsPeopleHaveThem reads each whole, byte by byte, and compressed once more.
func TestListsAsPeopleHaveThem(t *testing.T) {
	long := strings.Repeat("a long list of keys\n", 300_000)
	shorter, pairs := long[:400_000], ""
	for i := range rune(5000) {
		pairs += string('😀' + i)
	}
	for name, c := range map[string]struct{ in, want string }{
		"lines":                   {"a\nbc\n", "a\nbc\n"},
		"nothing":                 {"", ""},
		"a byte":                  {"a", "a"},
		"gzip":                    {gzipped("a\nbc\n"), "a\nbc\n"},
		"gzip, nothing":           {gzipped(""), ""},
		"gzip, two members":       {gzipped("a\n") + gzipped("bc\n"), "a\nbc\n"},
		"gzip, padded":            {gzipped("a\nbc\n") + strings.Repeat("\x00", 70_000), "a\nbc\n"},
		"gzip, a zero byte":       {gzipped("a\nbc\n") + "\x00", "a\nbc\n"},
		"gzip, padded members":    {gzipped("a\n") + strings.Repeat("\x00", 511) + gzipped("bc\n") + "\x00\x00", "a\nbc\n"},
		"bzip2, padded":           {bzippedTwice + strings.Repeat("\x00", 70_000), "a\nbc\n"},
		"gzip, long":              {gzipped(long), long},
		"Zstandard":               {zstandard("a\nbc\n"), "a\nbc\n"},
		"Zstandard, two frames":   {zstandard("a\n") + zstandard("bc\n"), "a\nbc\n"},
		"Zstandard, long":         {zstandard(shorter), shorter},
		"bzip2":                   {bzipped, "a\nbc\n"},
		"bzip2, nothing":          {bzippedEmpty, ""},
		"a line like bzip2":       {"BZh9\n", "BZh9\n"},
		"a line like lzip":        {"LZIP\n", "LZIP\n"},
		"a line like ORC":         {"ORC\nPK\n", "ORC\nPK\n"},
		"mark":                    {"\xef\xbb\xbfa\nbc\n", "a\nbc\n"},
		"half a mark":             {"\xef\xbb", "\xef\xbb"},
		"mark in gzip":            {gzipped("\xef\xbb\xbfa\nbc\n"), "a\nbc\n"},
		"two marks":               {"\xef\xbb\xbf\xef\xbb\xbfa", "\xef\xbb\xbfa"},
		"UTF-16, little":          {inUTF16("añ€😀\nz\n", true, true), "añ€😀\nz\n"},
		"UTF-16, big":             {inUTF16("añ€😀\nz\n", false, true), "añ€😀\nz\n"},
		"UTF-16, long":            {inUTF16(shorter+"😀", true, true), shorter + "😀"},
		"UTF-16, pairs":           {inUTF16(pairs, true, true), pairs},
		"UTF-16 in Zstandard":     {zstandard(inUTF16("a\nbc\n", true, true)), "a\nbc\n"},
		"UTF-16, only the mark":   {"\xff\xfe", ""},
		"bzip2, two streams":      {bzippedTwice, "a\nbc\n"},
		"Zstandard, skippable":    {"\x50\x2a\x4d\x18\x01\x00\x00\x00x" + zstandard("a\n"), "a\n"},
		"words like Parquet":      {"PAR1\nPARENT\n", "PAR1\nPARENT\n"},
		"Latin-1":                 {"caf\xe9\n\tth\xe9\r\n", "caf\xe9\n\tth\xe9\r\n"},
		"UTF-8 with a control":    {"caf\u00e9\x01\n", "caf\u00e9\x01\n"},
		"a zero byte, late":       {shorter + "\x00\n", shorter + "\x00\n"},
		"UTF-8 that is cut off":   {strings.Repeat("\u20ac", 170) + "\x01\u20ac\n", strings.Repeat("\u20ac", 170) + "\x01\u20ac\n"},
		"cut off near its end":    {"\x01caf\u00e9\n\xf0\x9f\x98", "\x01caf\u00e9\n\xf0\x9f\x98"},
		"a character cut off":     {"\x01caf\u00e9\n\xe2\x82", "\x01caf\u00e9\n\xe2\x82"},
		"bytes above 127":         {"\xff\xff\xfe\n", "\xff\xff\xfe\n"},
		"the beginning of gzip's": {"\x1f", "\x1f"},
	} {
		for how, from := range map[string]io.Reader{
			"whole": strings.NewReader(c.in), "byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
			"with data and the end": iotest.DataErrReader(strings.NewReader(c.in)), "in gzip": strings.NewReader(gzipped(c.in)),
		} {
			if got, err := read(from, Lines); err != nil || got != c.want {
				t.Errorf("%s, %s: %.40q (%d bytes), %v", name, how, got, len(got), err)
			}
		}
	}
}

// TestOtherKeys: marks are text's, zero bytes those of keys that end with them, and binary keys may begin as some files
// do.
func TestOtherKeys(t *testing.T) {
	for _, c := range []struct {
		text     Text
		in, want string
	}{
		{Binary, "\xef\xbb\xbfab", "\xef\xbb\xbfab"},
		{Binary, "\xff\xfea\x00", "\xff\xfea\x00"},
		{Binary, "a\x00b\x00c\x00", "a\x00b\x00c\x00"},
		{Binary, "\x5d\x00\x00\x00\x78\x01\x00\x00", "\x5d\x00\x00\x00\x78\x01\x00\x00"}, // 93 and 376
		{Binary, "\xff\xfe\x00\x00", "\xff\xfe\x00\x00"},
		{Binary, gzipped("\x01\x02"), "\x01\x02"},
		{Binary, "\x60\x2a\x4d\x18", "\x60\x2a\x4d\x18"}, // behind Zstandard's skippable frames
		{ZeroEnded, "a\x00b\x00", "a\x00b\x00"},
		{ZeroEnded, "a\x00\x00\x00b\x00", "a\x00\x00\x00b\x00"},
		{ZeroEnded, "\xef\xbb\xbfa\x00", "a\x00"},
		{ZeroEnded, "\xff\xfea\x00\x00\x00", "a\x00"},
		{ByteLines, "\xef\xbb\xbfa\x00\xff\n", "a\x00\xff\n"},
		{ByteLines, gzipped("\x01\xff\x00"), "\x01\xff\x00"},
		{ZeroEnded, zstandard("\x01\xff\x00"), "\x01\xff\x00"},
	} {
		for how, from := range map[string]io.Reader{"whole": strings.NewReader(c.in), "byte by byte": iotest.OneByteReader(strings.NewReader(c.in))} {
			if got, err := read(from, c.text); err != nil || got != c.want {
				t.Errorf("%q, %s: %q, %v", c.in, how, got, err)
			}
		}
	}
}

// TestOtherKindsAreErrors, which say what the file is and what to do.
func TestOtherKindsAreErrors(t *testing.T) {
	tar, named := make([]byte, 1024), make([]byte, 1024)
	copy(named, strings.Repeat("n", 98))
	copy(named[257:], "ustar")
	copy(tar[257:], "ustar")
	for in, want := range map[string]string{
		"\xfd7zXZ\x00\x00\x04":            "xz -dc FILE",
		"PK\x03\x04\x14\x00":              "unzip -p FILE",
		"7z\xbc\xaf\x27\x1c\x00":          "7z archive",
		"\x04\x22\x4d\x18\x64":            "lz4 -dc FILE",
		"Rar!\x1a\x07\x01\x00":            "RAR archive",
		"\x1f\x9d\x90":                    "zcat FILE",
		"PAR1\x15\x04":                    "-parquet",
		"SQLite format 3\x00":             "sqlite3 FILE",
		"ARROW1\x00\x00":                  "Arrow file",
		"Obj\x01\x04":                     "Avro file",
		"\xff\xfe\x00\x00a\x00\x00\x00":   "UTF-32",
		"\x89SBF\r\n\x1a\n\x01":           "filter file",
		string(tar):                       "tar -xOf FILE",
		string(named):                     "tar -xOf FILE",
		gzipped(string(tar)):              "tar -xOf FILE",
		zstandard("PK\x03\x04"):           "unzip -p FILE",
		"x\x9c\xcbH":                      "zlib",
		"PARE\x15":                        "encrypted Parquet",
		"ORC\x12\x00":                     "ORC file",
		"ab\x00c\n\x00d\n":                "it has zero bytes",
		"\x93\x01\xfe\xc3\n":              "neither UTF-8",
		"caf\xe9 au\x7f lait\n":           "neither UTF-8",
		inUTF16("password", true, false):  "UTF-16 without a byte order mark",
		inUTF16("пар\n", true, false):     "UTF-16 without a byte order mark",
		inUTF16("пар\nы\n", true, false):  "UTF-16 without a byte order mark",
		inUTF16("пар\nы\n", false, false): "UTF-16 without a byte order mark",
		compressedTimes(5):                "more than 4 times",
		// Of a window of 256 MiB: a header, and an empty last block.
		"\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00":                       "zstd -dc --long=31",
		inUTF16("password\n1234\n", true, false):                     "UTF-16 without a byte order mark",
		inUTF16("password\n", false, false):                          "UTF-16 without a byte order mark",
		"\xff\xfea":                                                  "middle of a character",
		"\xff\xfe\x00\xd8a\x00":                                      "surrogate",
		"\xff\xfe\x00\xdc":                                           "surrogate",
		"\xff\xfe\x00\xd8":                                           "middle of a character",
		gzipped("a\nbc\n")[:20]:                                      "the gzip data is cut short",
		gzipped("a\nbc\n") + gzipped("d")[:15]:                       "the gzip data is cut short",
		gzipped("a\n") + "\x1f\x8b\x08\x08" + strings.Repeat("n", 9): "the gzip data is cut short", // in a member's name
		gzipped("a\n") + "\x00\x00some garbage":                      "the gzip data has other bytes behind it",
		gzipped("a\n") + "\x00\x1f\x8b":                              "the gzip data is cut short",
		bzipped + "\x00\x00some garbage":                             "the bzip2 data has other bytes behind it",
		bzipped + "ab\x00\x00":                                       "the bzip2 data has other bytes behind it",
		bzipped + "a\x00\x00":                                        "the bzip2 data has other bytes behind it",
		bzipped + "\x00b\x00":                                        "the bzip2 data has other bytes behind it",
		zstandard("a\n") + "some garbage":                            "the Zstandard data has other bytes behind it",
		zstandard("a") + "some garbage":                              "the Zstandard data has other bytes behind it",
		gzipped("a\n") + "\n":                                        "the gzip data has other bytes behind it",
		// A frame of the dictionary 1.
		"\x28\xb5\x2f\xfd\x21\x01\x00\x01\x00\x00": "zstd -dc -D DICTIONARY FILE",
		"\x1f\x8b\x08":                  "the gzip data is cut short",
		zstandard("a\nbc\n")[:9]:        "the Zstandard data is cut short",
		bzipped[:30]:                    "the bzip2 data is cut short",
		gzipped("a\n") + "some garbage": "the gzip data has other bytes behind it",
		strings.Replace(gzipped("a\nb"), gzipped("a\nb")[len(gzipped("a\nb"))-8:], "sum with", 1): "the gzip data is damaged",
	} {
		from := io.Reader(strings.NewReader(in))
		if in == string(named) {
			from = io.MultiReader(strings.NewReader(in[:150]), strings.NewReader(in[150:]))
		}
		if got, err := read(from, Lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %.40q, %v, want %q", in, got, err, want)
		}
	}
}

// once gives its bytes, and fails when it is read again.
type once struct {
	text string
	t    *testing.T
}

func (o *once) Read(p []byte) (n int, err error) {
	if o.text == "" {
		o.t.Error("a list is read further than it is needed")
	}
	n = copy(p, o.text)
	o.text = o.text[n:]
	return n, nil
}

// TestNoMoreThanThereIs: the first line or bytes of an interactive list are enough, if no kind of file begins so.
func TestNoMoreThanThereIs(t *testing.T) {
	for in, texts := range map[string][]Text{"q\n": {Lines, ByteLines}, "q": {ZeroEnded, Binary}, "q\x00\x00": {Binary}} {
		for _, text := range texts {
			r := NewReader(&once{in, t}, text)
			var p [10]byte
			if n, err := r.Read(p[:]); string(p[:n]) != in || err != nil {
				t.Errorf("%q, %v, want %q", p[:n], err, in)
			}
		}
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("no decoder") }

// TestPanickingDecoder: what a decoder panics about is an error.
func TestPanickingDecoder(t *testing.T) {
	open := func(head) (io.ReadCloser, error) { return io.NopCloser(panicking{}), nil }
	d := &decompressor{from: newHead(strings.NewReader("x")), kind: &kind{name: "test", open: open}}
	if n, err := d.Read(make([]byte, 10)); n != 0 || err == nil || !strings.Contains(err.Error(), "the test data is damaged: the decoder panicked: no decoder") {
		t.Errorf("%d, %v", n, err)
	}
}

// TestClose ends the goroutine that reads ahead.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	r := NewReader(strings.NewReader(gzipped(strings.Repeat("a long list of keys\n", 1_000_000))), Lines)
	if _, err := io.ReadFull(r, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	r.Close()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			if _, err := io.Copy(io.Discard, r); err != io.ErrClosedPipe {
				t.Error(err)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func compressedTimes(n int) string {
	text := "a\n"
	for range n {
		text = gzipped(text)
	}
	return text
}

// TestErrorsOfTheList are returned as they are, also in the middle of compressed data.
func TestErrorsOfTheList(t *testing.T) {
	broken := errors.New("broken")
	for _, before := range []string{
		"", "a\n", "\x1f", "\xef", gzipped("a\n")[:5], gzipped("a\n")[:12], zstandard("a\n")[:8], bzipped[:20],
		gzipped("a\n"), gzipped("a\n") + "\x00", gzipped("a\n") + "\x00\x1f\x8b", bzipped, bzipped + "\x00", bzipped + "\x00\x00", bzipped + "\x00\x00\x00",
	} {
		if _, err := read(io.MultiReader(strings.NewReader(before), iotest.ErrReader(broken)), Lines); err != broken {
			t.Errorf("%q: %v", before, err)
		}
	}
}

// steps gives one text with each read, and fails a test that reads more.
type steps struct {
	t     *testing.T
	texts []string
	last  error
}

func (s *steps) Read(p []byte) (n int, err error) {
	if len(s.texts) == 0 {
		if s.last == nil {
			s.t.Error("read after the end")
		}
		s.last, err = nil, s.last
		return 0, err
	}
	n = copy(p, s.texts[0])
	s.texts = s.texts[1:]
	return n, nil
}

// TestLinesOfATerminal: each line is there before the next one is read, and an end is not read twice.
func TestLinesOfATerminal(t *testing.T) {
	lines := &steps{t, []string{"a\n", "b\n", "c\n"}, io.EOF}
	r := NewReader(lines, Lines)
	defer r.Close()
	room := make([]byte, 100)
	for i, want := range []string{"a\n", "b\n", "c\n"} {
		if n, err := r.Read(room); err != nil || string(room[:n]) != want || len(lines.texts) != 2-i {
			t.Fatalf("%q, %v, and %q are left", room[:n], err, lines.texts)
		}
	}
	for range 3 {
		if _, err := r.Read(room); err != io.EOF {
			t.Error(err)
		}
	}
}

// TestCloseDoesNotWait for a read of a list that gives no more, and its goroutines end with that.
func TestCloseDoesNotWait(t *testing.T) {
	from, to := io.Pipe()
	r := NewReader(from, Lines)
	done := make(chan error)
	go func() {
		_, err := io.ReadAll(r)
		done <- err
	}()
	to.Write([]byte(gzipped("a\n")[:12]))
	r.Close()
	r.Close()
	to.Close()
	if err := <-done; err == nil {
		t.Error("the end is missing, and there is no error")
	}
}

func FuzzReader(f *testing.F) {
	for _, in := range []string{"a\n", gzipped("a\n"), zstandard("a\n"), bzipped, "\xef\xbb\xbfa", "\xff\xfea\x00", "PK\x03\x04"} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		limited := func(from io.Reader) (string, error) {
			r := NewReader(from, ZeroEnded) // which are no other bytes if fewer are seen at first
			defer r.Close()
			data, err := io.ReadAll(io.LimitReader(r, 1<<20))
			return string(data), err
		}
		whole, err := limited(bytes.NewReader(in))
		again, err2 := limited(iotest.OneByteReader(bytes.NewReader(in)))
		if (err == nil) != (err2 == nil) || err == nil && whole != again {
			t.Fatalf("%q, %v, but byte by byte %q, %v", whole, err, again, err2)
		}
	})
}
