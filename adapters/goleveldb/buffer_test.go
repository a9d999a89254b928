package goleveldb_test

import "bytes"

// dirtyBuffer is a filter.Buffer whose next memory begins where it is told to, between bytes
// that must stay, and is full of ones, as reused memory may be.
type dirtyBuffer struct {
	memory []byte // all of it
	from   int    // where the next filter begins
	end    int    // of the last one
	copied int    // bytes that came by Write
}

func newDirtyBuffer(size, from int) *dirtyBuffer {
	return &dirtyBuffer{memory: bytes.Repeat([]byte{0xff}, size), from: from, end: from}
}

func (b *dirtyBuffer) Alloc(n int) []byte {
	b.end += n
	return b.memory[b.end-n : b.end]
}

func (b *dirtyBuffer) Write(p []byte) (int, error) {
	b.copied += len(p)
	return copy(b.Alloc(len(p)), p), nil
}

func (b *dirtyBuffer) WriteByte(c byte) error {
	_, err := b.Write([]byte{c})
	return err
}

// filter returns what was written, if nothing was beside it.
func (b *dirtyBuffer) filter() (data []byte, ok bool) {
	ones := func(p []byte) bool { return bytes.Count(p, []byte{0xff}) == len(p) }
	return b.memory[b.from:b.end], ones(b.memory[:b.from]) && ones(b.memory[b.end:])
}
