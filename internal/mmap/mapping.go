package mmap

import (
	"errors"
	"os"
	"runtime"
	"sync/atomic"
)

// A Mapping is a mapped file, which the garbage collector unmaps when nothing refers to the Mapping: whoever uses the
// bytes keeps it reachable.
type Mapping struct{ bytes []byte }

// Most is the number of Mappings that a program has at most. Linux allows 65,530, and a Go program ends if it gets none
// for its own memory.
const Most = 32_768

// Count is the number of Mappings.
var Count atomic.Int64

// Open maps the first bytes of a file, unless too many are mapped. The file may be closed.
func Open(file *os.File, size int) (*Mapping, error) {
	if Count.Add(1) > Most {
		Count.Add(-1)
		return nil, errors.ErrUnsupported
	}
	bytes, err := Map(file, size)
	if err != nil {
		Count.Add(-1)
		return nil, err
	}
	m := &Mapping{bytes}
	runtime.AddCleanup(m, unmap, bytes)
	return m, nil
}

func unmap(bytes []byte) {
	Unmap(bytes)
	Count.Add(-1)
}

// Bytes returns the file's bytes.
func (m *Mapping) Bytes() []byte { return m.bytes }
