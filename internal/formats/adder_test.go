package formats_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// TestAdders adds keys to bodies that goroutines share, of which a copy is read, and to others. A full body has a rate
// of 1, whatever its number of probes.
func TestAdders(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	hashes := make([]uint64, 5000)
	for i := range hashes {
		hashes[i] = random.Uint64()
	}
	const probes, size = 6, 6400
	for format, millibits := range map[asm.Format]int{asm.FastLocal: 8301, asm.SplitBlock: 10_000, asm.Blobloom: 8301} {
		of, err := formats.AdderOf(format)
		if err != nil || of.Millibits(probes) != millibits {
			t.Fatalf("%s: %d thousandths of a bit per key, %v", formats.NameOf(format), of.Millibits(probes), err)
		}
		for _, shared := range []bool{false, true} {
			kernel, copied := of.NewKernel(aligned.Make(size), probes, shared), make([]byte, size)
			kernel.EnableAdd()
			kernel.AddAll(hashes)
			read := kernel.Read(copied, 0)
			if isCopy := &read[0] == &copied[0]; isCopy != shared {
				t.Errorf("%s, shared is %v: a copy is read: %v", formats.NameOf(format), shared, isCopy)
			}
			if keys := of.EstimatedKeys(rates.SetBits(read), size, probes) / float64(len(hashes)); !(keys > 0.95 && keys < 1.05) {
				t.Errorf("%s, shared is %v: %v times the keys are estimated", formats.NameOf(format), shared, keys)
			}
		}
		for probes := 1; probes <= asm.MaxProbes+1; probes++ {
			if rate := formats.EstimatedOfBlocks(format, bytes.Repeat([]byte{math.MaxUint8}, 128), probes); rate != 1 {
				t.Errorf("%s, full, %d probes: %v", formats.NameOf(format), probes, rate)
			}
		}
	}
}
