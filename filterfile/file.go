package filterfile

import (
	"fmt"
	"io/fs"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// File is a filter with its file's Info. [Open], [OpenBytes], [Read] and [New] return it.
//
// It is a [simdbloom.Filter]: f.Filter goes wherever one does, such as into the filters of [simdbloom.AppendFilters]
// and [simdbloom.Candidates], and may be kept without the File. It stays right and mapped as long as anything refers to
// it, whether the File is closed or not. On a closed File, and on the zero one, lookups panic, and so does Info. Do not
// copy a File: go vet reports copies.
type File struct {
	_ nocopy.Mark
	*simdbloom.Filter
}

// Info returns the facts that the file records about the filter.
func (f *File) Info() Info {
	file, err := f.stored()
	if err != nil {
		panic(err.Error())
	}
	return Info(file.Info)
}

// Check compares all checksums that were not compared yet. Its error wraps [simdbloom.ErrCorrupt]. It is
// for filters with [WithLazyCheck]; others were checked before. It needs the time of reading the
// filter.
func (f *File) Check() error {
	file, err := f.stored()
	if err == nil {
		err = wrap(file.Check())
	}
	return err
}

// Err returns an error that wraps [simdbloom.ErrCorrupt] and names the piece of the filter that was found to be
// wrong, the first one, or nil as long as none was. Only with [WithLazyCheck] there may be one.
func (f *File) Err() error {
	file, err := f.stored()
	if err == nil {
		err = wrap(file.Err())
	}
	return err
}

// Close ends the use of the File. Any number of goroutines may look up in it meanwhile: lookups that have begun end as
// they would have, and later ones panic. Those by a *simdbloom.Filter that somebody has taken from it go on. It returns
// nil.
//
// The garbage collector unmaps a mapped file when nothing refers to the filter any more. A File need not be closed.
func (f *File) Close() error {
	if file, err := f.stored(); err == nil {
		file.TakeBack()
		f.replace(new(simdbloom.Filter))
	}
	return nil
}

// replace makes f another filter. Lookups beside it read one word, the old filter or the new one, as Go's memory model
// has it for such races, and both can be used: the race detector is told nothing.
//
//go:norace
func (f *File) replace(filter *simdbloom.Filter) {
	f.Filter = filter
}

// stored returns the filter's file.
func (f *File) stored() (*stored.File, error) {
	filter := f.Filter
	if filter == nil || filter.Hash().IsZero() {
		return nil, errClosed
	}
	return checked.FileOf(filter)
}

var errClosed = fmt.Errorf("filterfile: the File is closed, or was never filled: %w", fs.ErrClosed)
