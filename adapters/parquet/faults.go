package parquet

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// fault is a mistake that a writer is known to make in filters: they lack values.
type fault struct {
	writer string                     // beginning of created_by
	since  [2]int                     // the first version that has it, major and minor
	until  [2]int                     // the first one that does not, or zero if none is known
	in     func(c *footer.Chunk) bool // nil if only a filter without any bit is wrong
	what   string
}

// The codec and the encodings of parquet.thrift that faults need.
const (
	codecLZ4Raw   = 7
	dictionary    = 1<<2 | 1<<8 // PLAIN_DICTIONARY and RLE_DICTIONARY
	parquetGoName = "github.com/parquet-go/parquet-go"
)

var faults = []fault{
	{
		// It reads the pages back to find the values, with its decoder of LZ4_RAW, which can return memory that it did
		// not write (its issue 608). Tried: v0.26.4 to v0.32.0 have it, and v0.23.0 and v0.25.1 do not. A dictionary is
		// not read back.
		writer: parquetGoName, since: [2]int{0, 26},
		in:   func(c *footer.Chunk) bool { return c.Codec == codecLZ4Raw && c.Encodings&dictionary == 0 },
		what: "parquet-go's filters of columns compressed by LZ4_RAW lack values",
	}, {
		// The filter has the dictionary's values, and those of the pages behind it are missing. Tried: v0.31.0 and
		// v0.32.0 have it; v0.26.4, v0.28.0 and v0.30.2 do not.
		writer: parquetGoName, since: [2]int{0, 31},
		in:   fellBack,
		what: "parquet-go's filters of columns whose dictionary was full lack the values of other pages",
	}, {
		// The reverse: the values of the dictionary are missing (Trino's issue 22701, mended by its pull request 23604
		// three days before 460, which may lack it).
		writer: "parquet-mr-trino", until: [2]int{461, 0},
		in:   fellBack,
		what: "filters of Trino up to 460, of columns whose dictionary was full, lack its values",
	}, {
		// arrow-go, which calls itself so. Filters of Arrow's dictionary arrays have no values (its pull request 1164).
		// Tried: v18.4.0 has it, and v18.8.0 does not.
		writer: "parquet-go", until: [2]int{18, 8},
		what: "filters of arrow-go before v18.8, of dictionary arrays, have no values",
	},
}

// fellBack reports whether some pages have indexes of a dictionary and some do not, or may not.
func fellBack(c *footer.Chunk) bool {
	return c.Encodings&dictionary != 0 && (c.Encodings&^dictionary != 0)
}

var versionIn = regexp.MustCompile(` version v?(\d+)(?:\.(\d+))?`)

// faultsOf returns those that a file may have which is created by the given writer.
func faultsOf(createdBy string) (found []fault) {
	for _, f := range faults {
		if !strings.HasPrefix(createdBy, f.writer+" ") && createdBy != f.writer {
			continue
		}
		if m := versionIn.FindStringSubmatch(createdBy); m != nil {
			major, _ := strconv.Atoi(m[1])
			minor, _ := strconv.Atoi(m[2])
			is := [2]int{major, minor}
			if less(is, f.since) || f.until != [2]int{} && !less(is, f.until) {
				continue
			}
		}
		found = append(found, f)
	}
	return found
}

func less(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// mark is before the headers of filters that this package adds to files, whoever created them.
const mark = "simdbloom"

// doubt returns the error about the filter of a column chunk whose writer is known to lose values, or nil.
func (f *File) doubt(rowGroup, column int) error {
	c := &f.rowGroups[rowGroup][column]
	for _, fault := range f.faults {
		if fault.in == nil || !fault.in(c) {
			continue
		}
		if from := c.FilterOffset - int64(len(mark)); from >= 0 && c.FilterOffset <= f.source.end {
			before, err := f.source.bytes(from, c.FilterOffset, nil)
			if err != nil {
				return err
			}
			if string(before) == mark {
				return nil
			}
		}
		return footer.Corrupt("%s", fault.what)
	}
	return nil
}

// empty returns the fault of which a filter without any bit is a sign, or nil. Blocks of a filter do not show it.
func (f *File) empty() *fault {
	for i := range f.faults {
		if f.faults[i].in == nil {
			return &f.faults[i]
		}
	}
	return nil
}

// WithAnyWriter uses filters that are known to lack values: those that parquet-go v0.26 to v0.32 wrote for columns
// compressed by LZ4_RAW, or whose dictionary was full, that Trino up to 460 wrote for the latter, and empty ones of
// arrow-go before v18.8. Give it for filters that are known to be good. Without it they are unusable, as
// [File.Unusable] has them. Filters of this package in such files are always used.
func WithAnyWriter() Option {
	return func(f *File) { f.anyWriter = true }
}
