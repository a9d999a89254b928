package cold

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Options are the options of a Filter.
type Options struct {
	Hash      keyhash.Hash // that the files must have, or zero
	Memory    *int64       // bytes
	ReadCost  *int64       // bytes: ranges whose distance is at most this are one request
	Requests  *int         // at once
	Unchecked bool         // lines of 64 bytes are read, whatever their checksums
}

// The defaults.
const (
	memory   = 64 << 20
	readCost = 256 << 10
	requests = 32

	leastMemory = 1 << 20
)

func or[T any](given *T, usual T) T {
	if given != nil {
		return *given
	}
	return usual
}

// Filter looks up hashes in a filter file, or in those of a set. Any number of goroutines may use it.
type Filter struct {
	reader
	name      string // of the format and key hash
	format    asm.Format
	hash      keyhash.Hash
	unchecked bool
	readCost  uint64
	requests  int
	layers    []Layer
	cache     *cache

	// A call takes memory for its keys, and as much for the pieces that it reads at once. Files are opened in another
	// share. So do the headers that calls hold which have left the cache. Together they are half of the memory, and the
	// cache is the other half.
	share            int64
	working, opening shares
}

// Layer is a layer of a set, in which a hash is in one part: or the one file.
type Layer struct {
	Parts int
	Of    func(hash uint64) int // its part
	Part  func(part int) Part   // by the manifest
	Name  func(part int) string // of the file

	from int32 // the number of its first file
}

// Part is a manifest's entry of a part. Bytes are -1 where nothing is known of the file.
type Part struct {
	Keys, Bytes int64
	Sum         uint64
}

// New returns a Filter without layers, which reads a manifest, or the first file.
func New(ranges Ranges, o Options) (*Filter, error) {
	f := &Filter{hash: o.Hash, unchecked: o.Unchecked, readCost: uint64(or(o.ReadCost, readCost)), requests: or(o.Requests, requests)}
	all := or(o.Memory, memory)
	switch {
	case ranges == nil:
		return nil, errors.New("no Ranges to read")
	case all < leastMemory:
		return nil, fmt.Errorf("WithMemory must be at least %d bytes, not %d", leastMemory, all)
	case or(o.ReadCost, 0) < 0:
		return nil, fmt.Errorf("WithReadCost must be at least 0, not %d", *o.ReadCost)
	case f.requests < 1:
		return nil, fmt.Errorf("WithConcurrency must be at least 1, not %d", f.requests)
	}
	f.ranges, f.slots = ranges, make(chan struct{}, f.requests)
	f.cache, f.share = newCache(all/2), all/8
	f.working.left, f.opening.left = 2*f.share, f.share
	return f, nil
}

// UseFile makes f the filter in one file, which it opens. A file that is replaced later is an error.
func (f *Filter) UseFile(ctx context.Context, name string) error {
	said := Part{Bytes: -1}
	f.layers = []Layer{{
		Of:   func(uint64) int { return 0 },
		Part: func(int) Part { return said },
		Name: func(int) string { return name },
	}}
	file, err := f.open(ctx, 0)
	if err == nil {
		said = file.said
	}
	return err
}

// UseSet makes f the filters in the layers of a set, whose files it opens when lookups need them.
func (f *Filter) UseSet(name string, layers []Layer) error {
	f.layers = layers
	from := int32(0)
	for i := range layers {
		layers[i].from = from
		from += int32(layers[i].Parts)
	}
	return f.use(name)
}

// use sets the name of the format and key hash.
func (f *Filter) use(name string) error {
	format, hash, err := formats.ParseName(name, f.hash)
	if err == nil {
		f.name, f.format, f.hash = name, format, hash
	}
	return err
}

// ReadText reads a text without zero bytes, which ends with a line feed, and has at most a sixteenth of the memory.
// parse returns an error as long as it is not whole.
func (f *Filter) ReadText(ctx context.Context, name string, parse func(text []byte) error) error {
	const first = 64 << 10
	most := int(min(f.share/2, 256<<20)) // as large as a manifest is
	for text := []byte(nil); len(text) < most; {
		from := len(text)
		text = append(text, make([]byte, min(max(first, from), most-from))...)
		err := f.readUpTo(ctx, name, text[from:], int64(from))
		switch {
		case err == nil && text[len(text)-1] == '\n' && parse(text) == nil:
			return nil
		case err == nil:
			continue
		case !isEOF(err):
			return err
		}
		if text = bytes.TrimRight(text, "\x00"); len(text) == 0 {
			return err
		}
		return parse(text)
	}
	return fmt.Errorf("%s has %d bytes or more, too many for the memory", name, most)
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

func isEnd(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Hash returns the key hash.
func (f *Filter) Hash() keyhash.Hash { return f.hash }

// Counters returns the numbers of reads.
func (f *Filter) Counters() Counters {
	return Counters{f.reader.requestsMade.Load(), f.bytes.Load(), f.hits.Load(), f.failures.Load()}
}

// nameOf returns the layer of a file, its part and its name.
func (f *Filter) nameOf(number int32) (l *Layer, part int) {
	at := 0
	for at+1 < len(f.layers) && f.layers[at+1].from <= number {
		at++
	}
	l = &f.layers[at]
	return l, int(number - l.from)
}
