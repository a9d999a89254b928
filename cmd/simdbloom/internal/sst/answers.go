package sst

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/simdbloom/simdbloom/table"
)

// answered are the answers of a file's filter to the queries.
type answered struct {
	format, filter string
	answers        []table.Answer // to each query
	reads          []readPart
}

// lookups are the same queries in one file after another.
type lookups struct {
	queries []table.Query
	options []table.Option
	hex     bool
	verbose bool   // print the blocks that were read
	found   []bool // by queries: in any file
	out     io.Writer
}

func (l *lookups) read(file io.ReaderAt, size int64) (*answered, error) {
	return lookUpIn(file, size, l.queries, l.options...)
}

// remember keeps the answers of a file, if it could be read.
func (l *lookups) remember(file *answered, err error) {
	if err != nil {
		return
	}
	for i, a := range file.answers {
		l.found[i] = l.found[i] || a.MayContain
	}
}

// lookUpIn answers queries by a file's filter.
func lookUpIn(file io.ReaderAt, size int64, queries []table.Query, options ...table.Option) (*answered, error) {
	recorded := &recorder{file: file}
	if isFilterFile(recorded) {
		f, err := readFilterFile(file, size)
		if err != nil {
			return nil, err
		}
		return &answered{f.format(), f.info.Format, f.answers(queries), []readPart{{"filter file", 0, uint64(size)}}}, nil
	}
	t, err := table.Open(recorded, size, options...)
	if err != nil {
		return nil, err
	}
	answers, err := t.Answers(queries)
	return &answered{t.Format.String(), t.FilterName, answers, recorded.parts}, err
}

// all reports whether the answer to each query is "may contain" in one of the files.
func (l *lookups) all() bool {
	for _, found := range l.found {
		if !found {
			return false
		}
	}
	return true
}

// text writes a line for each query, and for each block that was read, for people.
func (l *lookups) text(name string, file *answered, err error) error {
	if err != nil {
		return nil
	}
	var text strings.Builder
	for i, a := range file.answers {
		says := "does not contain"
		if a.MayContain {
			says = "may contain"
		}
		query := l.queries[i]
		what := ""
		if query.Prefix {
			what = "prefix "
		}
		fmt.Fprintf(&text, "%s: %s%s: %s", printable(name), what, l.printableKey(query.Key), says)
		if why := whyOf(a); why != "" {
			fmt.Fprintf(&text, ": %s", why)
		}
		text.WriteByte('\n')
	}
	if l.verbose {
		for _, part := range file.reads {
			fmt.Fprintf(&text, "%s: read %d bytes at %d: %s\n", printable(name), part.Size, part.Offset, part.What)
		}
	}
	_, err = io.WriteString(l.out, text.String())
	return err
}

// whyOf returns the facts that an answer depends on, apart from the filter's bits.
func whyOf(a table.Answer) string {
	if a.Why == "" && a.Prefix != nil {
		return "by its prefix " + printable(string(a.Prefix))
	}
	return a.Why
}

func (l *lookups) printableKey(key []byte) string {
	switch {
	case len(key) == 0:
		return `""`
	case l.hex:
		return hex.EncodeToString(key)
	}
	return printable(string(key))
}
