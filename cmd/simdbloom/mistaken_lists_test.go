package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMistakenLists: lists whose keys would not be the expected ones, and answer "no" later, are errors. With other
// flags, if there are some, they have the keys.
func TestMistakenLists(t *testing.T) {
	folder := t.TempDir()
	const sha1 = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8"
	for name, c := range map[string]struct{ in, flags, want, better, keys string }{
		"lines of old Macs":         {"alpha\rbeta\rgamma\r", "", "carriage return", "-raw", "alpha\rbeta\rgamma\r"},
		"lines converted twice":     {"alpha\r\r\nbeta\r\r\n", "", "byte 0: a carriage return", "-raw", "alpha\r\r"},
		"a line of another list":    {"alpha\r\nbeta\rgamma\r\n", "", "byte 7: a carriage return", "-raw", "alpha\r"},
		"rows of old Macs":          {"alpha,1\rbeta,2\r", "-csv=1", "carriage return", "", ""},
		"named rows of old Macs":    {"id,n\ralpha,1\r", "-csv=id", "carriage return", "", ""},
		"quoted rows of old Macs":   {"\"alpha\",1\r\"beta\",2\r", "-csv=2", "carriage return", "", ""},
		"rows in quotes":            {"\"alpha\"\r\"beta\"\r", "-csv=1", "carriage return", "", ""},
		"lines for zero bytes":      {"alpha\nbeta\n", "-0", "no zero byte", "", "alpha"},
		"one key for zero bytes":    {"alpha\nbeta", "-0", "no zero byte", "-0 -raw", ""},
		"two columns of a name":     {"id,n,id\n1,2,3\n", "-csv=id", `2 columns are named "id"`, "-csv=n", "2"},
		"semicolons, not commas":    {"alpha;1\nbeta;2\n", "-csv=1", "-delimiter=';'", "-csv=1 -delimiter=;", "alpha"},
		"semicolons in one column":  {"alpha;1\nbeta;2\n", "-csv=1", "-delimiter=,", "-csv=1 -delimiter=,", "alpha;1"},
		"a first row that is empty": {"\r\nalpha;1\n", "-csv=1", "-delimiter=';'", "-csv=1 -delimiter=;", "alpha"},
		"tabs, not commas":          {"\xef\xbb\xbfalpha\t1\n", "-csv=1", "-delimiter=tab", "-csv=1 -delimiter=tab", "alpha"},
		"hashes with counts":        {sha1 + ":10\r\n", "-csv=1", "-delimiter=:", "-csv=1 -delimiter=:", sha1},
		"zero bytes after one byte": {"a\x00b\x00", "", "-0 is for keys", "-0", ""},
	} {
		list := filepath.Join(folder, "list")
		writeFile(t, list, c.in)
		for _, args := range []string{"build -bits=20 " + c.flags + " -o {}/new {}/list", "build -bits=20 -file " + c.flags + " -o {}/new {}/list"} {
			if status, out, stderr := call(t, folder, "", args); status != failed || !strings.Contains(stderr, c.want) || out != "" {
				t.Errorf("%s: status %d, %s%s", name, status, out, stderr)
			}
		}
		if c.better == "" && c.keys == "" {
			continue
		}
		must(t, folder, "", "build -quiet -bits=30 "+c.better+" -o {}/set {}/list")
		if c.keys == "" {
			continue
		}
		if got := must(t, folder, c.keys+"\nabsent\n", "check -raw {}/set"); got != c.keys+"\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestSoundLists look like mistaken ones. Every key that build reads, check of the same list finds.
func TestSoundLists(t *testing.T) {
	folder := t.TempDir()
	for name, c := range map[string]struct{ in, flags, queries string }{
		"a carriage return at the end":  {"alpha\r\nbeta\r", "", "alpha\nbeta\n"},
		"one within a quoted field":     {"\"al\rpha\",1\r\n", "-csv=1", "al\rpha\n"},
		"one within a name of a file":   {"al\rpha\x00be\nta\x00", "-0", "al\rpha\n"},
		"one column of addresses":       {"https://example.com/\nbeta\n", "-csv=1", "https://example.com/\nbeta\n"},
		"one column in quotes":          {"\"a;b\"\nbeta\n", "-csv=1", "a;b\nbeta\n"},
		"lists with marks, joined":      {"\xef\xbb\xbfalpha\n\xef\xbb\xbfbeta\n\xef\xbb\xbf\n", "", "alpha\nbeta\n"},
		"rows with marks, joined":       {"\xef\xbb\xbfid,n\n1,a\n\xef\xbb\xbf\"id\",n\n2,b\n", "-csv=id", "id\n1\n2\n"},
		"several marks":                 {"\xef\xbb\xbf\xef\xbb\xbfalpha\n\xef\xbb\xbf\xef\xbb\xbfbeta\r\n", "", "alpha\nbeta\n"},
		"several before names":          {"\xef\xbb\xbf\xef\xbb\xbfid,n\n1,a\n", "-csv=id", "1\n"},
		"hashes after a mark":           {"\xef\xbb\xbfAB\n\xef\xbb\xbfCD\r\n", "-lower", "ab\ncd\n"},
		"the same in raw bytes":         {"\xef\xbb\xbfalpha\nbeta\n", "-raw", "\xef\xbb\xbfalpha\nbeta\n"},
		"a mark within a line":          {"al\xef\xbb\xbfpha\n", "", "al\xef\xbb\xbfpha\n"},
		"zero bytes and no end of them": {"alpha\x00beta\n", "-0", "alpha\n"},
	} {
		must(t, folder, c.in, "build -quiet -bits=30 "+c.flags+" -o {}/set")
		if got := must(t, folder, c.queries+"absent\n", "check -raw {}/set"); got != c.queries {
			t.Errorf("%s: %q", name, got)
		}
		if status, out, _ := call(t, folder, c.in, "check -v -count "+c.flags+" {}/set"); status != notFound || out != "0\n" {
			t.Errorf("%s: of the same list, status %d, %s", name, status, out)
		}
		if strings.HasPrefix(name, "lists") {
			if got := must(t, folder, c.in, "check {}/set"); got != c.queries {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}
