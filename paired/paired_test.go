package paired_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// batches are the two batch sizes with what the trailer says of them.
var batches = map[int]byte{32: 0, 128: 7}

// formats are those of the batch sizes.
var formats = map[int]contract.Format{32: contract.Paired32, 128: contract.Paired128}

// anyBatch has the batches that the size decides.
var anyBatch = func() contract.Format {
	f := contract.Paired128
	f.Options = nil
	return f
}()

func TestContract(t *testing.T) {
	for _, f := range []contract.Format{contract.Paired32, contract.Paired128Down} { // both sizes of batches, and both ways of rounding
		t.Run(f.Name, func(t *testing.T) { contract.Test(t, f) })
	}
}

func TestArguments(t *testing.T) {
	for _, f := range []contract.Format{contract.Paired32, contract.Paired128Down} {
		t.Run(f.Name, func(t *testing.T) { contract.TestArguments(t, f) })
	}
}

func TestFigures(t *testing.T) {
	for _, f := range []contract.Format{contract.Paired128, contract.Paired32, contract.Paired128Down, contract.Paired32Down} {
		contract.TestFigures(t, f)
	}
}

func TestBytesAreSpeedbs(t *testing.T) {
	for batch, all := range map[int][]vectors.Built{
		32:  append(vectors.Paired32Raw(), vectors.Paired32Keys()...),
		128: vectors.Paired128Raw(),
	} {
		for _, v := range all {
			if v.IsBottommost {
				formats[batch].CheckVector(t, v, building.WithRoundDown)
			} else {
				formats[batch].CheckVector(t, v)
			}
		}
	}
}

func TestReadsAsSpeedbReads(t *testing.T) {
	hashes := vectors.Hashes(vectors.NegativeSeed, 64)
	for _, v := range vectors.Paired32Reader() {
		data := v.Data()
		f := anyBatch.Opened(t, data)
		for i, hash := range hashes {
			want := v.Matches[i] == '1'
			if f.ContainsHash(hash) != want || paired.MayContainHash(data, hash) != want {
				t.Errorf("%d bytes of %#x, trailer % x: hash %d: not %v", v.BodyLen, v.BodyFill, v.Trailer, i, want)
			}
		}
	}
}

// TestEveryTrailer goes through every value of each byte of the trailer.
func TestEveryTrailer(t *testing.T) {
	for value := range 256 {
		for at := range 4 {
			for batch, mark := range batches {
				trailer := []byte{1, 16, mark, 0}
				trailer[at] = byte(value)
				want, probes := simdbloom.Paired, int(trailer[1])
				if trailer[0] != 1 || probes == 0 || probes > 30 || trailer[2] != 0 && trailer[2] != 7 || trailer[3] != 0 {
					want, probes = simdbloom.Reserved, 0
				}
				switch {
				case want == simdbloom.Reserved:
					batch = 0
				case at == 2:
					batch = map[byte]int{0: 32, 7: 128}[trailer[2]]
				}
				body := naive.PairedOf(2*128/max(batch, 32), nil, 2, max(batch, 32))
				body = body[:len(body)-4]
				always := probes < 2 // then no probe is in a block
				if always {
					probes = 0
				}
				f := anyBatch.Opened(t, append(bytes.Clone(body), trailer...))
				if f.Format() != want || f.NumProbes() != probes || geometry.Of(f).BatchBlocks != batch || f.SizeBytes() != len(body)+4 {
					t.Errorf("trailer % x: %s, %d probes, batches of %d", trailer, f.Format(), f.NumProbes(), geometry.Of(f).BatchBlocks)
				}
				hits := len(f.AppendHits(nil, vectors.Hashes(1, 100)))
				if (hits == 100) != always || (f.EstimatedFPR() == 1) != always {
					t.Errorf("trailer % x: %d of 100 found in zeros, estimate %v", trailer, hits, f.EstimatedFPR())
				}
			}
		}
	}
}

func TestBodiesThatAreNoBatches(t *testing.T) {
	for batch, mark := range batches {
		whole := batch * 64
		for _, n := range []int{1, 2, 31, 63, 64, 65, 100, 2047, 2048, 2049, 4096, 8191, 8192, 8193, 8256, 10240, 16384} {
			data := append(bytes.Repeat([]byte{0xff}, n), 1, 16, mark, 0)
			f, err := paired.Open(data, keyhash.XX64)
			switch {
			case n%whole != 0 && !errors.Is(err, simdbloom.ErrCorrupt):
				t.Errorf("batches of %d, a body of %d bytes: %v", batch, n, err)
			case n%whole == 0 && (err != nil || !f.ContainsHash(1)):
				t.Errorf("batches of %d, a body of %d bytes: %v", batch, n, err)
			}
			if !paired.MayContainHash(data, 1) {
				t.Errorf("batches of %d, a body of %d bytes: MayContainHash said no", batch, n)
			}
			// The body of another kind may have any length.
			if f := anyBatch.Opened(t, append(make([]byte, n), 0, 0, 0, 0)); f.Format() != simdbloom.Reserved || !f.ContainsHash(1) {
				t.Errorf("%d bytes and a zero trailer: %s", n, f.Format())
			}
		}
	}
}

// TestHostilePairIndexes has every block of a filter point to each block of its
// batch in turn, itself included, and to random ones, with the filter beside
// memory that may not be touched. The answers are those of the naive reader.
func TestHostilePairIndexes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for batch, mark := range batches {
		for round := range batch + 20 {
			k := 2 + round%29
			data := make([]byte, (1+round%3)*batch*64)
			for i := range data {
				data[i] = byte(r.Uint32() | r.Uint32()) // three bits in four are set
			}
			for block := 0; block < len(data); block += 64 {
				pair := byte(round)
				if round >= batch {
					pair = byte(r.Uint32())
				}
				data[block] = data[block]&^byte(batch-1) | pair&byte(batch-1)
			}
			asked := append(vectors.Hashes(uint64(round), 500), 0, 1, 1<<32-1, 1<<32, 1<<64-1)
			var want []int
			for i, hash := range asked {
				if naive.PairedContains(data, batch, k, hash) {
					want = append(want, i)
				}
			}
			testmem.BesideGuards(t, append(data, 1, byte(k), mark, 0), func(data []byte) {
				f := anyBatch.Opened(t, data)
				if got := f.AppendHits(nil, asked); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("batches of %d, k=%d: batch finds %v, want %v", batch, k, got, want)
				}
				for i, hash := range asked[:100] {
					if got := f.ContainsHash(hash); got != naive.PairedContains(data[:len(data)-4], batch, k, hash) {
						t.Errorf("batches of %d, k=%d: hash %d alone: %v", batch, k, i, got)
					}
				}
				if err := paired.Verify(f); !errors.Is(err, simdbloom.ErrCorrupt) {
					t.Errorf("batches of %d, all paired with %d: Verify says %v", batch, round, err)
				}
				f.EstimatedFPR()
			})
		}
	}
}

// TestEveryNumberOfProbes reads every k, the odd ones, which no builder writes,
// included.
func TestEveryNumberOfProbes(t *testing.T) {
	for batch, mark := range batches {
		for k := 1; k <= 30; k++ {
			for _, n := range []int{1, 2, 4} {
				added := vectors.Hashes(uint64(k), 10*batch*n)
				data := naive.Paired(added, n*batch*512*1000/len(added), k, batch, true)
				if len(data) != n*batch*64+4 || data[len(data)-2] != mark {
					t.Fatal("the naive filter is not what this test needs")
				}
				asked := append(vectors.Hashes(vectors.NegativeSeed, 300), added[:300]...)
				var want []int
				for i, hash := range asked {
					if naive.PairedContains(data[:len(data)-4], batch, k, hash) {
						want = append(want, i)
					}
				}
				testmem.BesideGuards(t, data, func(data []byte) {
					f := anyBatch.Opened(t, data)
					if got := f.AppendHits(nil, asked); fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("batches of %d, k=%d: batch finds %v, want %v", batch, k, got, want)
					}
					for _, hash := range asked {
						if f.ContainsHash(hash) != naive.PairedContains(data[:len(data)-4], batch, k, hash) {
							t.Errorf("batches of %d, k=%d: hash %#x alone", batch, k, hash)
						}
					}
				})
			}
		}
	}
}

func TestVerifyFindsOnePairThatIsNone(t *testing.T) {
	data := contract.Paired128.Build(t, 16, vectors.Hashes(1, 10_000))
	if err := paired.Verify(anyBatch.Opened(t, data)); err != nil {
		t.Fatal(err)
	}
	for _, block := range []int{0, 1, 127, 128, len(data)/64 - 1} {
		for flip := byte(1); flip < 128; flip <<= 1 {
			data[block*64] ^= flip
			if err := paired.Verify(anyBatch.Opened(t, data)); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("line %d paired with another: %v", block, err)
			}
			if err := paired.Verify(contract.LevelDB.Opened(t, data)); err != nil {
				t.Errorf("line %d, as a filter of another format: %v", block, err)
			}
			data[block*64] ^= flip
		}
		data[block*64] ^= 128 // a Bloom bit
		if err := paired.Verify(anyBatch.Opened(t, data)); err != nil {
			t.Errorf("another Bloom bit in line %d: %v", block, err)
		}
		data[block*64] ^= 128
	}
	for _, always := range [][]byte{nil, make([]byte, 6)} {
		if err := paired.Verify(anyBatch.Opened(t, always)); err != nil {
			t.Errorf("%d bytes: %v", len(always), err)
		}
	}
}
