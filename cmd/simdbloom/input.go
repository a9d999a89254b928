package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/decode"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/keys"
	"github.com/simdbloom/simdbloom/filterset"
)

// input is where keys come from: the flags of build and check that say so.
type input struct {
	zero      bool
	size      int
	csv       string
	delimiter string
	quotes    string
	comment   string
	lower     bool
	upper     bool
	trim      bool
	raw       bool
	prefix    string
	filesFrom string
	parquet   string // the column, of build
	width     int    // bytes of its values, if all have the same

	flags *flag.FlagSet

	odd   keys.Odd
	hints []string // about the first lines of files
	empty []string // files without keys
	files int      // that were read

	sizes []int64      // of files, compressed as they are, or -1 if that is unknown
	total int64        // bytes of all lists, or 0 if that is unknown
	read  atomic.Int64 // of these
}

func (i *input) addTo(flags *flag.FlagSet) {
	i.flags = flags
	flags.BoolVar(&i.zero, "0", false, "keys end with a zero byte, as those of \"find -print0\", not with lines")
	flags.IntVar(&i.size, "size", 0, "keys are binary, of this number of `bytes` each, with nothing between them")
	flags.StringVar(&i.csv, "csv", "", "keys are a `column` of CSV files: its name in the first row, or its number from 1 where there is no such row, or several, as 2-4 or 2-")
	flags.StringVar(&i.delimiter, "delimiter", "", "the `character` between columns of -csv, a comma by default: \";\", \":\", \"tab\" or another, or \"blanks\", any number of blanks and tabs")
	flags.StringVar(&i.quotes, "quotes", "", "`yes or no`: whether columns may be in double quotes (default: no with :, tab, blanks and a blank, yes with others)")
	flags.StringVar(&i.comment, "comment", "", "`text` that begins comments, as \"#\": at the beginning of a line, or behind a blank, except between other delimiters")
	flags.BoolVar(&i.trim, "trim", false, "drop blanks around keys")
	flags.BoolVar(&i.lower, "lower", false, "convert hexadecimal keys to lower case before hashing, 0xDEADBEEF to 0xdeadbeef, also with dashes or colons between digits, or in braces")
	flags.BoolVar(&i.upper, "upper", false, "hash hexadecimal keys with capital letters behind 0x")
	flags.StringVar(&i.prefix, "prefix", "", "\"name\": each key begins with the `name` of its file, up to the first dot")
	flags.BoolVar(&i.raw, "raw", false, "take all bytes as they are: decompress nothing, and drop no byte order mark and, of lines, no carriage return")
	flags.StringVar(&i.filesFrom, "files-from", "", "read also the files that this `file`, or the standard input if it is -, names: in lines, or with zero bytes behind them")
}

const aboutInput = `Keys are lines, without the newline and a carriage return before it, from the files or the standard input. -0, -size
and -csv say otherwise. Empty lines, and empty fields of CSV files, are no keys. What may be wrong with keys is said at the
end in a line on the standard error. Files may be compressed by gzip,
Zstandard or bzip2. Byte order marks are dropped, and text in UTF-16 that has one is read.`

// format returns how keys are written, and whether a file's first row names its columns.
func (i *input) format() (format keys.Format, named bool, err error) {
	given := 0
	for _, is := range []bool{i.zero, i.size != 0, i.csv != ""} {
		if is {
			given++
		}
	}
	format = keys.Lines()
	format.Text, format.Raw = !i.raw && i.size == 0, i.raw
	if i.lower {
		format.Case = keys.Lower
	} else if i.upper {
		format.Case = keys.Upper
	}
	format.Trim, format.Remark = i.trim, i.comment
	switch {
	case given > 1:
		return format, false, badUsage("-0, -size and -csv exclude each other")
	case i.csv == "" && (i.delimiter != "" || i.quotes != ""):
		return format, false, badUsage("-delimiter and -quotes are for -csv: -csv=1 is the first column")
	case i.lower && i.upper:
		return format, false, badUsage("-lower and -upper exclude each other")
	case i.size != 0 && (i.lower || i.upper || i.trim || i.comment != ""):
		return format, false, badUsage("-lower, -upper, -trim and -comment are for text, not for -size")
	case i.zero && i.comment != "":
		return format, false, badUsage("-comment is for lines and -csv, not for -0")
	case strings.ContainsAny(i.comment, "\r\n\"") || strings.TrimSpace(i.comment) != i.comment:
		return format, false, badUsage("-comment must have neither blanks around it nor quotes, as %q has", i.comment)
	case i.prefix != "" && (i.prefix != "name" || i.size != 0):
		return format, false, badUsage("-prefix must be \"name\", and is for text, not for -size")
	case i.size < 0 || i.size > 1<<20:
		return format, false, badUsage("-size must be from 1 to %d, not %d", 1<<20, i.size)
	case i.zero:
		format.End = 0
	case i.size > 0:
		format.Size = i.size
	case i.csv != "":
		named, err = i.columns(&format)
	}
	return format, named, err
}

// columns completes the format for -csv.
func (i *input) columns(format *keys.Format) (named bool, err error) {
	format.CSV, format.Comma, format.Quotes, format.Sure = true, ',', true, i.delimiter != ""
	switch d := i.delimiter; {
	case d == "":
	case d == "tab" || d == "\t" || d == `\t`:
		format.Comma, format.Quotes = '\t', false
	case d == "blanks":
		format.Comma, format.Blanks, format.Quotes = ' ', true, false
	case len(d) != 1 || d[0] < ' ' || d[0] >= 0x7f || d == `"`:
		return false, badUsage("-delimiter must be one ASCII character, tab or blanks, not %q", d)
	default:
		format.Comma, format.Quotes = d[0], d != ":" && d != " "
	}
	switch i.quotes {
	case "":
	case "yes":
		format.Quotes = true
	case "no":
		format.Quotes, format.NoQuotes = false, true
	default:
		return false, badUsage("-quotes must be yes or no, not %q", i.quotes)
	}
	first, last, several := strings.Cut(i.csv, "-")
	from, err := strconv.Atoi(first)
	if err != nil {
		return true, nil
	}
	to := from
	if several {
		if to, err = strconv.Atoi(last); err != nil && last != "" {
			return true, nil
		} else if last == "" {
			to = mostColumns
		}
	}
	if from < 1 || to > mostColumns || to < from {
		return false, badUsage("-csv=%s: columns are numbered from 1", i.csv)
	}
	format.Column, format.Last = from-1, to-1
	return false, nil
}

const mostColumns = 1 << 20

// fileNames returns the names of the files to read, those of -files-from behind the given ones. Each is a file, or -
// for the standard input, which is read if none are given.
func (i *input) fileNames(s *streams, names []string) ([]string, error) {
	if i.filesFrom != "" {
		list := s.in
		if i.filesFrom != "-" {
			file, err := os.Open(i.filesFrom)
			if err != nil {
				return nil, fmt.Errorf("-files-from=%s: %w", i.filesFrom, failures.WithoutName(err))
			}
			defer file.Close()
			list = file
		} else if slices.Contains(names, "-") {
			return nil, badUsage("the standard input cannot be keys and -files-from=-")
		}
		text, err := io.ReadAll(list)
		if err != nil {
			return nil, fmt.Errorf("-files-from=%s: %w", i.filesFrom, failures.WithoutName(err))
		}
		text = decode.TrimMarks(text)
		end := "\n"
		if bytes.IndexByte(text, 0) >= 0 {
			end = "\x00"
		}
		named := len(names)
		for name := range strings.SplitSeq(string(text), end) {
			if end == "\n" {
				name = strings.TrimSuffix(name, "\r")
			}
			if name != "" {
				names = append(names, name)
			}
		}
		if len(names) == named {
			return nil, fmt.Errorf("-files-from=%s names no files", i.filesFrom)
		}
	}
	if i.prefix != "" && (len(names) == 0 || slices.Contains(names, "-")) {
		return nil, badUsage("-prefix=name needs files: the standard input has no name")
	}
	for _, name := range names {
		info, err := os.Stat(name)
		size := int64(-1)
		switch {
		case name == "-":
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, failures.WithoutName(err))
		case info.IsDir() && exists(filepath.Join(name, filterset.Manifest)):
			return nil, fmt.Errorf("%s is a set, and no list of keys: \"simdbloom merge\" makes one set of several", name)
		case info.IsDir():
			return nil, fmt.Errorf("%s is a folder: \"find %s -type f -print0 | simdbloom … -files-from=-\" reads its files", name, name)
		case info.Mode().IsRegular():
			size = info.Size()
		}
		i.sizes = append(i.sizes, size)
	}
	if len(names) == 0 {
		names, i.sizes = []string{"-"}, []int64{-1}
		if file, ok := s.in.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				at, _ := file.Seek(0, io.SeekCurrent)
				i.total = info.Size() - at
			}
		}
	} else if !slices.Contains(i.sizes, -1) {
		for _, size := range i.sizes {
			i.total += size
		}
	}
	return names, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// textOf describes a list in a format once it is decompressed.
func textOf(f *keys.Format) decode.Text {
	switch {
	case f.Size > 0:
		return decode.Binary
	case f.CSV || f.End != 0:
		return decode.Lines
	}
	return decode.ZeroEnded
}

// counted counts the bytes that are read of a list, which may be compressed.
type counted struct {
	from io.Reader
	n    *atomic.Int64
}

func (c *counted) Read(p []byte) (n int, err error) {
	n, err = c.from.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// part returns which part of the lists has been read, or 0 if that is unknown.
func (i *input) part() float64 {
	if i.total <= 0 {
		return 0
	}
	return float64(i.read.Load()) / float64(i.total)
}
