package keys

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Rows are as RFC 4180 has them: fields are between commas, or quoted, with quotes doubled. Ends of lines within quotes
// belong to the field. Another character may be instead of the comma, and quotes may have no meaning.

// wholeRows returns where the last row ends that is whole, or the first one.
func (f *Format) wholeRows(data []byte, onlyFirst bool) (end int) {
	quotes := 0 // an even number is before the end of a row
	for at := 0; at < len(data); {
		n := bytes.IndexByte(data[at:], '\n')
		if n < 0 {
			break
		}
		if f.Quotes {
			quotes += bytes.Count(data[at:at+n], []byte{'"'})
		}
		at += n + 1
		if quotes%2 == 0 {
			if end = at; onlyFirst {
				break
			}
		}
	}
	return end
}

// parseCSV appends the keys of rows.
func (f *Format) parseCSV(to *Parsed, data []byte, hash keyhash.Hash) error {
	var room, cased []byte
	for at := 0; at < len(data); {
		at += f.marks(data[at:])
		from, columns, found := at, 0, false
		for last := false; !last; columns++ {
			field, next, end, err := f.nextField(data, at, room)
			if err != nil {
				return &RowError{from, err}
			}
			if len(field) > cap(room) { // for the next one in quotes
				room = make([]byte, 0, 2*len(field))
			}
			if columns == f.Column && len(field) > 0 {
				to.add(f.inCase(field, &cased), hash, from, from)
				found = true
			}
			at, last = next, end
		}
		switch {
		case found:
			to.Records[len(to.Records)-1].To = int32(at)
		case columns <= f.Column && len(bytes.TrimRight(data[from:at], "\r\n")) > 0: // empty lines are no rows
			return &RowError{from, fmt.Errorf("%.40q has %s; the key column is %d", bytes.TrimRight(data[from:at], "\r\n"), figures.Count(int64(columns), "column"), f.Column+1)}
		}
	}
	return nil
}

// RowError is a mistake in a row of a CSV file.
type RowError struct {
	At  int // in the chunk
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("the row at byte %d: %v", e.At, e.Err) }

// nextField returns the field at the given place, where the next one begins, and whether it is the row's last.
// The field of quotes is in room, or in new memory.
func (f *Format) nextField(data []byte, at int, room []byte) (field []byte, next int, last bool, err error) {
	if f.Quotes && at < len(data) && data[at] == '"' {
		return f.quotedField(data, at+1, room)
	}
	end, comma := at, f.Comma
	for ; end < len(data) && data[end] != comma && data[end] != '\n'; end++ {
		if data[end] > '"' { // as most are
			continue
		}
		if f.Quotes && data[end] == '"' {
			return nil, 0, false, fmt.Errorf("a quote within a field that does not begin with one: write \"\" in quotes instead")
		}
		if f.Text && data[end] == '\r' && end+1 < len(data) && data[end+1] != '\n' {
			return nil, 0, false, errReturn
		}
	}
	field = data[at:end]
	if end < len(data) && data[end] == f.Comma {
		return field, end + 1, false, nil
	}
	return bytes.TrimSuffix(field, []byte{'\r'}), min(end+1, len(data)), true, nil
}

func (f *Format) quotedField(data []byte, at int, room []byte) (field []byte, next int, last bool, err error) {
	field = room[:0]
	for {
		n := bytes.IndexByte(data[at:], '"')
		if n < 0 {
			return nil, 0, false, fmt.Errorf("a quote is not closed")
		}
		field = append(field, data[at:at+n]...)
		at += n + 1
		if at < len(data) && data[at] == '"' {
			field = append(field, '"')
			at++
			continue
		}
		break
	}
	switch rest := data[at:]; {
	case len(rest) == 0:
		return field, at, true, nil
	case rest[0] == f.Comma:
		return field, at + 1, false, nil
	case rest[0] == '\n':
		return field, at + 1, true, nil
	case rest[0] == '\r' && (len(rest) == 1 || rest[1] == '\n'):
		return field, at + min(2, len(rest)), true, nil
	case rest[0] == '\r' && f.Text:
		return nil, 0, false, errReturn
	}
	return nil, 0, false, fmt.Errorf("text behind a quoted field")
}

// FindColumn sets the column of the given name, which the header has.
func (f *Format) FindColumn(header []byte, name string) error {
	var names []string
	found := 0
	for at, last := f.marks(header), false; !last; {
		var field []byte
		var err error
		if field, at, last, err = f.nextField(header, at, nil); err != nil {
			return fmt.Errorf("the header: %w", err)
		}
		if string(field) == name {
			if found++; found == 1 {
				f.Column = len(names)
			}
		}
		names = append(names, strconv.Quote(string(field)))
	}
	switch {
	case found == 1:
		return nil
	case found > 1:
		return fmt.Errorf("%d columns are named %q: rename one, or drop the first row and give a number", found, name)
	}
	return fmt.Errorf("no column is named %q: there are %s", name, strings.Join(names, ", "))
}

// compareFirst returns an error if the first row is one column, but would be several with another character between them.
func (f *Format) compareFirst(row []byte) error {
	row = row[f.marks(row):]
	field, _, last, err := f.nextField(row, 0, nil)
	if err != nil || !last || len(row) > 0 && row[0] == '"' {
		return nil // Parse returns errors
	}
	other := ""
	switch hash, count, _ := bytes.Cut(field, []byte{':'}); {
	case bytes.IndexByte(field, ';') >= 0:
		other = "';'"
	case bytes.IndexByte(field, '\t') >= 0:
		other = "tab"
	case len(hash) >= 32 && hexadecimal(hash) && len(count) > 0 && hexadecimal(count):
		other = ":"
	default:
		return nil
	}
	return fmt.Errorf("the first row is one column: give -delimiter=%s, or -delimiter=, if that is right", other)
}

// hexadecimal reports whether text has only digits of numbers or hashes.
func hexadecimal(text []byte) bool {
	return len(bytes.Trim(text, "0123456789abcdefABCDEF")) == 0
}
