package cold

import (
	"context"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// file has all facts of a filter file that lookups need besides the ranges that they read.
type file struct {
	name   string
	said   Part
	body   int64           // where the filter begins
	length uint64          // of the filter
	unit   uint64          // bytes that are read together: a piece, or a line if they are not checked
	sums   []uint64        // of the pieces, or nil
	lookup contents.Lookup // or nil, and
	whole  *simdbloom.Filter
	head   []byte // the filter's first bytes
	tail   []byte // and last ones
	more   uint64 // where the headers of Linear begin, or the length
}

// open returns the facts of a file.
func (f *Filter) open(ctx context.Context, number int32) (*file, error) {
	for {
		e, own := f.cache.get(key{number, ofFile}, files)
		if own {
			bytes := int64(0)
			e.err = errPanicked
			defer func() { f.cache.put(e, bytes) }()
			e.file, e.err = f.load(ctx, number)
			if e.err == nil {
				bytes = e.file.memory()
			}
			return e.file, e.err
		}
		if e.isThere() {
			f.hits.Add(1)
		}
		if again, err := e.wait(ctx); !again {
			return e.file, err
		}
	}
}

var errPanicked = fmt.Errorf("reading it panicked")

// memory returns the number of bytes that the file takes in the cache.
func (f *file) memory() int64 {
	n := int64(8*len(f.sums) + len(f.head) + len(f.tail) + len(f.name) + 512)
	if f.whole != nil {
		n += int64(f.length)
	}
	return n
}

// load reads a file's header, and the first and last bytes of its filter, or all of them if lookups may need any.
func (f *Filter) load(ctx context.Context, number int32) (*file, error) {
	layer, part := f.nameOf(number)
	said, name := layer.Part(part), layer.Name(part)
	share := f.share
	if said.Bytes >= 0 {
		share = min(share, f.likely(said.Bytes))
	}
	if err := f.opening.take(ctx, share); err != nil {
		return nil, err
	}
	defer f.opening.give(share)
	head, err := f.readHead(ctx, name, said)
	if err != nil {
		return nil, err
	}
	info, sums, err := stored.ParseHead(head)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	is := Part{Keys: info.Keys, Bytes: info.Offset + info.Length, Sum: info.Sum()}
	switch {
	case f.name == "":
		err = f.use(info.Format)
	case said.Bytes >= 0 && (is != said || info.Format != f.name):
		err = fmt.Errorf("%w: it is not the file that was listed, or it was replaced since the filter was opened", simdbloom.ErrCorrupt)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	made := &file{name: name, said: is, body: info.Offset, length: uint64(info.Length), unit: uint64(info.PieceBytes), sums: sums}
	if f.unchecked {
		made.unit, made.sums = asm.BlockBytes, nil
	}
	if made.length > uint64(info.PieceBytes) {
		if err := f.readEnds(ctx, made); err != nil || made.lookup != nil {
			return made, err
		}
	}
	return made, f.readWhole(ctx, made, head[made.body:])
}

// likely returns about the memory that opening a file of the given size takes.
func (f *Filter) likely(bytes int64) int64 {
	if bytes <= stored.PieceBytes+firstBytes {
		return 2*bytes + firstBytes
	}
	return bytes/stored.LeastPieceBytes*16 + bytes/32 + stored.PieceBytes + firstBytes
}

// firstBytes are read of a file of which nothing is known. They have its header, unless the filter is large.
const firstBytes = 4096

// readHead reads a file's header, and perhaps more.
func (f *Filter) readHead(ctx context.Context, name string, said Part) ([]byte, error) {
	n := int64(firstBytes)
	if said.Bytes >= 0 {
		if n += said.Bytes / stored.PieceBytes * 8; said.Bytes <= stored.PieceBytes+firstBytes {
			n = said.Bytes
		}
		n = min(n, said.Bytes, f.share)
	}
	if n < stored.LeastBytes {
		return nil, fmt.Errorf("%s: %w: %d bytes, fewer than any filter file has", name, contents.ErrCorrupt, n)
	}
	head := make([]byte, n)
	if err := f.readUpTo(ctx, name, head, 0); err != nil && !(said.Bytes < 0 && isEOF(err)) {
		return nil, err
	}
	bytes, err := stored.HeadBytes(head)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case bytes > f.share/2:
		return nil, fmt.Errorf("%s: its header of %d bytes is too large for the memory", name, bytes)
	case said.Bytes >= 0 && bytes > said.Bytes:
		return nil, fmt.Errorf("%s: %w: a header of %d bytes in a file of %d", name, contents.ErrCorrupt, bytes, said.Bytes)
	case bytes > n:
		head = append(head, make([]byte, bytes-n)...)
		err = f.read(ctx, name, head[n:], n)
	}
	return head, err
}

// readEnds reads the first and last bytes of a filter, and finds out how it is looked up by ranges. If it is not,
// lookup stays nil.
func (f *Filter) readEnds(ctx context.Context, made *file) (err error) {
	first, last, more := formats.EndsOf(f.format, made.length)
	made.more = made.length - more
	if more > uint64(f.share) {
		more = last
	}
	if made.head, err = f.readChecked(ctx, made, 0, first); err == nil {
		made.tail, err = f.readChecked(ctx, made, made.length-more, made.length)
	}
	if err == nil {
		made.lookup = formats.LookupOf(f.format, formats.BatchBlocksOf(f.name), f.hash, made.length, made.head, made.tail)
	}
	return err
}

// readWhole reads all of a filter, of which some bytes may be there.
func (f *Filter) readWhole(ctx context.Context, made *file, there []byte) (err error) {
	if made.length > uint64(f.share) {
		return fmt.Errorf("%s: a lookup may read any of the filter's %d bytes: they are too many for the memory", made.name, made.length)
	}
	var data []byte
	if uint64(len(there)) >= made.length {
		data = slices.Clone(there[:made.length])
		err = made.checkAll(data, 0)
	} else {
		data, err = f.readChecked(ctx, made, 0, made.length)
	}
	if err == nil {
		made.whole, err = simdbloom.OpenNamed(f.name, data, f.hash)
	}
	if err != nil {
		f.failures.Add(1)
	}
	return err
}

// readChecked reads a range of a filter, by whole units.
func (f *Filter) readChecked(ctx context.Context, made *file, from, to uint64) ([]byte, error) {
	if from == to {
		return nil, nil
	}
	begin, end := from, to
	if made.sums != nil {
		begin, end = from/made.unit*made.unit, min((to+made.unit-1)/made.unit*made.unit, made.length)
	}
	data := make([]byte, end-begin)
	err := f.read(ctx, made.name, data, made.body+int64(begin))
	if err == nil {
		if err = made.checkAll(data, begin); err != nil {
			f.failures.Add(1)
		}
	}
	if data = data[from-begin:][:to-from]; err == nil && end-begin > (to-from)*9/8 {
		data = slices.Clone(data) // the rest would stay
	}
	return data, err
}

// checkAll compares the checksums of whole units.
func (f *file) checkAll(data []byte, from uint64) error {
	for f.sums != nil && len(data) > 0 {
		n := min(f.unit, uint64(len(data)))
		if err := f.check(data[:n], from); err != nil {
			return err
		}
		data, from = data[n:], from+n
	}
	return nil
}

// check compares the checksum of the unit that begins at a byte of the filter.
func (f *file) check(unit []byte, from uint64) error {
	if f.sums == nil || xxhash.Sum64(unit) == f.sums[from/f.unit] {
		return nil
	}
	return fmt.Errorf("%s: %w: bytes %d to %d of the filter: their checksum is wrong", f.name, contents.ErrCorrupt, from, from+uint64(len(unit))-1)
}

// atHand returns a range of the filter if it is in the bytes that are known of the file.
func (f *file) atHand(at, bytes uint64) ([]byte, bool) {
	switch tail := f.length - uint64(len(f.tail)); {
	case bytes == 0:
		return nil, true
	case at >= tail:
		return f.tail[at-tail:][:bytes:bytes], true
	case at+bytes <= uint64(len(f.head)):
		return f.head[at:][:bytes:bytes], true
	}
	return nil, false
}
