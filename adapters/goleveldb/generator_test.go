package goleveldb_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// failing is how filters are built that cannot be built at first: they are too large by size, or else
// the builder tells it after it has written into the memory. Later filters are the number of keys.
type failing struct {
	building.InOrder
	size   uint64
	failed bool
}

func (f *failing) Size(*hashlog.Log) (bytes uint64, allowed bool) {
	if f.failed {
		return 1, true
	}
	return f.size, true
}

func (f *failing) Build(log *hashlog.Log, _ int, memory building.Memory) ([]byte, error) {
	data, err := memory(f.Size(log))
	if err != nil {
		return nil, err
	}
	if f.failed {
		data[0] = byte(log.Len())
		return data, nil
	}
	for i := range data {
		data[i] = 0xaa
	}
	return nil, errors.New("no filter")
}

func TestFailedFiltersMayContainEverything(t *testing.T) {
	present := presentKeys(digests, 100)
	for _, p := range policies(t) {
		for _, size := range []uint64{0, 1, 69, 2052, math.MaxInt32, math.MaxInt} {
			scheme := &failing{size: size}
			b, err := simdbloom.NewBuilder(p.Format(), scheme, p.Hash(), building.Defaults(), nil)
			check(t, err)
			g := goleveldb.Filter(p).NewGenerator()
			*goleveldb.BuilderOf(g) = b
			buffer := newDirtyBuffer(3000, 9)
			generate(g, buffer, present)
			data, alone := buffer.filter()
			wrote := 0 // zeros in place of what the builder wrote
			if size < 3000 && p.Format() != simdbloom.Linear && p.Format() != simdbloom.Ribbon {
				wrote = int(size)
			}
			if want := wrote + 6; len(data) != want || !alone {
				t.Errorf("%s: %d bytes, alone %v, want %d", p, len(data), alone, want)
			}
			for _, f := range goleveldb.AltFilters() {
				for i := range 100 {
					if !f.Contains(data, keys(digests).absent(i)) {
						t.Fatalf("%s, read by %s: no", p, f.Name())
					}
				}
			}

			scheme.failed = true
			again := newDirtyBuffer(1, 0)
			generate(g, again, present[:3])
			if data, _ := again.filter(); !bytes.Equal(data, []byte{3}) {
				t.Errorf("%s: the next filter is % x", p, data)
			}
		}
	}
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
		g := goleveldb.Filter(p).NewGenerator()
		b := *goleveldb.BuilderOf(g)
		b.AddHashes(hashes)
		size := b.SizeBytes()
		buffer := newDirtyBuffer(2*size, 7)
		g.Generate(buffer)
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
