package paired_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/paired"
	"github.com/simdbloom/simdbloom/internal/rates"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestRemappedProbesMeetTwice counts, in filters of few keys and one probe to a line, the
// positions in both lines, of which one is remapped, that a lookup finds.
func TestRemappedProbesMeetTwice(t *testing.T) {
	const (
		keys  = 100
		batch = 128
		grid  = 512 * 512 // positions in both lines
	)
	filters := 40
	if testing.Short() {
		filters = 10
	}
	index := uint64(paired.IndexBits(batch))
	byChance := 1 - math.Pow(1-float64(index)/512, 2)
	var hashes []uint64
	for block := range uint64(batch) {
		for position := range uint64(grid) {
			if position>>9 < index || position&511 < index {
				hashes = append(hashes, position<<46|1<<45|block<<25|1<<24)
			}
		}
	}
	hits := make([]bool, len(hashes))
	r := rand.New(rand.NewPCG(3, 4))
	met, expected, unlinked := 0, 0.0, 0.0
	for range filters {
		b := contract.Paired128.Builder(t, 2)
		for range keys {
			b.AddHash(r.Uint64())
		}
		f := contract.Must(b.Filter())
		if f.NumProbes() != 2 {
			t.Fatal(f.NumProbes())
		}
		data := f.Bytes()
		f.ContainsHashes(hashes, hits)
		for _, hit := range hits {
			if hit {
				met++
			}
		}
		for line := range batch {
			block := data[64*line : 64*line+64]
			pair := data[64*int(block[0]&(batch-1)):]
			own, other := rates.Fill(block, int(index)), rates.Fill(pair[:64], int(index))
			if own*other > 0 {
				unlinked += grid * own * other * byChance
				expected += grid * (own*other*byChance + paired.Remapped((own+other)/2, batch))
			}
		}
	}
	if off := float64(met)/expected - 1; math.Abs(off) > 0.25 {
		t.Errorf("%d false positives of remapped probes, expected %.0f (were they not linked, %.0f)", met, expected, unlinked)
	}
}

// TestKeysThatShareBitsOfTheirHash looks up hashes that have an added one's lower
// bits, which set all positions in one of the two lines, and for hashes whose
// probes are some steps ahead, so that all but the last are set in both.
func TestKeysThatShareBitsOfTheirHash(t *testing.T) {
	const keys, phi, batch = 20_000, 0x9e3779b9, 128
	r := rand.New(rand.NewPCG(1, 2))
	hashes := vectors.Hashes(3, keys)
	data := contract.Paired128.Build(t, 16, hashes)
	f := contract.Paired128.Opened(t, data)
	half := f.NumProbes() / 2
	share := func(another func(x uint32) uint32) float64 {
		const variants = 10
		found := 0
		for _, hash := range hashes {
			for range variants {
				if f.ContainsHash(uint64(another(uint32(hash>>32)))<<32 | hash&math.MaxUint32) {
					found++
				}
			}
		}
		return float64(found) / (variants * keys)
	}
	// expect is the mean over the lines' keys of a chance that depends on the fill.
	expect := func(chance func(fill float64) float64) float64 {
		sum, weights := 0.0, 0.0
		for at := 0; at+asm.BlockBytes <= len(data); at += asm.BlockBytes {
			fill := rates.Fill(data[at:at+asm.BlockBytes], paired.IndexBits(batch))
			n := paired.PositionsOf(batch).Keys(fill, half)
			sum += n * chance(fill)
			weights += n
		}
		return sum / weights
	}
	check := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got/want-1) > 0.08 {
			t.Errorf("%s: found %.4g of them, expected %.4g", what, got, want)
		}
	}
	check("the same lower bits", share(func(x uint32) uint32 {
		return x&(1<<paired.LowerHashBits-1) | r.Uint32()<<paired.LowerHashBits
	}),
		expect(func(fill float64) float64 { return rates.Power(fill, half) }))
	check("a step ahead", share(func(x uint32) uint32 { return x * phi }),
		expect(func(fill float64) float64 { return fill * fill }))
	phi2 := uint32(phi)
	phi2 *= phi
	check("two steps ahead", share(func(x uint32) uint32 { return x * phi2 }),
		expect(func(fill float64) float64 { return rates.Power(fill, 4) }))
}

// TestPairRateAddsWhatIsLinked takes chance away: ten keys in a pair that is half
// full share their lower bits with 10/2^23 of all hashes, of which half pass the
// other line, and all bits with 10/2^32.
func TestPairRateAddsWhatIsLinked(t *testing.T) {
	const keys, fill = 10, 0.5
	for half, want := range map[int]float64{
		1: keys * (fill/(1<<23) + 1./(1<<32)),
		2: keys * (fill*fill*(1+2*fill)/(1<<23) + (1+2*fill*fill)/(1<<32)),
	} {
		if got := paired.PairRate(1e-30, keys, fill, half, 128); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%d probes a line: %v, want %v", half, got, want)
		}
	}
	// Remapped probes add to what is left to chance.
	if got, want := paired.PairRate(1e-3, 0, 1./16, 1, 128)/1e-3-1, 2*(7./512)*(7./512)*0.06454*0.8789*256; math.Abs(got/want-1) > 0.001 {
		t.Errorf("remapped probes add %v, want %v", got, want)
	}
	if got := paired.PairRate(0.999, 1<<40, 0.9999, 8, 128); got != 1 {
		t.Errorf("more keys than hashes: %v", got)
	}
	for byChance, want := range map[float64]float64{0: 0, 1: 1} {
		if got := paired.PairRate(byChance, keys, fill, 8, 128); got != want {
			t.Errorf("by chance %v: %v", byChance, got)
		}
	}
}

// TestPairOf: the keys of a pair set half of their bits in each of its two lines, where lookups find them by chance.
func TestPairOf(t *testing.T) {
	for _, batch := range []int{32, 128} {
		positions := float64(512 - paired.IndexBits(batch))
		for _, probes := range []int{2, 4, 8, 16} {
			for _, keys := range []float64{40, 80} {
				fill := 1 - math.Pow(1-1/positions, keys*float64(probes)/2)
				want := math.Pow(fill, float64(probes))
				if got := paired.PairOf(keys, batch, probes); math.Abs(got/want-1) > 0.15 { // some keys share bits
					t.Errorf("%v keys in lines of batches of %d, %d probes: %.4g, want %.4g", keys, batch, probes, got, want)
				}
			}
		}
	}
}
