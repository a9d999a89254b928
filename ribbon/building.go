package ribbon

import (
	"math"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
)

// seeds is the number of ordinal seeds.
const seeds = 256

// builder collects keys and builds filters of one layout.
type builder struct {
	building.Keys
	layout layout
}

// newBuilder returns an empty builder. It keeps all hashes in the order of arrival: the first one
// matters for the bytes.
func newBuilder(l layout, hash keyhash.Hash, settings building.Settings) (*builder, error) {
	keys, err := building.NewKeys(hash, settings, func() int { return math.MaxInt })
	if err != nil {
		return nil, err
	}
	return &builder{Keys: keys, layout: l}, nil
}

// first returns the first hash of a builder that has one.
func (b *builder) first() uint64 {
	for hashes := range b.Log().All() {
		return hashes[0]
	}
	panic("ribbon: no hashes")
}

// SizeBytes returns the size of the filter, or math.MaxInt if no int holds it.
func (b *builder) SizeBytes() int {
	if b.Len() == 0 {
		return 0
	}
	return int(min(b.layout.plan(uint64(b.Len()), b.first()).body+trailerBytes, math.MaxInt))
}

// Finish returns the filter in aligned memory and empties the builder. After an error the
// builder has not changed.
func (b *builder) Finish() ([]byte, error) {
	b.Log().Begin()
	defer b.Log().End()
	if b.Len() == 0 {
		return aligned.Make(0), nil
	}
	data := []byte(nil)
	err := b.build(aligned.Slack, func(size int) []byte {
		data = aligned.MakeBy(b.Goroutines(), size)
		return data
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// AppendFinish appends the filter to dst and empties the builder. After an error the builder has
// not changed and dst is returned, whose spare capacity may hold anything.
func (b *builder) AppendFinish(dst []byte) ([]byte, error) {
	b.Log().Begin()
	defer b.Log().End()
	if b.Len() == 0 {
		return dst, nil
	}
	longer := dst
	err := b.build(len(dst), func(size int) []byte {
		longer = slices.Grow(dst, size)[:len(dst)+size]
		clear(longer[len(dst):])
		return longer[len(dst):]
	})
	if err != nil {
		return dst, err
	}
	return longer, nil
}

// build builds the filter of at least one key in memory that it asks for: zero bytes of the
// filter's size. It empties the builder. The given number of bytes must fit a slice besides.
func (b *builder) build(more int, memory func(size int) []byte) error {
	p := b.layout.plan(uint64(b.Len()), b.first())
	if _, err := b.checkedSize(p, more); err != nil {
		return err
	}
	if p.blocks > 0 {
		s := systems.Get().(*system)
		defer s.release()
		goroutines := s.take(b.Log(), b.Goroutines())
		if seed, ok := b.solvable(s, p.blocks, goroutines); ok {
			return b.fill(p, more, memory, func(body, trailer []byte) kernel {
				s.solve(body, p.blocks, goroutines)
				putTrailer(trailer, seed, p.blocks)
				return ribbonKernel(body, p.blocks, seed)
			})
		}
		p = b.layout.fastLocal(uint64(b.Len()))
	}
	probes := p.probes // p itself would be on the heap
	return b.fill(p, more, memory, func(body, trailer []byte) kernel {
		for hashes := range b.Log().All() {
			asm.FastLocalAdd(body, probes, hashes)
		}
		putFastLocalTrailer(trailer, probes)
		return fastLocalKernel(body, probes)
	})
}

// checkedSize returns the size of a planned filter, trailer included.
func (b *builder) checkedSize(p plan, more int) (int, error) {
	return b.CheckSize(p.body+trailerBytes, p.fits(), more)
}

// solvable puts the keys' equations into a system, with the first seed that makes them solvable.
// RocksDB begins with the first hash's low byte.
func (b *builder) solvable(s *system, blocks uint32, goroutines int) (seed byte, ok bool) {
	seed = byte(b.first())
	for range seeds {
		if s.add(blocks, seed, goroutines) {
			return seed, true
		}
		seed++
	}
	return 0, false
}

// fill asks for memory, writes the filter into it, and empties the builder.
func (b *builder) fill(p plan, more int, memory func(size int) []byte, write func(body, trailer []byte) kernel) error {
	size, err := b.checkedSize(p, more)
	if err != nil {
		return err
	}
	data := memory(size)
	k := write(data[:p.body], data[p.body:])
	if b.Verification() && !b.verify(k) {
		return building.ErrVerification
	}
	b.Log().Reset()
	return nil
}

// verify reports whether the filter contains every key.
func (b *builder) verify(k kernel) bool {
	hits := make([]uint64, answers.LongStretch/64)
	for hashes := range b.Log().All() {
		if !building.ContainsAll(&k, hashes, hits) {
			return false
		}
	}
	return true
}
