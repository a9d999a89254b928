package filterfile

import (
	"fmt"
	"io/fs"
	"runtime"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Filter is a filter with its file's Info. [Open], [OpenBytes], [Read] and [New]
// return it, and [Filter.UnmarshalBinary] and [Filter.ReadFrom] fill the zero Filter. Do not copy it.
//
// It has all queries of [simdbloom.Filter] but Lookup and LookupUint64. Their documentation there says
// more. Any number of goroutines may look up at once. Each lookup costs some nanoseconds more than in that type. On a
// closed Filter, and on the zero one, all methods panic, except those that return an error.
type Filter struct {
	opened atomic.Pointer[checked.Filter]
}

// state returns the state that a lookup needs. Users of the bytes keep it alive meanwhile: when
// nobody does, a closed file's are unmapped.
func (f *Filter) state() *checked.Filter {
	o := f.opened.Load()
	if o == nil {
		panicClosed()
	}
	return o
}

//go:noinline
func panicClosed() { panic("filterfile: the Filter is closed, or was never filled") }

var errClosed = fmt.Errorf("filterfile: the Filter is closed, or was never filled: %w", fs.ErrClosed)

// Hash returns the key hash that the file records.
func (f *Filter) Hash() keyhash.Hash { return f.state().Unchecked.Hash() }

// Info returns the facts that the file records about the filter.
func (f *Filter) Info() Info { return Info(f.state().Info) }

// NumProbes returns the number of bits that a lookup tests: see [simdbloom.Filter].
func (f *Filter) NumProbes() int { return f.state().Unchecked.NumProbes() }

// Format returns the filter's format.
func (f *Filter) Format() simdbloom.Format { return f.state().Unchecked.Format() }

// SizeBytes returns the number of bytes of the filter itself, without the file's header.
func (f *Filter) SizeBytes() int { return len(f.state().Body) }

// Bytes returns the filter's own bytes, without the file's header. Do not change them. Those of
// a mapped file are valid until Close, without which it then stays mapped. With [WithLazyCheck] some may be unchecked:
// see Check.
func (f *Filter) Bytes() []byte {
	o := f.state()
	if o.Mapped() {
		lent.Store(o, nil)
		if f.opened.Load() != o { // closed meanwhile
			lent.Delete(o)
		}
	}
	return o.Body
}

// EstimatedFPR returns the false-positive rate, computed from the bits that are set, for which
// it checks and reads the whole filter, or from the length of fingerprints. It returns 1 if a
// checksum is wrong.
func (f *Filter) EstimatedFPR() float64 {
	o := f.state()
	if o.Check() != nil {
		return 1
	}
	rate := o.Unchecked.EstimatedFPR()
	runtime.KeepAlive(o)
	return rate
}

// CopyAligned returns the same filter over a copy of its bytes in memory that
// begins at a multiple of 64. From 8 MiB on the copy is in huge pages, as Finish's filters are. It
// stays open when f is closed. Unchecked pieces are checked in the copy when lookups need them.
func (f *Filter) CopyAligned() *Filter {
	return filterOf(f.state().CopyAligned())
}

func filterOf(o *checked.Filter) *Filter {
	f := new(Filter)
	f.opened.Store(o)
	return f
}

// Check compares all checksums that were not compared yet. Its error wraps [ErrCorrupt]. It is
// for filters with [WithLazyCheck]; others were checked before. It needs the time of reading the
// filter.
func (f *Filter) Check() error {
	if o := f.opened.Load(); o != nil {
		return o.Check()
	}
	return errClosed
}

// Err returns an error that wraps [ErrCorrupt] and names the piece of the filter that was found to be
// wrong, the first one, or nil as long as none was. Only with [WithLazyCheck] there may be one.
func (f *Filter) Err() error {
	if o := f.opened.Load(); o != nil {
		return o.Err()
	}
	return errClosed
}
