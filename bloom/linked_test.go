package bloom_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/rates"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestKeysSomeStepsApart looks up hashes that differ from an added one only in
// that their probes are some steps ahead: all but the last of them are set.
func TestKeysSomeStepsApart(t *testing.T) {
	const keys, phi = 20_000, 0x9e3779b9
	b, err := bloom.NewBuilder(40, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	hashes := vectors.Hashes(3, keys)
	b.AddHashes(hashes)
	f, err := b.Filter()
	if err != nil {
		t.Fatal(err)
	}
	data := f.Bytes()
	for steps, factor := 1, uint32(phi); steps <= 4; steps, factor = steps+1, factor*phi {
		found, expected := 0, 0.0
		for _, hash := range hashes {
			if f.ContainsHash(uint64(uint32(hash>>32)*factor)<<32 | hash&math.MaxUint32) {
				found++
			}
		}
		blocks := len(data) / asm.BlockBytes
		for i := range blocks {
			// The blocks of more keys are fuller, and are looked up more often.
			fill := rates.Fill(data[i*asm.BlockBytes:(i+1)*asm.BlockBytes], 0)
			expected += fastlocal.Positions.Keys(fill, f.NumProbes()) * rates.Power(fill, steps)
		}
		if off := float64(found)/expected - 1; math.Abs(off) > 0.08 {
			t.Errorf("%d steps: %d of %d found, expected %.0f", steps, found, keys, expected)
		}
	}
}
