package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const (
	sha1Upper = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8"
	md5Lower  = "d41d8cd98f00b204e9800998ecf8427e"
	uuidUpper = "3F2504E0-4F89-11D3-9A0C-0305E82C33AB"
)

// TestOddLists: a list as people have it gives the keys that they mean, or an error, or a line on the standard error,
// and never another set in silence. The set has 100 other keys before.
func TestOddLists(t *testing.T) {
	for name, c := range map[string]struct {
		flags, in string
		keys      string // that check finds, in lines
		said      string // on the standard error, also with -quiet; an error if keys is empty
	}{
		// -lower that changes nothing.
		"1 hashes with counts":        {"-lower", sha1Upper + ":10\r\n" + sha1Upper + ":3\r\n", "", "-csv=1 -delimiter=:"},
		"1 hashes with names":         {"-lower", strings.ToUpper(md5Lower) + "  Name.TXT\n", "", "-csv=1 -delimiter=blanks"},
		"1 e-mail addresses":          {"-lower", "Bob@Example.com\namy@example.com\n", "", "Bob@Example.com"},
		"1 addresses of Ethereum":     {"-lower", "0xdAC17F958D2ee523a2206206994597C13D831ec7\n", "0xdac17f958d2ee523a2206206994597c13d831ec7\n", ""},
		"1 GUIDs":                     {"-lower", "{" + uuidUpper + "}\n", "{" + strings.ToLower(uuidUpper) + "}\n", ""},
		"1 UUIDs":                     {"-upper", strings.ToLower(uuidUpper) + "\n", uuidUpper + "\n", ""},
		"1 MACs":                      {"-lower", "AA:BB:CC:DD:EE:FF\nAA-BB-CC-00-11-22\n", "aa:bb:cc:dd:ee:ff\naa-bb-cc-00-11-22\n", ""},
		"1 MACs of Cisco":             {"-lower", "AABB.CCDD.EEFF\naa\n", "aa\n", `1 key with capital letters`},
		"1 IPv6":                      {"-lower", "2001:DB8::1\n", "2001:db8::1\n", ""},
		"1 a column":                  {"-lower -csv=id", "id,n\n{" + uuidUpper + "},1\n", "{" + strings.ToLower(uuidUpper) + "}\n", ""},
		"1 some are not":              {"-lower", "ABCD\nGH\nIJ\n", "abcd\nGH\nIJ\n", `2 keys with capital letters beside`},
		"1 columns without -csv":      {"", sha1Upper + ":10\n", sha1Upper + ":10\n", "-csv=1 -delimiter=:"},
		"1 md5deep without -csv":      {"", md5Lower + "  /a/b\n", md5Lower + "  /a/b\n", "-delimiter=blanks"},
		"1 hashes with bars":          {"", sha1Upper + "|10\n", sha1Upper + "|10\n", "-csv=1 -delimiter='|'"},
		"1 short hashes with names":   {"", "ef46db3751d8e999  a\n", "ef46db3751d8e999  a\n", "-delimiter=blanks"},
		"1 openssl without -csv":      {"", "SHA2-256(a)= " + md5Lower + "\n", "SHA2-256(a)= " + md5Lower + "\n", "sed"},
		"1 blanks":                    {"-lower", sha1Upper + " \n", "", "-trim"},
		"1 quotes":                    {"-lower", `"` + sha1Upper + "\"\n", "", "-csv=1"},
		"1 shasum --tag without -csv": {"", "SHA1 (a b) = " + strings.ToLower(sha1Upper) + "\n", "SHA1 (a b) = " + strings.ToLower(sha1Upper) + "\n", "sed"},
		// No keys.
		"3 nothing":          {"", "", "", "no keys"},
		"3 gzip of nothing":  {"", gzipped(""), "", "no keys"},
		"3 empty lines":      {"", "\n\r\n\n", "", "no keys"},
		"3 only a header":    {"-csv=id", "id,name\n", "", "no keys"},
		"3 an empty column":  {"-csv=2", "1,\n2,\n", "", "2 rows had no key"},
		"3 only blanks":      {"-trim", "  \n\t\n", "", "no keys"},
		"3 only comments":    {"-comment=#", "# a\n  # b\n", "", "no keys"},
		"3 rows too short":   {"-csv=3 -delimiter=blanks", "a b\nc\n", "", "2 rows had no key"},
		"3 a mark":           {"", "\xef\xbb\xbf", "", "no keys"},
		"3 no binary keys":   {"-size=4", "", "", "no keys"},
		"3 nothing but -add": {"-add", "", "", "no keys"},
		// What is no list.
		"5 a web page":    {"", "<!DOCTYPE html>\n<title>404</title>\n", "", "web page"},
		"5 a JSON array":  {"", `["a","b"]`, "", "jq -r '.[]'"},
		"5 JSON lines":    {"", "{\"id\":1}\n{\"id\":2}\n", "", "jq -r '.id'"},
		"5 in a column":   {"-csv=1", "{\"id\":1}\n", "", "jq -r '.id'"},
		"5 a pointer":     {"", "version https://git-lfs.github.com/spec/v1\n", "", "git lfs pull"},
		"5 XML":           {"", "<?xml version=\"1.0\"?>\n<urlset>\n", "", "XML"},
		"5 JSON, in gzip": {"", gzipped("[1,2]"), "", "jq"},
		"5 a paragraph":   {"", "<p>Not found</p>", "", "web page"},
		"5 Python":        {"", "['a', 'b']\n", "", "Python"},
		"5 a table":       {"", "+---+\n| a |\n+---+\n", "+---+\n| a |\n+---+\n", "psql -At"},
		"5 as it is":      {"-raw", "[\"a\"]\n", "[\"a\"]\n", ""},
		"5 jq without -r": {"", "\"a\"\n\"b\"\n", "\"a\"\n\"b\"\n", "2 keys with quotes around"},
		// Quotes.
		"6 tabs of Excel":    {"-csv=1 -delimiter=tab", "\"pear, green\"\t1\r\nfig\t2\r\n", "\"pear, green\"\nfig\n", "-quotes=yes"},
		"6 tabs with quotes": {"-csv=1 -delimiter=tab -quotes=yes", "\"pear, \"\"green\"\"\"\t1\r\nfig\t2\r\n", "pear, \"green\"\nfig\n", ""},
		"6 tabs without":     {"-csv=1 -delimiter=tab -quotes=no", "\"pear\"\t1\n", "\"pear\"\n", ""},
		"6 a name in quotes": {"-csv=N -delimiter=tab", "\"N\"\t\"A\"\nfig\t1\n", "", "-quotes=yes"},
		"6 commas without":   {"-csv=1 -quotes=no", "\"a,b\n", "\"a\n", ""},
		"6 sha256sum":        {"-csv=1 -delimiter=blanks", md5Lower + "  the \"best\" one.txt\n" + strings.ToLower(sha1Upper) + " *\"x\n", md5Lower + "\n" + strings.ToLower(sha1Upper) + "\n", ""},
		"6 escaped names":    {"-csv=1 -delimiter=blanks", "\\" + md5Lower + "  a\\\\b\n", "\\" + md5Lower + "\n", "backslash"},
		"6 NSRL":             {"-csv=SHA-1", "\"SHA-1\",\"FileName\",\"n\"\r\n\"" + sha1Upper + "\",\"17\" monitor.ico\",3\r\n\"AA\",\"b\",4\r\n", sha1Upper + "\nAA\n", ""},
		"6 NSRL, asked for":  {"-csv=2", "\"AA\",\"17\" monitor.ico\",3\r\n", "", "-quotes=no"},
		"6 blanks":           {"-csv=2 -delimiter=blanks", "1 \"a b\"\n", "\"a\n", "-quotes=yes"},
		"6 apostrophes":      {"-csv=2", "1,'a'\n2,'b'\n", "'a'\n'b'\n", "2 keys with apostrophes"},
		"6 not closed":       {"-csv=1", "a,\"b\nc,d\n", "", "-quotes=no"},
		// Columns by blanks.
		"7 hosts":           {"-csv=2- -delimiter=blanks -comment=#", "# hosts\n127.0.0.1\tlocalhost\n\n0.0.0.0  ads.example.com  b.example.com # c\n::1 ip6\n", "localhost\nads.example.com\nb.example.com\nip6\n", ""},
		"7 hosts as lines":  {"", "0.0.0.0 ads.example.com\n", "0.0.0.0 ads.example.com\n", "-csv=2-"},
		"7 hosts, commas":   {"-csv=1", "0.0.0.0 ads.example.com\n", "", "-delimiter=blanks"},
		"7 uniq -c":         {"-csv=2 -delimiter=blanks", "      3 pear\n     12 fig\n", "pear\nfig\n", ""},
		"7 uniq of phrases": {"-csv=2 -delimiter=blanks", "   3 pear tree\n  2 fig \n", "pear\nfig\n", "2 to 3 columns"},
		"7 networks":        {"", "10.0.0.0/8 ; SBL1\n", "10.0.0.0/8 ; SBL1\n", "-delimiter=blanks"},
		"7 semicolons":      {"", "; drop\n10.0.0.0/8 ; SBL1\n", "; drop\n10.0.0.0/8 ; SBL1\n", "-comment=';'"},
		"7 uniq as lines":   {"", "      3 pear\n", "      3 pear\n", "-delimiter=blanks"},
		"7 jellyfish":       {"-csv=1 -delimiter=blanks", "ACGTACGT 3\nTTTTACGT 1\n", "ACGTACGT\nTTTTACGT\n", ""},
		"7 comments":        {"", "# a list\nfig\n", "# a list\nfig\n", "-comment='#'"},
		"7 left out":        {"-comment=#", "# a list\nfig # green\npear#1\n", "fig\npear#1\n", ""},
		"7 short rows":      {"-csv=2 -delimiter=blanks", "a b\nc\nd e\n", "b\ne\n", "1 row had no key"},
		"7 empty fields":    {"-csv=2", "a,b\nc,\n", "b\n", "1 row had no key"},
		"7 comments behind": {"-csv=2 -comment=#", "# a\n1,fig # green\n", "fig # green\n", "-comment"},
		// Blanks around keys.
		"8 behind":     {"", "a@example.com \nb@example.com\n", "a@example.com \nb@example.com\n", "1 key with blanks at"},
		"8 no width":   {"", "a\u200b\n", "a\u200b\n", "1 key with blanks at"},
		"8 commas":     {"", "a,\nb,\n", "a,\nb,\n", "2 keys with a comma or semicolon at the end"},
		"8 trimmed":    {"-trim", "a@example.com \n\tb\u00a0\n", "a@example.com\nb\n", ""},
		"8 fields":     {"-csv=2", "1, a@example.com\n", " a@example.com\n", "-trim"},
		"8 names":      {"-csv=mail -trim", "id, mail\n1, a@example.com\n", "a@example.com\n", ""},
		"8 other name": {"-csv=mail", "id, mail\n1, a@example.com\n", "", "one is \" mail\""},
		// Words.
		"9 bars":                   {"-csv=1", "a|b\n", "", "-delimiter='|'"},
		"9 Excel's separator":      {"-csv=2", "sep=;\r\n1;a\r\n", "a\n", ""},
		"9 Excel's names":          {"-csv=n", "\xef\xbb\xbfsep=;\r\nid;n\r\n1;a\r\n", "a\n", ""},
		"9 another separator":      {"-csv=2 -delimiter=,", "sep=;\r\n1,a;b\r\n", "", "-delimiter=\";\""},
		"9 the separator as lines": {"", "sep=;\r\n1;a\r\n", "sep=;\n1;a\n", "-csv"},
		"9 the name's case":        {"-csv=sha1", "SHA1,n\nAB,1\n", "", `one is "SHA1"`},
		"9 binary keys":            {"-size=4", gzipped("abcdefgh")[:20], "", "-raw"},
		"9 by blanks":              {"-csv=1", md5Lower + "  a,b.txt\n", "", "-delimiter=blanks"},
	} {
		for _, file := range []string{"", " -file"} {
			if file != "" && strings.Contains(c.flags, "-add") {
				continue
			}
			folder := t.TempDir()
			must(t, folder, lines(0, 100), "build -quiet -bits=30"+file+" -o {}/set")
			writeFile(t, filepath.Join(folder, "list"), c.in)
			status, out, stderr := call(t, folder, "", "build -bits=30 -quiet "+c.flags+file+" -o {}/set {}/list")
			if c.keys == "" {
				if status != failed || out != "" || !strings.Contains(stderr, c.said) || strings.Count(stderr, "\n") != 1 {
					t.Errorf("%s:%s status %d, %s%s", name, file, status, out, stderr)
				}
				if got := must(t, folder, "", "info -json {}/set"); !strings.Contains(got, `"keys":100,`) {
					t.Errorf("%s: the old set is gone: %s", name, got)
				}
				continue
			}
			if status != 0 || !strings.Contains(stderr, c.said) || !strings.Contains(stderr, "of 100 keys") || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s:%s status %d, %s", name, file, status, stderr)
			}
			if got := must(t, folder, c.keys+"absent\n", "check -quiet -raw -lower=false -upper=false -trim=false {}/set"); got != c.keys {
				t.Errorf("%s:%s %q", name, file, got)
			}
			// Of the list itself, all keys are found.
			flags := strings.Replace(c.flags, "-add", "", 1)
			if status, out, stderr := call(t, folder, "", "check -v -count "+flags+" {}/set {}/list"); status != notFound || out != "0\n" {
				t.Errorf("%s:%s of the list, status %d, %s%s", name, file, status, out, stderr)
			}
		}
	}
}

// TestRecordedInputs: check, build -add and merge make keys as the set's were made, or say that they do not.
func TestRecordedInputs(t *testing.T) {
	folder := t.TempDir()
	const differ = "the set has keys that were read by"
	must(t, folder, sha1Upper+":3\n", "build -quiet -bits=30 -lower -trim -csv=1 -delimiter=: -o {}/lower")
	must(t, folder, sha1Upper+"\n", "build -quiet -bits=30 -upper -o {}/upper")
	must(t, folder, "abcdefghijklmnopqrst", "build -quiet -bits=30 -size=20 -o {}/binary")
	must(t, folder, "fig\n", "build -quiet -bits=30 -o {}/lines")
	if got := must(t, folder, "", "info {}/lower"); !strings.Contains(got, "keys read by   -csv=1 -delimiter=: -trim -lower\n") {
		t.Error(got)
	}
	hash := strings.ToLower(sha1Upper) + "\n"
	for _, c := range []struct{ in, args, found, said string }{
		{hash, "check {}/lower", hash, ""},
		{" " + sha1Upper + "\n", "check {}/lower", " " + sha1Upper + "\n", ""},
		{sha1Upper + ":3\n", "check {}/lower", "", "-delimiter=:"},
		{hash, "check -upper {}/lower", "", differ},
		{sha1Upper + "\n", "check -lower=false {}/lower", "", differ},
		{hash, "check {}/upper", hash, ""},
		{hash, "check -lower {}/upper", "", differ},
		{hash, "check {}/binary", "", differ},
		{"abcdefghijklmnopqrst", "check -size=20 {}/binary", "abcdefghijklmnopqrst", ""},
		{"abcdefghijklmnopqrst", "check -size=20 {}/lines", "", differ},
		{"", "check {}/lines", "", "no keys"},
		{"1,fig\n2,\n", "check -csv=2 {}/lines", "1,fig\n", "1 row had no key"},
		{"a\n", "build -add -upper -o {}/lower", "", differ},
		{hash, "build -add -o {}/lower", "", differ},
		{"a\n", "build -add -size=2 -o {}/lines", "", differ},
		{"", "merge -o {}/all {}/upper {}/lines", "", "{}/all: 3 keys"},
	} {
		status, out, stderr := call(t, folder, c.in, c.args)
		if found := status == 0 || strings.HasPrefix(c.args, "check"); !found || out != c.found || !strings.Contains(stderr, strings.ReplaceAll(c.said, "{}", folder)) || c.said == "" && stderr != "" {
			t.Errorf("%s of %q: status %d, %q, %s", c.args, c.in, status, out, stderr)
		}
	}
	if got := must(t, folder, "", "info -json {}/lower"); !strings.Contains(got, `"inputs":["-csv=1 -delimiter=: -trim -lower","lines -trim -upper","lines -trim"]`) {
		t.Error(got)
	}
	if status, _, stderr := call(t, folder, "", "merge -quiet -o {}/two {}/lower {}/binary"); status != 0 || !strings.Contains(stderr, "it has keys that were read by") {
		t.Error(status, stderr)
	}
}

// TestReplacedSets: what a build replaces is said at its end, with -quiet if it was much larger.
func TestReplacedSets(t *testing.T) {
	folder := t.TempDir()
	if status, _, stderr := call(t, folder, "1\n", "build -quiet -bits=20 -add -o {}/mistyped"); status != 0 || !strings.Contains(stderr, "-add found no set there") {
		t.Error(status, stderr)
	}
	if _, _, stderr := call(t, folder, "12345678\n87654321\n", "build -quiet -bits=20 -size=9 -o {}/text"); !strings.Contains(stderr, "it is lines of text") {
		t.Error(stderr)
	}
	for _, how := range []string{"", " -file"} {
		build := "build -bits=20" + how + " -o {}/set" + strings.TrimSpace(how)
		for _, c := range []struct {
			n           int
			flags, said string
		}{
			{1000, "", ""}, {999, "", "; replaces a "}, {999, "-quiet", ""}, {400, "-quiet", " of 999 keys"}, {0, "-allow-empty", " of 400 keys"}, {0, "-allow-empty", " of 0 keys"},
		} {
			_, _, stderr := call(t, folder, lines(0, c.n), build+" "+c.flags)
			if !strings.Contains(stderr, c.said) || (c.said == "") == strings.Contains(stderr, "replaces") || c.flags == "-quiet" && c.said == "" && stderr != "" {
				t.Errorf("%s, %d keys: %s", build, c.n, stderr)
			}
		}
		got := must(t, folder, "a,b\n,c\n", build+" -csv=1 -json")
		for _, want := range []string{`"replaced_keys":0,`, `"added_keys":1,`, `"rows_without_key":1`, `"notes":["replaces a`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
	for range 12 {
		must(t, folder, lines(0, 1000), "build -quiet -bits=10 -add -o {}/days")
	}
	if got := must(t, folder, "", "info {}/days"); !strings.Contains(got, "note           the rates of 12 layers add up to 1") {
		t.Error(got)
	}
}

// TestFilesFrom: names come in lines or with zero bytes, and a folder is none of a list.
func TestFilesFrom(t *testing.T) {
	folder := t.TempDir()
	for i, name := range []string{"a b", "c", "empty"} {
		text := lines(10*i, 10)
		if name == "empty" {
			text = ""
		}
		writeFile(t, filepath.Join(folder, name), text)
	}
	a, c, empty := filepath.Join(folder, "a b"), filepath.Join(folder, "c"), filepath.Join(folder, "empty")
	for _, list := range []string{a + "\n" + c + "\n", "\ufeff" + a + "\n" + c, a + "\r\n" + c, a + "\x00" + c + "\x00"} {
		must(t, folder, list, "build -quiet -bits=20 -files-from=- -o {}/set")
		if got := must(t, folder, lines(0, 20), "check -count {}/set"); got != "20\n" {
			t.Errorf("%q: %s", list, got)
		}
		writeFile(t, filepath.Join(folder, "list"), list)
		if got := must(t, folder, "", "check -count -files-from={}/list {}/set"); got != "20\n" {
			t.Errorf("%q: %s", list, got)
		}
	}
	for _, c := range []struct{ in, args, said string }{
		{"\n", "-files-from=- " + c, "names no files"},
		{folder + "/none\n", "-files-from=-", "none: "},
		{folder + "\n", "-files-from=-", "find " + folder},
		{"", folder, "-files-from=-"},
	} {
		if status, _, stderr := call(t, folder, c.in, "build -quiet -bits=20 -o {}/set "+c.args); status < badArguments || !strings.Contains(stderr, c.said) {
			t.Errorf("%s: status %d, %s", c.args, status, stderr)
		}
	}
	writeFile(t, filepath.Join(folder, "list.csv"), "id,name\n1,fig\n")
	if _, _, stderr := call(t, folder, "", "build -quiet -bits=20 -o {}/csv {}/list.csv"); !strings.Contains(stderr, "list.csv: keys are whole lines: -csv") {
		t.Error(stderr)
	}
	if _, _, stderr := call(t, folder, "", "build -quiet -bits=20 -o {}/set {}/c {}/empty"); !strings.Contains(stderr, "1 of 2 files had no keys, such as "+empty) {
		t.Error(stderr)
	}
	if _, _, stderr := call(t, folder, "", "check {}/set {}/empty {}/empty"); !strings.Contains(stderr, "2 of 2 files had no keys") {
		t.Error(stderr)
	}
}
