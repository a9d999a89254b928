// Package markdown writes tables in Markdown.
package markdown

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Table is a table, whose first row has the headings.
type Table [][]string

// New returns a table with the given headings and no other row.
func New(headings ...string) *Table { return &Table{headings} }

// Add adds a row.
func (t *Table) Add(cells ...string) { *t = append(*t, cells) }

// Write writes the table. All columns but the first are aligned to the right.
func (t *Table) Write(w io.Writer) {
	for i, cells := range *t {
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|---|%s\n", strings.Repeat("---:|", len(cells)-1))
		}
	}
}

// String returns the table's text.
func (t *Table) String() string {
	var b strings.Builder
	t.Write(&b)
	return b.String()
}

// Thousands writes a number that is not negative, rounded to a whole one, with a comma before every third digit.
func Thousands[T int | int64 | uint64 | float64](n T) string {
	digits := fmt.Sprintf("%.0f", float64(n))
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Blocks replaces what a page has between each mark of a program, such as "compare: lookups", and "end" by the
// text of that name. A name without a text is an error.
func Blocks(page []byte, program string, text func(name string) string) ([]byte, error) {
	marks := regexp.MustCompile(`(?s)(<!-- ` + program + `: ([\w-]+) -->\n).*?(<!-- end -->)`)
	var unknown []string
	page = marks.ReplaceAllFunc(page, func(marked []byte) []byte {
		parts := marks.FindSubmatch(marked)
		text := text(string(parts[2]))
		if text == "" {
			unknown = append(unknown, string(parts[2]))
			return marked
		}
		return []byte(string(parts[1]) + "\n" + text + "\n" + string(parts[3]))
	})
	if unknown != nil {
		return nil, fmt.Errorf("a page has blocks that %s does not write: %q", program, unknown)
	}
	return page, nil
}
