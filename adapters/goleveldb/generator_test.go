package goleveldb_test

import (
	"errors"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// failing is a policy whose builders fail once: they are too large by size, or else tell it
// after they have written into the memory.
type failing struct {
	policy.Policy
	size int
}

func (p failing) NewBuilder(...policy.BuilderOption) policy.Builder {
	return &failingBuilder{p.Policy.NewBuilder(), p.size, false}
}

type failingBuilder struct {
	policy.Builder
	size   int
	failed bool
}

func (b *failingBuilder) SizeBytes() int {
	if b.failed {
		return b.Builder.SizeBytes()
	}
	return b.size
}

func (b *failingBuilder) AppendFinish(dst []byte) ([]byte, error) {
	if b.failed {
		return b.Builder.AppendFinish(dst)
	}
	for i := range dst[:cap(dst)] {
		dst[:cap(dst)][i] = 0xaa
	}
	return dst, errors.New("no filter")
}

func (b *failingBuilder) Reset() {
	b.failed = true
	b.Builder.Reset()
}

func TestFailedFiltersMayContainEverything(t *testing.T) {
	present := presentKeys(digests, 100)
	for _, p := range policies(t) {
		for _, size := range []int{0, 1, 69, 2052, math.MaxInt32, math.MaxInt} {
			g := goleveldb.Filter(failing{p, size}).NewGenerator()
			buffer := newDirtyBuffer(3000, 9)
			generate(g, buffer, present)
			data, alone := buffer.filter()
			if size > 3000 {
				size = 0
			}
			if want := size + 6; len(data) != want || !alone {
				t.Errorf("%s: %d bytes, alone %v, want %d", p, len(data), alone, want)
			}
			for _, f := range goleveldb.AltFilters() {
				for i := range 100 {
					if !f.Contains(data, keys(digests).absent(i)) {
						t.Fatalf("%s, read by %s: no", p, f.Name())
					}
				}
			}

			again := newDirtyBuffer(20_000, 0)
			generate(g, again, present[:1])
			data, _ = again.filter()
			want := p.NewBuilder()
			want.Add(present[0])
			if len(data) != want.SizeBytes() || !p.MayContain(data, present[0]) {
				t.Errorf("%s: the next filter has %d bytes, want %d", p, len(data), want.SizeBytes())
			}
		}
	}
}

// prefilled is a policy whose builders have keys with the given hashes.
type prefilled struct {
	policy.Policy
	hashes []uint64
}

func (p prefilled) NewBuilder(...policy.BuilderOption) policy.Builder {
	b := p.Policy.NewBuilder()
	b.AddHashes(p.hashes)
	return b
}

// TestHashesThatFitNoRibbonFilter: the filter is a FastLocal one, which is larger, and has all of them.
func TestHashesThatFitNoRibbonFilter(t *testing.T) {
	p, err := policy.Parse("ribbonfilter:10")
	check(t, err)
	for _, v := range vectors.RibbonRaw() {
		if v.Set != "cluster:111803" {
			continue
		}
		hashes := v.Hashes()
		b := p.NewBuilder()
		b.AddHashes(hashes)
		size := b.SizeBytes()
		buffer := newDirtyBuffer(2*size, 7)
		goleveldb.Filter(prefilled{p, hashes}).NewGenerator().Generate(buffer)
		data, alone := buffer.filter()
		if len(data) == size || !alone {
			t.Errorf("%d bytes, alone %v: not another size", len(data), alone)
		}
		f, err := p.Open(data)
		check(t, err)
		if n := len(f.AppendHits(nil, hashes)); n != len(hashes) || f.EstimatedFPR() == 1 {
			t.Errorf("%d hashes of %d, rate %v", n, len(hashes), f.EstimatedFPR())
		}
		return
	}
	t.Error("no vector that gives up")
}
