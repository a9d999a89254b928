package linear

import (
	"math"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/linearplan"
	"github.com/simdbloom/simdbloom/keyhash"
)

// mostLinear is how many hashes a builder keeps before it puts them into lists: a mebibyte.
const mostLinear = 1 << 17

// builder collects keys and builds filters of one layout.
type builder struct {
	building.Keys
	layout   layout
	attempts attempts
}

func newBuilder(l layout, hash keyhash.Hash, settings building.Settings) (*builder, error) {
	keys, err := building.NewKeys(hash, settings, func() int {
		return building.MostLinear(mostLinear, func(hashes uint64) uint64 { return l.lines(hashes) * asm.BlockBytes })
	})
	if err != nil {
		return nil, err
	}
	return &builder{Keys: keys, layout: l}, nil
}

// SizeBytes returns the largest size of the filter, or math.MaxInt if no int holds it.
func (b *builder) SizeBytes() int {
	return int(min(mostBytes(b.layout.lines(uint64(b.Len()))), math.MaxInt))
}

// Finish returns the filter in aligned memory and empties the builder. After an error the
// builder has not changed.
func (b *builder) Finish() ([]byte, error) {
	b.Log().Begin()
	defer b.Log().End()
	r, lines := b.plan()
	size, err := b.checkedSize(lines, aligned.Slack)
	if err != nil {
		return nil, err
	}
	data, err := b.fill(aligned.MakeBy(b.Goroutines(), size)[:0], r, lines)
	if err != nil {
		return nil, err
	}
	return slices.Clip(data), nil
}

// AppendFinish appends the filter to dst and empties the builder. After an error the builder
// has not changed and dst is returned, whose spare capacity may hold anything.
func (b *builder) AppendFinish(dst []byte) ([]byte, error) {
	b.Log().Begin()
	defer b.Log().End()
	r, lines := b.plan()
	size, err := b.checkedSize(lines, len(dst))
	if err != nil {
		return dst, err
	}
	longer := slices.Grow(dst, size)
	data, err := b.fill(longer[len(dst):len(dst):len(dst)+size], r, lines)
	if err != nil {
		return dst, err
	}
	return longer[:len(dst)+len(data)], nil
}

// plan returns the number of bits in a fingerprint and the most lines of the filter.
func (b *builder) plan() (r int, lines uint64) {
	keys := uint64(b.Len())
	if keys == 0 {
		return asm.MostLinearBits, 0
	}
	return b.layout.plan(keys)
}

func (b *builder) checkedSize(lines uint64, more int) (int, error) {
	return b.CheckSize(mostBytes(lines), lines <= linearplan.MaxLines, more)
}

// fill writes the filter into memory that has room for it, and empties the builder.
func (b *builder) fill(memory []byte, r int, lines uint64) ([]byte, error) {
	b.Log().Flush()
	a := &b.attempts
	a.begin(b.Log(), b.Goroutines())
	defer a.end()
	body := memory[:lines*asm.BlockBytes]
	layers, r := a.build(body, r, lines)
	body = body[:linesOf(layers)*asm.BlockBytes]
	if b.Verification() && !a.verify(asm.NewLinear(body, layers, r)) {
		return nil, building.ErrVerification
	}
	b.Log().Reset()
	return appendTrailer(body, layers, r), nil
}
