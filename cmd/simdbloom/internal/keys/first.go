package keys

import (
	"bytes"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
)

// compareFirst returns an error if the first row is one column, but would be several with another character between
// them.
func (f *Format) compareFirst(data []byte) error {
	data = data[f.marks(data):]
	field, _, last, err := f.nextField(data, 0, nil, true)
	if err != nil || len(data) > 0 && data[0] == '"' {
		return nil // Parse returns errors
	}
	between := betweenColumns(field)
	switch {
	case between != "" && between != ",":
	case !last:
		return nil
	case bytes.IndexByte(field, ';') >= 0:
		between = "';'"
	case bytes.IndexByte(field, '|') >= 0:
		between = "'|'"
	case bytes.IndexByte(field, '\t') >= 0:
		between = "tab"
	default:
		return nil
	}
	return fmt.Errorf("the first row is one column: give -delimiter=%s, or -delimiter=, if that is right", between)
}

// betweenColumns returns the -delimiter of a row that begins with a hash, an address, or a number behind blanks, and
// has more columns, or "".
func betweenColumns(row []byte) string {
	text := strings.TrimRight(string(row), "\r\n")
	indented := strings.TrimLeft(text, " \t")
	n := strings.IndexAny(indented, " \t:;,|")
	if n <= 0 || strings.TrimSpace(indented[n:]) == "" {
		return ""
	}
	first, rest := indented[:n], indented[n:]
	address, _, _ := strings.Cut(first, "/")
	_, notAddress := netip.ParseAddr(address)
	isHash := len(first) >= 16 && hexadecimal([]byte(first))
	switch c := rest[0]; {
	case isHash && (c == ';' || c == '|'):
		return "'" + string(c) + "'"
	case isHash && (c == ':' || c == ','):
		return string(c)
	case c != ' ' && c != '\t':
	case isHash, notAddress == nil, len(indented) < len(text) && strings.Trim(first, "0123456789") == "":
		return "blanks"
	}
	return ""
}

// hint warns if the first line of a list does not look like a whole key, or returns "".
func (f *Format) hint(data []byte) string {
	line, _, _ := bytes.Cut(data[f.marks(data):], []byte{'\n'})
	text := strings.TrimRight(string(line), "\r")
	const columns = "the first line has columns, and keys are whole lines: "
	between := betweenColumns(line)
	switch {
	case f.Remark == "" && (strings.HasPrefix(text, "# ") || strings.HasPrefix(text, "##") || text == "#"):
		return "the first line begins with #, and is a key: -comment='#' leaves such lines out"
	case f.Remark == "" && (strings.HasPrefix(text, "; ") || strings.HasPrefix(text, "// ")):
		mark, _, _ := strings.Cut(text, " ")
		return "the first line begins with " + mark + ", and is a key: -comment='" + mark + "' leaves such lines out"
	case strings.HasPrefix(text, "+-") && strings.HasSuffix(text, "-+") && strings.Trim(text, "+-") == "":
		return "the first line is the frame of a table, and keys are whole lines: let the database write rows alone, as \"psql -At\" and \"mysql -BN\" do"
	case strings.HasPrefix(text, "sep=") && len(text) <= len("sep=;"):
		return columns + "-csv reads one of them"
	case between == ",":
		return columns + "-csv=1 takes the hash"
	case between == "blanks":
		return columns + "-csv=1 -delimiter=blanks takes the first one, -csv=2- all others"
	case between != "":
		return columns + "-csv=1 -delimiter=" + between + " takes the first one"
	case strings.HasPrefix(text, `"`) && strings.Contains(text, `","`):
		return columns + "-csv=1 takes the first one"
	case strings.Contains(text, "\t"):
		return columns + "-csv=1 -delimiter=tab takes the first one"
	case hashBehind.MatchString(text):
		return "the first line has a name and a hash, and keys are whole lines: \"sed 's/.*= //' FILE | simdbloom …\" takes the hash"
	}
	return ""
}

// hashBehind is a line of "shasum --tag" or openssl.
var hashBehind = regexp.MustCompile(`\) ?= [0-9A-Za-z+/]{8,}=*$`)

// takeSeparator returns the length of a first row "sep=;", as Excel writes it, or 0, and sets Comma.
func (f *Format) takeSeparator(data []byte) (length int, err error) {
	row := data[:bytes.IndexByte(data, '\n')+1]
	name, ok := strings.CutPrefix(strings.TrimRight(string(row[f.marks(row):]), "\r\n"), "sep=")
	switch {
	case !f.CSV || !f.Text || !ok || len(name) != 1 || hexadecimal([]byte(name)):
		return 0, nil
	case !f.Sure:
		f.Comma, f.Quotes, f.Sure = name[0], !f.NoQuotes, true
	case f.Comma != name[0]:
		return 0, fmt.Errorf("the first row is %q: give -delimiter=%q, or none", "sep="+name, name)
	}
	return len(row), nil
}
