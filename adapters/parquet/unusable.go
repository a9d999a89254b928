package parquet

import "fmt"

// FilterError is about the filter of a column chunk. It wraps [simdbloom.ErrCorrupt] if the filter cannot be used: its
// header is cut short, gives another size than the footer, or has something that the specification does not have, such
// as parquet-go's compression by gzip or the empty unions that parquetjs writes.
type FilterError struct {
	RowGroup int    // from 0
	Column   int    // the index of the column
	Name     string // of the column
	Err      error  // the reason
}

// Error names the row group and the column.
func (e *FilterError) Error() string {
	return fmt.Sprintf("row group %d, column %q: %v", e.RowGroup, e.Name, e.Err)
}

// Unwrap returns Err.
func (e *FilterError) Unwrap() error { return e.Err }

// WithUnusableAsErrors makes a filter that cannot be used an error of [Prune], [PruneAmong] and [File.Filters]. Without
// it, they take a row group with such a filter for one without a filter.
func WithUnusableAsErrors() Option {
	return func(f *File) { f.strict = true }
}

// Unusable returns the filters that cannot be used, by column and row group, of those that were read so far.
func (f *File) Unusable() (all []*FilterError) {
	for c := range f.kept {
		k := &f.kept[c]
		k.mu.Lock()
		for _, err := range k.unusable {
			if err != nil {
				all = append(all, err)
			}
		}
		k.mu.Unlock()
	}
	return all
}

// refuse records that a filter cannot be used. It returns an error if that is one. The caller holds k.mu.
func (f *File) refuse(k *kept, rowGroup, column int, err error) error {
	k.unusable[rowGroup] = f.about(rowGroup, column, err)
	if f.strict {
		return k.unusable[rowGroup]
	}
	return nil
}

func (f *File) about(rowGroup, column int, err error) *FilterError {
	return &FilterError{RowGroup: rowGroup, Column: column, Name: f.columns[column].Name(), Err: err}
}
