package filterfile

import (
	"fmt"
	"io/fs"
	"runtime"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// Filter is a filter with what its file says about it. [Open], [OpenBytes], [Read] and [New]
// return it, and [Filter.UnmarshalBinary] and [Filter.ReadFrom] fill the zero Filter or one from
// [Expect]. Do not copy it.
//
// It is a [policy.Filter], whose methods say more about lookups. Any number of goroutines may
// look up at once. Each lookup takes some nanoseconds more than in the filter's own package. On a
// closed Filter, and on one without bytes, all methods panic, except Err, Close, UnmarshalBinary,
// ReadFrom and those that return another error.
type Filter struct {
	options openOptions
	opened  atomic.Pointer[opened]
}

var _ policy.Filter = (*Filter)(nil)

// opened is a filter's bytes and what reads them. It is immutable, except for what was checked.
type opened struct {
	stored.File
	filter lookups
	place  place
	pieces *stored.Pieces // nil if all were checked
	mapped []byte         // a file, or nil
	under  *opened        // whose bytes these are, or nil
}

// newOpened reads the filter in a file, which checks it as the options say.
func newOpened(file stored.File, o openOptions) (*opened, error) {
	p := file.Pieces()
	check := p.CheckAll
	if o.lazy {
		check = p.CheckEnd
	}
	if err := check(); err != nil {
		return nil, wrap(err)
	}
	filter, err := openAs(file.Info, o.hash, file.Body)
	if err != nil {
		return nil, err
	}
	return readBy(filter, file, p), nil
}

func readBy(filter lookups, file stored.File, p *stored.Pieces) *opened {
	made := &opened{File: file, filter: filter, place: placeOf(filter, file.Body)}
	if !p.AllRight() {
		made.pieces = p
	}
	return made
}

// state returns what a lookup needs. Whoever uses the bytes keeps it alive meanwhile: when
// nobody does, those of a closed file are unmapped.
func (f *Filter) state() *opened {
	o := f.opened.Load()
	if o == nil {
		panicClosed()
	}
	return o
}

//go:noinline
func panicClosed() { panic("filterfile: the Filter is closed, or was never filled") }

var errClosed = fmt.Errorf("filterfile: the Filter is closed, or was never filled: %w", fs.ErrClosed)

// sound reports whether lookups need no check.
func (o *opened) sound() bool { return o.pieces == nil || o.pieces.AllRight() }

// Contains reports whether the key may have been added. False means that it was not.
func (f *Filter) Contains(key []byte) (hit bool) {
	o := f.state()
	if o.sound() {
		hit = o.filter.Contains(key)
	} else {
		hit = o.containsKey(key)
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) (hit bool) {
	o := f.state()
	if o.sound() {
		hit = o.filter.ContainsString(key)
	} else {
		hit = o.containsKey([]byte(key))
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsHash is Contains of a key by its hash, which must be that of Hash.
func (f *Filter) ContainsHash(hash uint64) (hit bool) {
	o := f.state()
	if o.sound() {
		hit = o.filter.ContainsHash(hash)
	} else {
		hit = o.containsHash(hash)
	}
	runtime.KeepAlive(o)
	return hit
}

// Hash returns the key hash that the file records.
func (f *Filter) Hash() keyhash.Hash { return f.state().filter.Hash() }

// Info returns what the file says about the filter.
func (f *Filter) Info() Info { return Info(f.state().Info) }

// NumProbes returns the number of bits that a lookup tests, or of a Ribbon filter's columns: 0
// if all keys get the same answer, and for linear filters.
func (f *Filter) NumProbes() int {
	if filter, ok := f.state().filter.(interface{ NumProbes() int }); ok {
		return filter.NumProbes()
	}
	return 0
}

// SizeBytes returns the number of bytes of the filter itself, without the file's header.
func (f *Filter) SizeBytes() int { return len(f.state().Body) }

// Bytes returns the filter's own bytes, without the file's header. Do not change them. Those of
// a mapped file are valid until Close. With [WithLazyCheck] some may be unchecked: see Check.
func (f *Filter) Bytes() []byte { return f.state().Body }

// EstimatedFPR returns the false-positive rate, computed from the bits that are set, for which
// it checks and reads the whole filter, or from the length of fingerprints. It returns 1 if a
// checksum is wrong.
func (f *Filter) EstimatedFPR() float64 {
	o := f.state()
	if o.check() != nil {
		return 1
	}
	rate := o.filter.EstimatedFPR()
	runtime.KeepAlive(o)
	return rate
}

// CopyAligned returns the same filter, as a *Filter, over a copy of its bytes in memory that
// begins at a multiple of 64. From 8 MiB on the copy is in huge pages, as Finish's filters are. It
// stays open when f is closed. What was not checked is checked in the copy when lookups need it.
func (f *Filter) CopyAligned() policy.Filter {
	o := f.state()
	copied := o.File
	copied.Body = aligned.Copy(o.Body)
	p := copied.Pieces()
	if o.sound() {
		p.Trust()
	}
	runtime.KeepAlive(o)
	filter, err := openAs(o.Info, o.filter.Hash(), copied.Body)
	if err != nil { // a mapped file was changed meanwhile
		return filterOf(&opened{File: o.File, filter: o.filter, place: o.place, pieces: o.pieces, under: o})
	}
	return filterOf(readBy(filter, copied, p))
}

func filterOf(o *opened) *Filter {
	f := new(Filter)
	f.opened.Store(o)
	return f
}

// Check compares all checksums that were not compared yet. Its error wraps [ErrCorrupt]. It is
// for filters with [WithLazyCheck]; others were checked before. It takes the time of reading the
// filter.
func (f *Filter) Check() error {
	if o := f.opened.Load(); o != nil {
		return o.check()
	}
	return errClosed
}

func (o *opened) check() error {
	if o.sound() {
		return nil
	}
	err := o.pieces.CheckAll()
	runtime.KeepAlive(o)
	return wrap(err)
}

// Err returns an error that wraps [ErrCorrupt] and says which piece of the filter was found to be
// wrong, the first one, or nil as long as none was. Only with [WithLazyCheck] there may be one.
func (f *Filter) Err() error {
	o := f.opened.Load()
	switch {
	case o == nil:
		return errClosed
	case o.pieces == nil:
		return nil
	}
	return wrap(o.pieces.Err())
}
