package filterset

import (
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
	opened atomic.Pointer[simdbloom.Filter] // or nil
	said   Part                             // by the manifest
	path   string

	mapped *mmap.Mapping // the file, or nil
	file   *os.File      // the file, if it is neither mapped nor read, and the set is open

	reading sync.Mutex
	failed  atomic.Pointer[error] // why it cannot be read
}

// open opens the file, so that it can be read even if the set is replaced.
func (p *part) open(o checked.Options) error {
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
	if p.mapped, err = checked.Map(file, info.Size()); err != nil {
		p.file = file
		return nil
	}
	if o.Soon {
		mmap.ReadAhead(p.mapped.Bytes())
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

// part returns the filter of a part, or nil if it cannot be read.
func (o *opened) part(p *part) *simdbloom.Filter {
	if made := p.opened.Load(); made != nil {
		return made
	}
	return o.read(p)
}

// read is part for the first time.
func (o *opened) read(p *part) *simdbloom.Filter {
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

func (p *part) load(o *opened) (made *simdbloom.Filter, err error) {
	if p.mapped != nil {
		made, err = checked.Mapped(p.mapped, o.options)
	} else {
		if p.file == nil { // the set was closed since the lookup began
			if p.file, err = mmap.OpenRegular(p.path); err != nil {
				return nil, err
			}
		}
		made, err = checked.Read(io.NewSectionReader(p.file, 0, p.said.Bytes), o.options)
		p.file.Close()
		p.file = nil
	}
	if err != nil {
		return nil, err
	}
	file, _ := checked.FileOf(made) // the one that it was opened from
	if file.Format != o.Format || file.Keys != p.said.Keys || file.Sum() != p.said.Sum {
		return nil, fmt.Errorf("filterset: %w: it is not the part that the manifest lists", simdbloom.ErrCorrupt)
	}
	return made, nil
}
