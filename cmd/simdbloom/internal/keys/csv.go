package keys

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
)

// Rows are as RFC 4180 has them: fields are between commas, or quoted, with quotes doubled. Ends of lines within quotes
// belong to the field. Another character may be instead of the comma, and quotes may have no meaning. Columns that
// are not asked for may break the rule about quotes within a line, as those with names of files do.

// wholeRows returns where the last row ends that is whole, or the first one.
func (f *Format) wholeRows(data []byte, onlyFirst bool) (end int) {
	if !f.Quotes && !onlyFirst {
		return bytes.LastIndexByte(data, '\n') + 1
	}
	for end < len(data) {
		n := f.rowEnd(data[end:])
		if n == 0 {
			break
		}
		if end += n; onlyFirst {
			break
		}
	}
	return end
}

// rowEnd returns the length of the first row, with its newline, or 0 if its end is missing.
func (f *Format) rowEnd(data []byte) int {
	n := bytes.IndexByte(data, '\n') + 1
	if !f.Quotes || bytes.IndexByte(data[:n], '"') < 0 || f.isRemark(data[f.marks(data[:n]):n]) {
		return n
	}
	comma, other := f.commas()
	for at := f.marks(data[:n]); at < len(data); at++ { // fields
		if f.Blanks {
			if at += f.blanks(data[at:]); f.isRemark(data[at:]) {
				return at + bytes.IndexByte(data[at:], '\n') + 1
			}
		}
		if at < len(data) && data[at] == '"' {
			if at = f.closing(data, at+1); at < 0 {
				return 0
			}
		}
		for ; at < len(data) && data[at] != comma && data[at] != other; at++ {
			if data[at] == '\n' {
				return at + 1
			}
		}
	}
	return 0
}

// closing returns the place behind the quote that ends a field, whose text begins at the given place, or -1. Other
// quotes are those that are doubled, and, if the rule is broken, all that no comma or end of a row follows.
func (f *Format) closing(data []byte, at int) int {
	for {
		n := bytes.IndexByte(data[at:], '"') + 1
		if n == 0 {
			return -1
		}
		at += n
		switch rest := data[at:]; {
		case len(rest) > 0 && rest[0] == f.Comma || f.endsField(rest):
			return at
		case rest[0] == '"':
			at++
		}
	}
}

// endsField reports whether nothing, a comma or the end of a row follows.
func (f *Format) endsField(rest []byte) bool {
	return len(rest) == 0 || f.isComma(rest[0]) || rest[0] == '\n' || rest[0] == '\r' && (len(rest) == 1 || rest[1] == '\n')
}

func (f *Format) isComma(c byte) bool { return c == f.Comma || f.Blanks && c == '\t' }

// commas returns the two characters that are one, or one of them twice.
func (f *Format) commas() (comma, other byte) {
	if f.Blanks {
		return f.Comma, '\t'
	}
	return f.Comma, f.Comma
}

// blanks returns the length of the blanks before a field that have no meaning.
func (f *Format) blanks(data []byte) (n int) {
	for f.Blanks && n < len(data) && f.isComma(data[n]) {
		n++
	}
	return n
}

// parseCSV adds the keys of rows.
func (f *Format) parseCSV(to *Parsed, data []byte) error {
	var room []byte
	for at := 0; at < len(data); {
		at += f.marks(data[at:])
		from, columns, full, before := at, 0, 0, len(to.Records)
		if f.isRemark(data[at:]) {
			if at = len(data); bytes.IndexByte(data[from:], '\n') >= 0 {
				at = from + bytes.IndexByte(data[from:], '\n') + 1
			}
			continue
		}
		for last := false; !last; columns++ {
			asked := f.Column <= columns && columns <= f.Last
			field, next, end, err := f.nextField(data, at, room, asked)
			if err != nil {
				return &RowError{from, err}
			}
			if len(field) > cap(room) { // for the next one in quotes
				room = make([]byte, 0, 2*len(field))
			}
			if len(field) > 0 {
				full++
				if asked {
					f.add(to, field, from, from)
				}
			}
			at, last = next, end
		}
		for i := range to.Records[before:] {
			to.Records[before+i].To = int32(at)
		}
		if f.Blanks && f.Column > 0 && f.Column == f.Last && len(to.Records) > before {
			to.Odd.addColumns(full)
		}
		row := bytes.TrimRight(data[from:at], "\r\n")
		switch {
		case len(to.Records) > before || len(row) == 0: // empty lines are no rows
		case columns <= f.Column && !f.Blanks:
			return &RowError{from, fmt.Errorf("%.40q has %s; the key column is %d", row, figures.Count(int64(columns), "column"), f.Column+1)}
		default:
			to.Odd.Rows++
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
func (f *Format) nextField(data []byte, at int, room []byte, asked bool) (field []byte, next int, last bool, err error) {
	at += f.blanks(data[at:])
	if f.Quotes && at < len(data) && data[at] == '"' {
		return f.quotedField(data, at+1, room, asked)
	}
	end := at
	comma, other := f.commas()
	for ; end < len(data) && data[end] != comma && data[end] != other && data[end] != '\n'; end++ {
		if data[end] > '"' { // as most are
			continue
		}
		if f.Quotes && asked && data[end] == '"' {
			return nil, 0, false, fmt.Errorf("a quote within a field that does not begin with one: write \"\" in quotes instead%s", orNoQuotes)
		}
		if f.Text && data[end] == '\r' && end+1 < len(data) && data[end+1] != '\n' {
			return nil, 0, false, errReturn
		}
	}
	field = data[at:end]
	if f.Blanks && f.isRemark(field) { // the rest of the row is one, too
		if n := bytes.IndexByte(data[end:], '\n'); n >= 0 {
			return nil, end + n + 1, true, nil
		}
		return nil, len(data), true, nil
	}
	if end < len(data) && f.isComma(data[end]) {
		return field, end + 1, false, nil
	}
	return bytes.TrimSuffix(field, []byte{'\r'}), min(end+1, len(data)), true, nil
}

// orNoQuotes ends errors about quotes.
const orNoQuotes = " (or give -quotes=no, if quotes belong to fields)"

func (f *Format) quotedField(data []byte, at int, room []byte, asked bool) (field []byte, next int, last bool, err error) {
	field = room[:0]
	for {
		n := bytes.IndexByte(data[at:], '"')
		if n < 0 {
			return nil, 0, false, fmt.Errorf("a quote is not closed%s", orNoQuotes)
		}
		field = append(field, data[at:at+n]...)
		at += n + 1
		rest := data[at:]
		switch {
		case f.endsField(rest):
			if len(rest) > 0 && f.isComma(rest[0]) {
				return field, at + 1, false, nil
			}
			if len(rest) > 0 && rest[0] == '\r' {
				rest, at = rest[1:], at+1
			}
			return field, at + min(len(rest), 1), true, nil
		case rest[0] == '"':
			at++
		case rest[0] == '\r' && f.Text:
			return nil, 0, false, errReturn
		case asked || bytes.IndexByte(field, '\n') >= 0: // otherwise rows could be lost in a field
			return nil, 0, false, fmt.Errorf("text behind a quoted field%s", orNoQuotes)
		}
		field = append(field, '"')
	}
}

// FindColumn sets the column of the given name, which the header has.
func (f *Format) FindColumn(header []byte, name string) error {
	var names []string
	found, close := 0, ""
	for at, last := f.marks(header), false; !last; {
		var field []byte
		var err error
		if field, at, last, err = f.nextField(header, at, nil, true); err != nil {
			return fmt.Errorf("the header: %w", err)
		}
		if f.Trim {
			field = bytes.TrimSpace(field)
		}
		if string(field) == name {
			if found++; found == 1 {
				f.Column = len(names)
				f.Last = f.Column
			}
		} else if strings.EqualFold(strings.Trim(string(field), "\" \t"), strings.TrimSpace(name)) {
			if close = fmt.Sprintf(", but one is %q", field); bytes.HasPrefix(field, []byte{'"'}) {
				close += " (-quotes=yes drops quotes)"
			}
		}
		names = append(names, strconv.Quote(string(field)))
	}
	switch {
	case found == 1:
		return nil
	case found > 1:
		return fmt.Errorf("%d columns are named %q: rename one, or drop the first row and give a number", found, name)
	case len(names) == 1 && f.compareFirst(header) != nil:
		return f.compareFirst(header)
	}
	return fmt.Errorf("no column is named %q%s: there are %s", name, close, strings.Join(names, ", "))
}
