package filterset

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Set is an opened set of filters: a folder that holds the filters of a set of keys of any size, each
// for a part of the keys. [Open] returns it. [Builder] and [Merge] write it.
//
// It has all queries of [simdbloom.Filter] but Lookup and LookupUint64. Any number of goroutines may look up at once. A
// lookup reads one part in each layer, and costs some nanoseconds more than in a single filter of that size. On a
// closed Set all methods panic, except Err, Verify and Close. Do not copy a Set: go vet reports copies.
//
// A part is read and checked when a lookup first needs it. If it cannot be, or a checksum is wrong, every
// lookup in it answers "may contain", and Err returns the reason. "No" comes only from bytes that were checked.
type Set struct{ opened atomic.Pointer[opened] }

// opened is the state of an open Set. It is immutable, except for which parts were read.
type opened struct {
	Info
	options checked.Options
	format  simdbloom.Format
	layers  []layer
	parts   int // of the layer that has the most
	failed  atomic.Pointer[error]
}

// layer is the part of a Layer that lookups need.
type layer struct {
	shift uint
	parts []part
}

// partShift returns by how much partOf shifts.
func partShift(parts int) (shift uint) {
	for shift = 64; parts > 1; parts /= 2 {
		shift--
	}
	return shift
}

// Open opens the set of filters in a folder. It reads the manifest and, on Unix systems, maps the parts'
// files, which reads nothing of them. Where files cannot be mapped, it opens them, and a part is read into
// memory when a lookup needs it. The garbage collector unmaps or closes them when the Set is closed or unreachable, and
// no lookup uses it: to replace a Set that goroutines look up in, swap the pointer to it, and do not close the old one.
//
// The options are [filterfile.Open]'s. Without [filterfile.WithLazyCheck] the first lookup in a part checks all of that
// part; with it, checks are like a single filter's. Verify checks everything.
//
// Its error wraps [simdbloom.ErrCorrupt] if the manifest's bytes or the files' sizes are wrong, [simdbloom.ErrUnknown],
// or the system's error: [fs.ErrNotExist] if there is no set, or a part's file is missing. A set that is replaced
// meanwhile is the old one or the new one, and stays the same until it is closed. It costs about 10 microseconds a
// part.
func Open(dir string, options ...filterfile.OpenOption) (*Set, error) {
	info, err := readInfo(dir)
	for {
		if err != nil {
			return nil, checked.About(dir, wrap(err))
		}
		made, failed := open(dir, info, checked.OptionsOf(options))
		if failed == nil {
			s := new(Set)
			s.opened.Store(made)
			return s, nil
		}
		before := info
		if info, err = readInfo(dir); err == nil && reflect.DeepEqual(before, info) { // otherwise it was replaced
			err = failed
		}
	}
}

// open opens all parts.
func open(dir string, info Info, options checked.Options) (_ *opened, err error) {
	format, hash, err := formats.ParseName(info.Format, options.Hash)
	if err != nil {
		return nil, err
	}
	options.Hash = hash
	o := &opened{Info: info, options: options, format: simdbloom.Format(format)}
	defer func() {
		if err != nil {
			o.closeFiles()
		}
	}()
	for _, l := range info.Layers {
		made := layer{partShift(len(l.Parts)), make([]part, len(l.Parts))}
		o.layers = append(o.layers, made)
		o.parts = max(o.parts, len(l.Parts))
		for i, said := range l.Parts {
			p := &made.parts[i]
			p.said, p.path = said, filepath.Join(dir, l.Folder(), PartFile(i))
			if err := p.open(options); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

// closeFiles closes the files that are open because they are neither mapped nor read. Windows neither removes nor
// replaces an open file.
func (o *opened) closeFiles() {
	for _, layer := range o.layers {
		for i := range layer.parts {
			layer.parts[i].closeFile()
		}
	}
}

// state returns the state that a lookup needs.
func (s *Set) state() *opened {
	o := s.opened.Load()
	if o == nil {
		panicClosed()
	}
	return o
}

//go:noinline
func panicClosed() { panic("filterset: the Set is closed, or was never opened") }

var errClosed = fmt.Errorf("filterset: the Set is closed, or was never opened: %w", fs.ErrClosed)

// Close ends the use of the set: lookups that are under way in other goroutines end as they would have, later ones
// panic, and the garbage collector unmaps the files. Files that are not mapped are closed at once: a lookup under way
// opens its part's file again, and answers "may contain" if that is gone. It returns nil.
func (s *Set) Close() error {
	if old := s.opened.Swap(nil); old != nil {
		old.closeFiles()
	}
	return nil
}

// Info returns the manifest's content: the numbers of keys, parts and bytes, and the expected rate. Do not change its
// layers.
func (s *Set) Info() Info { return s.state().Info }

// Hash returns the key hash that the manifest records.
func (s *Set) Hash() keyhash.Hash { return s.state().options.Hash }

// Format returns the format of the filters.
func (s *Set) Format() simdbloom.Format { return s.state().format }

// Err returns the first error of reading a part, which wraps [simdbloom.ErrCorrupt] or the system's error, or nil as
// long as there is none. After an error, every lookup in that part answers "may contain".
func (s *Set) Err() error {
	o := s.opened.Load()
	if o == nil {
		return errClosed
	}
	if failed := o.failed.Load(); failed != nil {
		return *failed
	}
	if !o.options.Lazy {
		return nil
	}
	for _, layer := range o.layers {
		for i := range layer.parts {
			if p := layer.parts[i].opened.Load(); p != nil {
				file, err := checked.FileOf(p)
				if err == nil {
					err = file.Err()
				}
				if err != nil {
					return wrap(checked.About(layer.parts[i].path, err))
				}
			}
		}
	}
	return nil
}
