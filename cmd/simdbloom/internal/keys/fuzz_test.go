package keys

import (
	"bytes"
	"slices"
	"testing"
	"testing/iotest"
)

// FuzzReader: whatever an input has, its keys do not depend on how it arrives, and many lines at once have those of one
// after the other.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\r\n\nb,\"c\n\"\"d\"\n\"e\""), uint8(0))
	f.Add([]byte("id,x\n1,\"2\"\r\n\r\n3,4\n"), uint8(3))
	f.Add([]byte("a\x00\x00b"), uint8(1))
	f.Add([]byte("a\r\n\xef\xbb\xbf\xef\xbb\xbfb\rc"), uint8(130))            // lines of text
	f.Add([]byte("\xef\xbb\xbfx,y\n\n\xef\xbb\xbf\"1\"\r\n2\r3"), uint8(128)) // named columns of text
	f.Add([]byte("\r\na;b\n"), uint8(129))
	f.Add([]byte("#\"\na \"b\tc\" # \"d\n e\"f \"g\"h\n"), uint8(5))
	f.Add([]byte("sep=;\r\nx;\"1\"2\"\n3;x\n"), uint8(129))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		blanks := CSV(1)
		blanks.Last, blanks.Comma, blanks.Blanks, blanks.Remark = 9, ' ', true, "#"
		formats := []Format{Lines(), {}, {Size: 3}, CSV(0), CSV(1), blanks, {End: '\n', Trim: true, Case: Upper, Remark: "#"}}
		format := formats[int(kind)%len(formats)]
		format.Text = kind >= 128 && format.Size == 0
		if !format.CSV && format.Size == 0 {
			got, want := new(Parsed), new(Parsed)
			err := format.Parse(got, data)
			if format.oneByOne(want, data); err == nil && got.equal(want) != nil {
				t.Fatal(got.equal(want))
			}
		}
		column := ""
		if int(kind)%len(formats) == 3 {
			column = "x"
		}
		hashes, records, err := readAll(t, bytes.NewReader(data), format, column)
		again, same, err2 := readAll(t, iotest.OneByteReader(bytes.NewReader(data)), format, column)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%v, but byte by byte %v", err, err2)
		}
		if err == nil && (!slices.Equal(hashes, again) || !slices.Equal(records, same)) {
			t.Fatalf("%q, but byte by byte %q", records, same)
		}
	})
}
