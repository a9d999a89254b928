package keys

import (
	"io"
	"sync"
)

const (
	roomBytes  = 2 * chunkBytes
	mostChunks = 256 // of a group
)

// Group is chunks side by side in one buffer: one of a large input, or all of many small ones, which then cost no
// buffer and no goroutine each.
type Group struct {
	Chunks []Chunk
	room   []byte
}

// Groups reads inputs one after the other. One goroutine may call Next, and any number Free.
type Groups struct {
	inputs func() (*Reader, error)
	reader *Reader // or nil between inputs
	err    error   // to return next
	pool   sync.Pool
}

// NewGroups returns the groups of the inputs that the function returns, until it returns io.EOF. The function is
// called when the input before was read to its end.
func NewGroups(inputs func() (*Reader, error)) *Groups { return &Groups{inputs: inputs} }

// Next returns the next group, or io.EOF. It waits as [Reader.Next] does.
func (g *Groups) Next(hurry func() bool) (*Group, error) {
	group, ok := g.pool.Get().(*Group)
	if !ok {
		group = &Group{room: make([]byte, 0, roomBytes)}
	}
	group.Chunks = group.Chunks[:0]
	left, bytes := group.room, 0
	for g.err == nil && bytes < chunkBytes && len(group.Chunks) < mostChunks && !(bytes > 0 && hurry()) {
		if g.reader == nil {
			g.reader, g.err = g.inputs()
			continue
		}
		chunk, err := g.reader.Next(left, hurry)
		switch {
		case err == io.EOF:
			g.reader = nil
			continue
		case err != nil:
			g.err = err
			continue
		}
		group.Chunks = append(group.Chunks, chunk)
		bytes += len(chunk.Data)
		if n := len(chunk.Data); n <= cap(left) && &left[:1][0] == &chunk.Data[0] {
			left = left[n:n:cap(left)]
		}
	}
	if bytes == 0 {
		return nil, g.err
	}
	return group, nil
}

// Free gives the memory of a group back.
func (g *Groups) Free(group *Group) { g.pool.Put(group) }
