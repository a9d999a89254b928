package keys

import (
	"strings"
	"testing"
)

// TestFirstRows: a first row of one column that would be several with another character between them is an error, which
// names the character.
func TestFirstRows(t *testing.T) {
	const hash = "0123456789abcdef"
	for row, says := range map[string]string{
		"a,b\n": "", "a\n": "", "": "", "\"a;b\"\n": "", "a,b;c\n": "",
		"a;b\n": "-delimiter=';'", "a|b\n": "-delimiter='|'", "a\tb\n": "-delimiter=tab", "a;b|c\td\n": "-delimiter=';'", "a|b\tc\n": "-delimiter='|'",
		"\xef\xbb\xbfa;b\n": "-delimiter=';'", ";a\n": "-delimiter=';'", "|\n": "-delimiter='|'", "\t\n": "-delimiter=tab",
		hash + ":7\n": "-delimiter=:", hash + "|7\n": "-delimiter='|'", hash + "  file\n": "-delimiter=blanks", hash + ",7\n": "",
		"10.0.0.1 host\n": "-delimiter=blanks", "10.0.0.0/8\tnet\n": "-delimiter=blanks", " 12 name\n": "-delimiter=blanks",
		"\xef\xbb\xbf" + hash + ":7\n": "-delimiter=:", "a;b,c\n": "",
		"12 name\n": "", "name 12\n": "", hash + " \n": "", "abc:7\n": "", hash[1:] + " f\n": "",
	} {
		f := text(CSV(0))
		err := f.compareFirst([]byte(row))
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), "give "+says+",") {
			t.Errorf("%q: %v, want %s", row, err, says)
		}
	}
}

// TestHints about first lines that are no whole keys.
func TestHints(t *testing.T) {
	const hash = "0123456789abcdef"
	for line, says := range map[string]string{
		"# list": "-comment='#'", "##": "-comment='#'", "#": "-comment='#'", "#a": "", "; list": "-comment=';'", "// list": "-comment='//'", "//a": "",
		"+---+---+": "the frame of a table", "+-a-+": "", "sep=;": "-csv reads one", "sep=": "-csv reads one", "sep=ab": "",
		hash + ",7": "-csv=1 takes the hash", hash + "  file": "-delimiter=blanks takes the first one, -csv=2-", hash + ":7": "-csv=1 -delimiter=: takes", hash + "|7": "-delimiter='|' takes", hash + ";7": "-delimiter=';' takes",
		`"a","b"`: "-csv=1 takes the first one", `"a"`: "", "a\tb": "-delimiter=tab", "MD5 (file) = " + hash: "a name and a hash", "MD5(file)= " + hash: "a name and a hash",
		"a": "", "": "", hash: "", "a b": "", "10.0.0.1 host": "-delimiter=blanks", "10.0.0.1,host": "",
	} {
		for _, end := range []string{"", "\n", "\r\n", "\nb\n"} {
			f := text(Lines())
			if got := f.hint([]byte(line + end)); (got == "") != (says == "") || !strings.Contains(got, says) {
				t.Errorf("%q: %q, want %s", line, got, says)
			}
		}
	}
	binary := Format{Size: 4} // of which the beginning is looked at
	r := NewReader(strings.NewReader(strings.Repeat("abc\n", 1024)+"\x00\x01\x02\x03"), &binary, nil)
	if _, err := r.Next(nil, func() bool { return false }); err != nil || !strings.Contains(r.Hint, "it is lines of text") {
		t.Errorf("%q, %v", r.Hint, err)
	}
	f := text(Lines())
	f.Remark = "#"
	if got := f.hint([]byte("# list\n")); got != "" {
		t.Error(got)
	}
}

// TestHeader: the row with the names has no key, also where keys of another chunk were.
func TestHeader(t *testing.T) {
	f, parsed := CSV(0), new(Parsed)
	f.Parse(parsed, []byte("1\n"))
	r := NewReader(strings.NewReader("id\n2\n"), &f, func(row []byte) error { return f.FindColumn(row, "id") })
	for _, want := range []int{0, 1} {
		chunk, err := r.Next(nil, func() bool { return true })
		if err == nil {
			err = chunk.Parse(parsed)
		}
		if err != nil || len(parsed.Keys()) != want || len(parsed.Records) != want {
			t.Errorf("%q: %q, %v", chunk.Data, parsed.Keys(), err)
		}
	}
}
