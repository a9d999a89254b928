package parquet

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// File is a Parquet file's metadata, and filters that were read to be kept, which stay in memory as long as the File
// does. [WithReadCost] decides which. Any number of goroutines may use it at once; those that need filters of
// the same column wait while one reads them to keep them.
type File struct {
	columns   []footer.Column
	described func() []Column // the same for users
	named     map[string]int  // the index of a column, or twoNamed
	rowGroups [][]footer.Chunk
	source    source
	strict    bool // a filter that cannot be used is an error
	faults    []fault
	anyWriter bool
	kept      []kept // by column
}

// kept has a column's filters.
type kept struct {
	mu       sync.Mutex
	filters  []*simdbloom.Filter // by row group: nil where there is none, or none was read
	unusable []*FilterError      // by row group
	bits     []span              // by row group: where they are, if that was read
	spent    float64             // on reading blocks, in bytes
	passed   bool                // filters were read that are not in the list
}

// Open reads the footer of the file that r reads, of the given size in bytes: in one read, or in two
// if the footer is larger than 64 KiB. The File reads from r later, too, from any number of goroutines.
//
// It accepts any bytes. An error wraps [simdbloom.ErrCorrupt] unless reading failed or the footer is
// encrypted. In a file with columns that are encrypted, these have no filters.
func Open(r io.ReaderAt, size int64, options ...Option) (*File, error) {
	if known, ok := r.(*footer.File); ok {
		return newFile(sourceOf(known.ReaderAt, size), known.Footer, options)
	}
	data, end, err := readFooter(r, size)
	if err != nil {
		return nil, err
	}
	return open(data, sourceOf(r, end), options)
}

// OpenBytes is Open of a file that is in memory, or mapped. Filters are used there and not copied:
// data must neither change nor be freed while the File or a filter of it is in use. If data is
// memory-mapped, fault the filters in before large batches: they run in assembly, and cannot be preempted
// during a page fault. [WithReadCost] changes nothing.
func OpenBytes(data []byte, options ...Option) (*File, error) {
	foot, end, err := footerOf(data, int64(len(data)))
	if err != nil {
		return nil, err
	}
	return open(foot, source{data: data[:end:end], end: end}, options)
}

func open(data []byte, s source, options []Option) (*File, error) {
	m, err := footer.Parse(data)
	if err != nil {
		return nil, err
	}
	return newFile(s, m, options)
}

func newFile(s source, m *footer.Footer, options []Option) (*File, error) {
	for i, chunks := range m.RowGroups {
		if len(chunks) != len(m.Columns) {
			return nil, fmt.Errorf("parquet: row group %d has %d chunks for %d columns: %w", i, len(chunks), len(m.Columns), simdbloom.ErrCorrupt)
		}
	}
	f := &File{
		columns: m.Columns, named: byName(m.Columns), rowGroups: m.RowGroups, source: s,
		faults: faultsOf(m.CreatedBy), kept: make([]kept, len(m.Columns)),
		described: sync.OnceValue(func() []Column { return columnsOf(m.Columns) }),
	}
	for _, option := range options {
		if option != nil {
			option(f)
		}
	}
	if f.anyWriter {
		f.faults = nil
	}
	return f, nil
}

// Columns returns the leaves of the schema. The caller must not change them.
func (f *File) Columns() []Column { return f.described() }

func columnsOf(columns []footer.Column) []Column {
	described := make([]Column, len(columns))
	for i, c := range columns {
		described[i] = Column{c.Path, c.Type.String(), c.Length, c.Logical.String()}
	}
	return described
}

// NumRowGroups returns the number of row groups.
func (f *File) NumRowGroups() int { return len(f.rowGroups) }

// HasFilter reports whether the file has a filter of a column in a row group, by their indexes. It reads nothing:
// [File.Unusable] has those that cannot be used.
func (f *File) HasFilter(rowGroup, column int) bool {
	return f.rowGroups[rowGroup][column].FilterOffset != 0
}

// twoNamed stands for the index where two columns have a name.
const twoNamed = -1

func byName(columns []footer.Column) map[string]int {
	named := make(map[string]int, len(columns))
	for i := range columns {
		name := columns[i].Name()
		if _, found := named[name]; found {
			i = twoNamed
		}
		named[name] = i
	}
	return named
}

// Column returns the index of the column with the given name. It is an error if there is no such column, or if
// two have that name, because names have dots in them.
func (f *File) Column(name string) (int, error) { return index(f.columns, f.named, name) }

func index(columns []footer.Column, named map[string]int, name string) (int, error) {
	i, found := named[name]
	switch {
	case !found:
		return 0, fmt.Errorf("parquet: no column is named %q: there are %s", name, firstNames(columns))
	case i == twoNamed:
		return 0, fmt.Errorf("parquet: two columns are named %q", name)
	}
	return i, nil
}

// firstNames quotes the names of the first columns, for an error, which is short whatever the file has.
func firstNames(columns []footer.Column) string {
	const most = 20
	var names []string
	for i := range columns[:min(len(columns), most)] {
		names = append(names, fmt.Sprintf("%.50q", columns[i].Name()))
	}
	if len(columns) > most {
		names = append(names, "…")
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// Filters returns a column's filters, one for each row group, nil where it has none: for
// [simdbloom.Candidates], which tells which values each row group may have, and for other uses. Their
// key hash is keyhash.XX64, of a value's bytes as in [AppendHashes].
//
// It reads filters that were not read so far. A filter that cannot be used is nil, too, and [File.Unusable] has it;
// with [WithUnusableAsErrors] it is an error.
func (f *File) Filters(column string) ([]*simdbloom.Filter, error) {
	c, err := f.Column(column)
	if err != nil {
		return nil, err
	}
	return f.filters(c, f.all())
}

// all returns all row groups.
func (f *File) all() []int {
	all := make([]int, len(f.rowGroups))
	for i := range all {
		all[i] = i
	}
	return all
}

// filters returns a column's filters in some row groups, and keeps them.
func (f *File) filters(column int, rowGroups []int) ([]*simdbloom.Filter, error) {
	k := &f.kept[column]
	k.mu.Lock()
	defer k.mu.Unlock()
	missing, _, err := f.missing(k, column, rowGroups)
	if err == nil {
		err = f.read(k, column, missing)
	}
	if err != nil {
		return nil, err
	}
	return k.of(rowGroups), nil
}

// missing returns the pieces of the filters that were not read. The caller holds k.mu.
func (f *File) missing(k *kept, column int, rowGroups []int) (pieces []piece, lengths bool, err error) {
	if n := len(f.rowGroups); k.filters == nil {
		k.filters, k.unusable, k.bits = make([]*simdbloom.Filter, n), make([]*FilterError, n), make([]span, n)
	}
	var missing []int
	seen := make([]bool, len(f.rowGroups))
	for _, g := range rowGroups {
		if k.unusable[g] != nil && f.strict {
			return nil, false, k.unusable[g]
		}
		if !seen[g] && k.filters[g] == nil && k.unusable[g] == nil && f.rowGroups[g][column].FilterOffset != 0 {
			missing = append(missing, g)
		}
		seen[g] = true
	}
	return f.pieces(k, column, missing)
}

// of returns the filters of row groups.
func (k *kept) of(rowGroups []int) []*simdbloom.Filter {
	filters := make([]*simdbloom.Filter, len(rowGroups))
	for i, g := range rowGroups {
		filters[i] = k.filters[g]
	}
	return filters
}
