// Package markdown writes tables, and numbers in them, in Markdown.
package markdown

import (
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Table is a table, whose first row has the headings.
type Table [][]string

// New returns a table with the given headings and no other row.
func New(headings ...string) *Table { return &Table{headings} }

// Add adds a row.
func (t *Table) Add(cells ...string) { *t = append(*t, cells) }

// Put adds a cell to the row that begins with its name. A row and a column of a new name are added. The cells of a row
// come in the order of the columns.
func (t *Table) Put(row, column, cell string) {
	if !slices.Contains((*t)[0], column) {
		(*t)[0] = append((*t)[0], column)
	}
	at := slices.IndexFunc(*t, func(cells []string) bool { return cells[0] == row })
	if at < 0 {
		at = len(*t)
		t.Add(row)
	}
	(*t)[at] = append((*t)[at], cell)
}

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

// Size writes a size in KiB or MiB, rounded to a whole number.
func Size(bytes int) string {
	unit, name := 1<<20, "MiB"
	if bytes < unit {
		unit, name = 1<<10, "KiB"
	}
	return fmt.Sprintf("%.0f %s", math.Round(float64(bytes)/float64(unit)), name)
}

// Blocks returns the page of a file. What it has between each mark of a program, such as "compare: lookups", and
// "end" is replaced by the text of that name. A name without a text is an error.
func Blocks(file, program string, text func(name string) string) ([]byte, error) {
	page, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
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
		return nil, fmt.Errorf("%s has blocks that %s does not write: %q", file, program, unknown)
	}
	return page, nil
}
