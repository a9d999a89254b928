package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/decode"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/keys"
	"github.com/simdbloom/simdbloom/keyhash"
)

// input is where keys come from: the flags of build and check that say so.
type input struct {
	zero      bool
	size      int
	csv       string
	delimiter string
	lower     bool
	upper     bool
	raw       bool

	read atomic.Int64 // bytes of all files, compressed as they are
}

func (i *input) addTo(flags *flag.FlagSet) {
	flags.BoolVar(&i.zero, "0", false, "keys end with a zero byte, as those of \"find -print0\", not with lines")
	flags.IntVar(&i.size, "size", 0, "keys are binary, of this number of `bytes` each, with nothing between them")
	flags.StringVar(&i.csv, "csv", "", "keys are a `column` of CSV files: its name in the first row, or its number from 1 where there is no such row")
	flags.StringVar(&i.delimiter, "delimiter", "", "the `character` between columns of -csv, a comma by default: \";\", \":\", \"tab\" or another. With : and tab, quotes belong to the field")
	flags.BoolVar(&i.lower, "lower", false, "hash keys that have only hexadecimal digits with small letters, DEADBEEF as deadbeef: give it to build and to check")
	flags.BoolVar(&i.upper, "upper", false, "hash keys that have only hexadecimal digits with capital letters")
	flags.BoolVar(&i.raw, "raw", false, "take all bytes as they are: decompress nothing, and drop no byte order mark and, of lines, no carriage return")
}

const aboutInput = `Keys are lines, without the newline and a carriage return before it, from the files or the standard input. -0, -size
and -csv say otherwise. Empty lines, and empty fields of CSV files, are no keys. Files may be compressed by gzip,
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
	switch {
	case given > 1:
		return format, false, badUsage("-0, -size and -csv exclude each other")
	case i.delimiter != "" && i.csv == "":
		return format, false, badUsage("-delimiter is for -csv: -csv=1 is the first column")
	case i.lower && i.upper:
		return format, false, badUsage("-lower and -upper exclude each other")
	case (i.lower || i.upper) && i.size != 0:
		return format, false, badUsage("-lower and -upper are for text, not for -size")
	case i.size < 0 || i.size > 1<<20:
		return format, false, badUsage("-size must be from 1 to %d, not %d", 1<<20, i.size)
	case i.zero:
		format.End = 0
	case i.size > 0:
		format.Size = i.size
	case i.csv != "":
		lines := format
		format = keys.CSV(0)
		format.Case, format.Text, format.Sure = lines.Case, lines.Text, i.delimiter != ""
		switch d := i.delimiter; {
		case d == "":
		case d == "tab" || d == "\t" || d == `\t`:
			format.Comma, format.Quotes = '\t', false
		case len(d) != 1 || d[0] < ' ' || d[0] >= 0x7f || d == `"`:
			return format, false, badUsage("-delimiter must be one ASCII character, or tab, not %q", d)
		default:
			format.Comma, format.Quotes = d[0], d != ":"
		}
		if n, err := strconv.Atoi(i.csv); err == nil {
			if n < 1 || n > 1<<20 {
				return format, false, badUsage("-csv=%d: columns are numbered from 1", n)
			}
			format.Column = n - 1
		} else {
			named = true
		}
	}
	return format, named, nil
}

// parsed is a chunk of an input, with its keys.
type parsed struct {
	keys.Parsed
	chunk *keys.Chunk
	hits  []bool
	out   []byte
}

// each reads the files, or the standard input if there are none, calls work with chunks and their keys in several
// goroutines, and then done in order in this one.
func (i *input) each(ctx context.Context, s *streams, names []string, hash keyhash.Hash, work func(p *parsed) error, done func(p *parsed) error) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		if err := i.eachOf(ctx, s, name, hash, work, done); err != nil {
			if name != "-" && !errors.Is(err, context.Canceled) {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return err
		}
	}
	return nil
}

func (i *input) eachOf(ctx context.Context, s *streams, name string, hash keyhash.Hash, work func(p *parsed) error, done func(p *parsed) error) error {
	from := s.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return failures.WithoutName(err)
		}
		defer file.Close()
		from = file
	}
	format, named, err := i.format()
	if err != nil {
		return err
	}
	from = &counted{from, &i.read}
	if !i.raw {
		list := decode.NewReader(from, textOf(&format))
		defer list.Close()
		from = list
	}
	var header func(row []byte) error
	if named {
		header = func(row []byte) error { return format.FindColumn(row, i.csv) }
	}
	r := keys.NewReader(from, &format, header)
	free := make(chan *parsed, 16)
	return keys.InOrder(ctx, runtime.GOMAXPROCS(0), r.Next, func(chunk *keys.Chunk) (*parsed, error) {
		var p *parsed
		select {
		case p = <-free:
			p.Reset()
		default:
			p = new(parsed)
		}
		p.chunk = chunk
		if !chunk.Header {
			if err := format.Parse(&p.Parsed, chunk.Data, hash); err != nil {
				var row *keys.RowError
				if errors.As(err, &row) {
					return nil, fmt.Errorf("the row at byte %d: %w", chunk.At+int64(row.At), row.Err)
				}
				return nil, err
			}
		}
		return p, work(p)
	}, func(p *parsed) error {
		err := done(p)
		r.Free(p.chunk)
		select {
		case free <- p:
		default:
		}
		return err
	})
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

// part returns which part of the given number of bytes has been read, or 0 if that is unknown.
func (i *input) part(total int64) float64 {
	if total <= 0 {
		return 0
	}
	return float64(i.read.Load()) / float64(total)
}

// bytesOf returns how many bytes the files, or the standard input if there are none, have, or 0 if that is unknown.
func bytesOf(s *streams, names []string) (n int64) {
	if len(names) == 0 {
		if file, ok := s.in.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				at, _ := file.Seek(0, io.SeekCurrent)
				return info.Size() - at
			}
		}
		return 0
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		n += info.Size()
	}
	return n
}
