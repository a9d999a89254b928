package filterset

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/mmap"
)

// part is a part of a layer: a filter file that is read when a lookup first needs it.
type part struct {
	opened atomic.Pointer[checked.Filter] // or nil
	said   Part                           // by the manifest
	path   string

	mapped []byte   // the file, or nil
	file   *os.File // the file, if it is neither mapped nor read, and the set is open

	reading sync.Mutex
	failed  atomic.Pointer[error] // why it cannot be read
}

// open opens the file, so that it can be read even if the set is replaced.
func (p *part) open() error {
	file, err := mmap.OpenRegular(p.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Size() != p.said.Bytes {
		err = fmt.Errorf("%w: %s has %d bytes, and %d by the manifest", simdbloom.ErrCorrupt, p.path, info.Size(), p.said.Bytes)
	}
	if err != nil {
		file.Close()
		return err
	}
	if p.mapped, err = mapPart(file, info.Size()); err != nil {
		p.file = file
		return nil
	}
	return file.Close()
}

// closeFile closes the file, if it is open.
func (p *part) closeFile() {
	if p.mapped != nil {
		return
	}
	p.reading.Lock()
	defer p.reading.Unlock()
	p.file.Close() // or nil
	p.file = nil
}

// mostMapped is the number of parts that a program has mapped at most. Linux allows 65,530 mappings, and a Go
// program ends if it gets none for its own memory.
const mostMapped = 32_768

var numMapped atomic.Int64

// mapPart maps a file, unless too many are.
func mapPart(file *os.File, size int64) (mapped []byte, err error) {
	if numMapped.Add(1) <= mostMapped {
		mapped, err = checked.Map(file, size)
	}
	if mapped == nil {
		numMapped.Add(-1)
		return nil, errors.Join(errors.ErrUnsupported, err)
	}
	return mapped, nil
}

func unmapParts(mappings [][]byte) {
	for _, mapped := range mappings {
		mmap.Unmap(mapped)
	}
	numMapped.Add(-int64(len(mappings)))
}

// part returns the filter of a part, or nil if it cannot be read.
func (o *opened) part(p *part) *checked.Filter {
	if made := p.opened.Load(); made != nil {
		return made
	}
	return o.read(p)
}

// read is part for the first time.
func (o *opened) read(p *part) *checked.Filter {
	if p.failed.Load() != nil {
		return nil
	}
	p.reading.Lock()
	defer p.reading.Unlock()
	if made := p.opened.Load(); made != nil || p.failed.Load() != nil {
		return made
	}
	made, err := p.load(o)
	if err != nil {
		err = checked.About(p.path, err)
		o.failed.CompareAndSwap(nil, &err) // before anybody is told
		p.failed.Store(&err)
		return nil
	}
	p.opened.Store(made)
	return made
}

func (p *part) load(o *opened) (made *checked.Filter, err error) {
	if p.mapped != nil {
		if !o.options.Lazy {
			mmap.ReadAhead(p.mapped)
		}
		made, err = checked.Bytes(p.mapped, o.options)
	} else {
		if p.file == nil { // the set was closed since the lookup began
			if p.file, err = mmap.OpenRegular(p.path); err != nil {
				return nil, err
			}
		}
		made, _, err = checked.Read(io.NewSectionReader(p.file, 0, p.said.Bytes), o.options)
		p.file.Close()
		p.file = nil
	}
	if err != nil {
		return nil, err
	}
	if made.Format != o.Format || made.Keys != p.said.Keys || made.Sum() != p.said.Sum {
		return nil, fmt.Errorf("filterset: %w: it is not the part that the manifest lists", simdbloom.ErrCorrupt)
	}
	return made, nil
}
