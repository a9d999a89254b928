package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// Filters are filters of columns, by [Column.Name]: one for each row group, or nil for a row group whose
// filter stays as it is. They have format SplitBlock and hash keyhash.XX64, of a value's bytes as in [AppendHashes].
// A filter lacking a value of its column chunk makes readers miss rows: build it from all.
type Filters map[string][]*simdbloom.Filter

// WriteWithFilters writes to w the Parquet file that r reads, of the given size, with the filters added. Filters
// that column chunks had are replaced; their bytes stay in the file, unused.
//
// The data, up to the footer, is copied as it is. The filters follow, a column's side by side so that they are
// read in one read, each with its bits at a multiple of 64. The footer is the old one
// with the offsets and lengths of filters; fields that this package does not know stay as they are.
//
// An error that wraps [simdbloom.ErrCorrupt] is about r's bytes. Files with encrypted columns or a signed footer, and
// columns whose data is in another file, are refused. After an error, the bytes in w are useless.
//
// Columns whose type DuckDB gets wrong, as [WithAnyType] lists them, are refused unless that is given.
func WriteWithFilters(w io.Writer, r io.ReaderAt, size int64, filters Filters, options ...WriteOption) error {
	data, end, err := readFooter(r, size)
	if err != nil {
		return err
	}
	m, err := footer.Parse(data)
	if err != nil {
		return err
	}
	if m.Encrypted {
		return errors.New("parquet: columns are encrypted or the footer is signed, so it cannot be changed")
	}
	var set writing
	for _, option := range options {
		if option != nil {
			option(&set)
		}
	}
	added, err := check(m, filters, set.anyType)
	if err != nil {
		return err
	}
	if n, err := io.Copy(w, io.NewSectionReader(r, 0, end)); err != nil || n != end {
		return fmt.Errorf("parquet: copying %d bytes: %w", end, errors.Join(err, short(n, end)))
	}
	return appendFilters(w, end, data, added)
}

func short(n, want int64) error {
	if n < want {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// added is a filter, and where its column chunk's metadata is.
type added struct {
	at     footer.Place
	filter *simdbloom.Filter
}

// check returns the filters in the order in which they are written.
func check(m *footer.Footer, filters Filters, anyType bool) (all []added, err error) {
	named := byName(m.Columns)
	columns := make([]int, 0, len(filters))
	for name, fs := range filters {
		c, err := index(m.Columns, named, name)
		if err != nil {
			return nil, err
		}
		if len(fs) != len(m.RowGroups) {
			return nil, fmt.Errorf("parquet: column %q: %d filters for %d row groups", name, len(fs), len(m.RowGroups))
		}
		if column := &m.Columns[c]; !anyType && misread(column) && slices.ContainsFunc(fs, func(f *simdbloom.Filter) bool { return f != nil }) {
			return nil, fmt.Errorf("parquet: column %q is %v, for which DuckDB 1.5.6 gives wrong results with right filters: WithAnyType (in the command, -any-type) adds them", name, strings.TrimSpace(column.Type.String()+" "+column.Logical.String()))
		}
		columns = append(columns, c)
	}
	slices.Sort(columns)
	for _, c := range columns {
		name := m.Columns[c].Name()
		for g, f := range filters[name] {
			at := m.Places[g][c]
			switch {
			case f == nil:
				continue
			case at == footer.Place{}:
				return nil, fmt.Errorf("parquet: row group %d has no metadata of column %q in this file", g, name)
			case f.Hash().IsZero():
				return nil, fmt.Errorf("parquet: column %q: the filter of row group %d is the zero Filter", name, g)
			case f.Hash() != keyhash.XX64:
				return nil, fmt.Errorf("parquet: column %q: filter has key hash %s, want %s", name, f.Hash().Name(), keyhash.XX64.Name())
			case f.SizeBytes() > 0 && f.Format() != simdbloom.SplitBlock:
				return nil, fmt.Errorf("parquet: column %q: filter format %v, want %v", name, f.Format(), simdbloom.SplitBlock)
			case uint64(f.SizeBytes()) >= 1<<31:
				return nil, fmt.Errorf("parquet: column %q: a filter of %d bytes is too large: its size must have 31 bits", name, f.SizeBytes())
			}
			all = append(all, added{at, f})
		}
	}
	return all, nil
}

// noValues are the bits of a filter without values: the format has no filters of zero bytes.
var noValues [32]byte

// appendFilters writes filters behind the data, which ends at end, and the footer.
func appendFilters(w io.Writer, end int64, foot []byte, filters []added) error {
	locations := make([]location, 0, len(filters))
	write := func(data []byte) error {
		_, err := w.Write(data)
		end += int64(len(data))
		return err
	}
	for _, a := range filters {
		bits := a.filter.Bytes()
		if len(bits) == 0 {
			bits = noValues[:]
		}
		header := splitblock.AppendHeader(nil, len(bits))
		padding := make([]byte, -(end+int64(len(header)))&(lineBytes-1), 2*lineBytes)
		if len(padding) < len(mark) {
			padding = padding[:len(padding)+lineBytes]
		}
		copy(padding[len(padding)-len(mark):], mark)
		if len(header)+len(bits) > math.MaxInt32 {
			return errors.New("parquet: a filter with its header has more than 2^31-1 bytes")
		}
		locations = append(locations, location{a.at, end + int64(len(padding)), len(header) + len(bits)})
		for _, data := range [][]byte{padding, header, bits} {
			if err := write(data); err != nil {
				return fmt.Errorf("parquet: %w", err)
			}
		}
	}
	foot = withLocations(foot, locations)
	if int64(len(foot)) > math.MaxUint32 {
		return errors.New("parquet: the footer has more than 2^32-1 bytes")
	}
	foot = binary.LittleEndian.AppendUint32(foot, uint32(len(foot)))
	if err := write(append(foot, magic...)); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}
