package policy

import (
	"math"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// format is what a policy's name stands for, apart from the bits per key. What
// is stored for ever depends on it: another format is another name.
type format struct {
	recorded    string
	hash        keyhash.Hash
	batchBlocks int // 0 for FastLocal
}

var (
	fastLocalXX64  = &format{"simdbloom.FastLocal.XX64", keyhash.XX64, 0}
	fastLocalXXPH3 = &format{"simdbloom.FastLocal.XXPH3", keyhash.XXPH3, 0}
	paired128XX64  = &format{"simdbloom.Paired128.XX64", keyhash.XX64, 128}
	paired32XXPH3  = &format{"simdbloom.Paired32.XXPH3", keyhash.XXPH3, 32}
)

// parsed is a Policy as Parse makes it.
type parsed struct {
	*format
	text       string
	bitsPerKey float64
}

func (p *parsed) Name() string { return p.recorded }

func (p *parsed) String() string { return p.text }

func (p *parsed) Hash() keyhash.Hash { return p.hash }

func (p *parsed) NewBuilder(options ...BuilderOption) Builder {
	b, err := p.builder(chosen(options))
	if err != nil {
		panic("policy: " + err.Error())
	}
	return b
}

func (p *parsed) PredictedFPR(n int, options ...BuilderOption) float64 {
	o := chosen(options)
	if _, err := p.builder(o); err != nil {
		return math.NaN()
	}
	switch {
	case !p.filters():
		return 1
	case p.batchBlocks != 0:
		return paired.PredictedFPR(n, p.bitsPerKey, p.pairedOptions(o)...)
	case o.limited:
		return bloom.PredictedFPRWithin(n, p.bitsPerKey, o.maxBytes)
	}
	return bloom.PredictedFPR(n, p.bitsPerKey)
}

// builder returns a builder, or an error for options that are refused. Parse has
// checked all else. Which options are refused does not depend on the bits per key.
func (p *parsed) builder(o builderOptions) (b Builder, err error) {
	bitsPerKey := max(p.bitsPerKey, building.LeastBitsPerKey)
	if p.batchBlocks == 0 {
		b, err = bloom.NewBuilder(bitsPerKey, p.hash, o.bloom...)
	} else {
		b, err = paired.NewBuilder(bitsPerKey, p.hash, p.pairedOptions(o)...)
	}
	if err == nil && !p.filters() {
		b = new(alwaysTrueBuilder)
	}
	return b, err
}

// filters reports whether there are bits enough for a real filter.
func (p *parsed) filters() bool { return p.bitsPerKey >= building.LeastBitsPerKey }

func (p *parsed) pairedOptions(o builderOptions) []paired.Option {
	return append(o.paired, paired.WithBatchBlocks(p.batchBlocks))
}

func (p *parsed) Open(data []byte) (Filter, error) {
	if p.batchBlocks == 0 {
		return opened(bloom.Open(data, p.hash))
	}
	return opened(paired.Open(data, p.hash))
}

// opened keeps a nil pointer from becoming a Filter that is not nil.
func opened[F Filter](f F, err error) (Filter, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (p *parsed) MayContain(data, key []byte) bool {
	return p.MayContainHash(data, p.hash.Sum64(key))
}

func (p *parsed) MayContainHash(data []byte, hash uint64) bool {
	if p.batchBlocks == 0 {
		return bloom.MayContainHash(data, hash)
	}
	return paired.MayContainHash(data, hash)
}
