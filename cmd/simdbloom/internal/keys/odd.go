package keys

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Odd counts reasons why keys may differ from those that the user means.
type Odd struct {
	Rows    int64  // without a key
	Hex     int64  // keys that Case is for
	Cased   Sample // other keys, with letters in the other case
	Blanks  Sample // keys with blanks around them
	InMarks Sample // keys with quotation marks around them
	Single  Sample // keys with apostrophes around them
	Ended   Sample // keys with a comma or a semicolon at the end
	Fewest  int    // columns of a row, if blanks are between them and the first is not asked for,
	Most    int    // and most columns
	Remarks Sample // keys of columns with the text of Remark
	Escaped Sample // hashes behind a backslash, with which sha256sum says that it changed the file's name
}

// Sample is a number of keys, and the first of them.
type Sample struct {
	N     int64
	First string
}

func (s *Sample) add(key []byte) {
	if s.N++; s.N == 1 {
		const most = 60
		s.First = string(key[:min(len(key), most)])
	}
}

// Add adds the numbers of a later part of the input.
func (o *Odd) Add(later *Odd) {
	o.Rows += later.Rows
	o.Hex += later.Hex
	o.addColumns(later.Fewest)
	o.addColumns(later.Most)
	for _, s := range []struct{ to, of *Sample }{{&o.Cased, &later.Cased}, {&o.Blanks, &later.Blanks}, {&o.InMarks, &later.InMarks}, {&o.Remarks, &later.Remarks}, {&o.Escaped, &later.Escaped}, {&o.Single, &later.Single}, {&o.Ended, &later.Ended}} {
		if s.to.N == 0 {
			s.to.First = s.of.First
		}
		s.to.N += s.of.N
	}
}

// addColumns adds the number of a row's columns, or 0.
func (o *Odd) addColumns(n int) {
	if o.Fewest == 0 || 0 < n && n < o.Fewest {
		o.Fewest = n
	}
	o.Most = max(o.Most, n)
}

// isBlank reports whether a character shows nothing.
func isBlank(r rune) bool {
	switch r {
	case 0xad, 0x200b, 0x200e, 0x200f, 0x2060, 0xfeff: // hyphens, marks and joiners without width
		return true
	}
	return unicode.IsSpace(r)
}

// add adds a key, which is not empty, in its form. A record of only blanks may have none.
func (f *Format) add(to *Parsed, key []byte, from, end int) {
	if oddAtEnds[key[0]]|oddAtEnds[key[len(key)-1]] != 0 {
		if key = f.atEnds(to, key); len(key) == 0 {
			return
		}
	}
	if !f.copied() {
		begin := cap(to.data) - cap(key) // a slice of the data, whose capacity ends with it
		to.add(begin, begin+len(key), from, end)
		return
	}
	if f.CSV && f.Remark != "" && bytes.Contains(key, []byte(f.Remark)) {
		to.Odd.Remarks.add(key)
	}
	if f.Prefix != "" {
		to.whole = append(append(to.whole[:0], f.Prefix...), key...)
		key = to.whole
	}
	if f.Case != AsIs {
		changed, ok := f.inCase(key, &to.room)
		if key = changed; ok {
			to.Odd.Hex++
		} else if f.Case.hasOther(key) {
			to.Odd.Cased.add(key)
		}
	}
	to.addCopy(key, from, end)
}

// copied reports whether keys may differ from the text.
func (f *Format) copied() bool { return f.CSV || f.Prefix != "" || f.Case != AsIs }

// oddAtEnds is 1 for bytes that atEnds looks at.
var oddAtEnds = func() (odd [256]byte) {
	for c := range odd {
		if c <= ' ' || c >= utf8.RuneSelf || bytes.IndexByte([]byte(`"',;\`), byte(c)) >= 0 {
			odd[c] = 1
		}
	}
	return odd
}()

// atEnds returns a key without the blanks that Trim drops, and counts odd bytes at its ends.
func (f *Format) atEnds(to *Parsed, key []byte) []byte {
	if !f.Text && !f.Trim {
		return key
	}
	if trimmed := bytes.TrimFunc(key, isBlank); f.Trim {
		key = trimmed
	} else if len(trimmed) < len(key) {
		to.Odd.Blanks.add(key)
	}
	if len(key) == 0 || !f.Text {
		return key
	}
	first, last := key[0], key[len(key)-1]
	marks := !f.NoQuotes // may be in the text that are no part of the key
	if first == '"' && marks && !f.Quotes && len(key) > 1 && (last == '"' || f.CSV && f.Comma == ' ') {
		to.Odd.InMarks.add(key)
	}
	if marks && first == '\'' && last == '\'' && len(key) > 2 {
		to.Odd.Single.add(key)
	} else if marks && (last == ',' || last == ';') {
		to.Odd.Ended.add(key)
	}
	if first == '\\' && len(key) > 32 && hexadecimal(key[1:]) {
		to.Odd.Escaped.add(key)
	}
	return key
}
