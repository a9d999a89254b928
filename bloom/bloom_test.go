package bloom_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/hashing"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

func TestContract(t *testing.T) { contract.Test(t, contract.FastLocal) }

func TestArguments(t *testing.T) { contract.TestArguments(t, contract.FastLocal) }

func TestFigures(t *testing.T) { contract.TestFigures(t, contract.FastLocal) }

// xxph3 has RocksDB's key hash.
var xxph3 = contract.FastLocal.With(keyhash.XXPH3)

func TestBytesAreRocksDBs(t *testing.T) {
	for _, v := range append(vectors.FastLocalRaw(), vectors.FastLocalKeys()...) {
		contract.FastLocal.CheckVector(t, v)
	}
}

func TestSchemaOfRocksDBsOwnTest(t *testing.T) {
	for _, v := range vectors.FastLocalSchema() {
		b := xxph3.Builder(t, v.BitsPerKey)
		b.AddKeys(vectors.Keys("le32", v.From, v.To))
		data := xxph3.Finish(t, b)
		if got := hashing.Signed32(data); got != v.BloomHash || len(data) != v.TotalLen {
			t.Errorf("%v bits/key: %d bytes with hash %d, want %d with %d", v.BitsPerKey, len(data), got, v.TotalLen, v.BloomHash)
		}
		f := xxph3.Opened(t, data)
		if f.NumProbes() != v.NumProbes {
			t.Errorf("%v bits/key: %d probes, want %d", v.BitsPerKey, f.NumProbes(), v.NumProbes)
		}
		last := v.FirstFPs[len(v.FirstFPs)-1]
		absent := vectors.Keys("le32", vectors.FirstFPKey, vectors.FirstFPKey+last+1)
		got := f.AppendHits(nil, keyhash.XXPH3.AppendHashes(nil, absent))
		if fmt.Sprint(got) != fmt.Sprint(v.FirstFPs) {
			t.Errorf("%v bits/key: false positives %v, want %v", v.BitsPerKey, got, v.FirstFPs)
		}
	}
}

func TestFilterOfARealTable(t *testing.T) {
	data := vectors.User1000()
	f := xxph3.Opened(t, data)
	b := xxph3.Builder(t, 10)
	for i, key := range vectors.Keys("user8", 0, 1000) {
		if !f.Contains(key) {
			t.Errorf("key %d is missing", i)
		}
		b.Add(key)
	}
	if built, err := b.Finish(); err != nil || !bytes.Equal(built, data) {
		t.Errorf("the builder's bytes differ from RocksDB's (%v)", err)
	}
}

func TestReadsAsRocksDBReads(t *testing.T) {
	hashes := vectors.Hashes(vectors.NegativeSeed, 64)
	for _, v := range vectors.FastLocalReader() {
		data := v.Data()
		f := xxph3.Opened(t, data)
		for i, hash := range hashes {
			want := v.Matches[i] == '1'
			if f.ContainsHash(hash) != want || bloom.MayContainHash(data, hash) != want {
				t.Errorf("%d bytes of %#x, trailer % x: hash %d: not %v", v.BodyLen, v.BodyFill, v.Trailer, i, want)
			}
		}
	}
}

// TestEveryTrailer goes through every value of each byte of the trailer.
func TestEveryTrailer(t *testing.T) {
	body := make([]byte, 3*64+17)
	for value := range 256 {
		for at := range 5 {
			trailer := []byte{0xff, 0, 6, 0, 0}
			trailer[at] = byte(value)
			want, probes := simdbloom.FastLocal, int(trailer[2])
			switch marker := trailer[0]; {
			case marker == 0xfe:
				want = simdbloom.Ribbon
			case marker >= 1 && marker <= 0x7f:
				want = simdbloom.Legacy
			case marker != 0xff || trailer[1] != 0 || trailer[3] != 0 || trailer[4] != 0,
				probes == 0 || probes > 30:
				want = simdbloom.Reserved
			}
			f := contract.FastLocal.Opened(t, append(bytes.Clone(body), trailer...))
			if f.Format() != want {
				t.Errorf("trailer % x: %s, want %s", trailer, f.Format(), want)
			}
			for _, f := range []*simdbloom.Filter{f, f.CopyAligned()} { // with what is left of a block
				if !bytes.Equal(f.Bytes(), append(bytes.Clone(body), trailer...)) || f.Format() != want {
					t.Errorf("trailer % x: Bytes are others, or %s", trailer, f.Format())
				}
			}
			always := want != simdbloom.FastLocal
			if always {
				probes = 0
			}
			hits := len(f.AppendHits(nil, vectors.Hashes(1, 100)))
			if (hits == 100) != always || f.NumProbes() != probes || f.SizeBytes() != len(body)+5 || (f.EstimatedFPR() == 1) != always {
				t.Errorf("trailer % x: %d of 100 found in zeros, %d probes, %d bytes, estimate %v",
					trailer, hits, f.NumProbes(), f.SizeBytes(), f.EstimatedFPR())
			}
		}
	}
}

func TestShortBodies(t *testing.T) {
	for n := 1; n <= 130; n++ {
		data := append(bytes.Repeat([]byte{0xff}, n), 0xff, 0, 6, 0, 0)
		f, err := bloom.Open(data, keyhash.XX64)
		switch {
		case n < 64 && !errors.Is(err, simdbloom.ErrCorrupt):
			t.Errorf("a body of %d bytes: %v", n, err)
		case n >= 64 && (err != nil || !f.ContainsHash(1)):
			t.Errorf("a body of %d bytes: %v", n, err)
		}
		if !bloom.MayContainHash(data, 1) {
			t.Errorf("a body of %d bytes: MayContainHash said no", n)
		}
		// The body of another kind may be short.
		if f := contract.FastLocal.Opened(t, append(make([]byte, n), 0, 0, 0, 0, 0)); f.Format() != simdbloom.Reserved || !f.ContainsHash(1) {
			t.Errorf("%d bytes and a zero trailer: %s", n, f.Format())
		}
	}
}

// TestEveryNumberOfProbes reads what a builder never writes: every k at many
// sizes, beside memory that may not be touched.
func TestEveryNumberOfProbes(t *testing.T) {
	for k := 1; k <= 30; k++ {
		for _, blocks := range []int{1, 2, 3, 70} {
			added := vectors.Hashes(uint64(k), 5*blocks)
			data := make([]byte, 64*blocks)
			for _, hash := range added {
				naive.FastLocalAdd(data, k, hash)
			}
			asked := append(vectors.Hashes(vectors.NegativeSeed, 300), added...)
			asked = append(asked, 0, 1, 1<<32-1, 1<<32, 1<<64-1)
			var want []int
			for i, hash := range asked {
				if naive.FastLocalContains(data, k, hash) {
					want = append(want, i)
				}
			}
			testmem.BesideGuards(t, append(data, 0xff, 0, byte(k), 0, 0), func(data []byte) {
				f := contract.FastLocal.Opened(t, data)
				if got := f.AppendHits(nil, asked); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("k=%d, %d blocks: batch finds %v, want %v", k, blocks, got, want)
				}
				for i, hash := range asked {
					if f.ContainsHash(hash) != naive.FastLocalContains(data[:64*blocks], k, hash) {
						t.Errorf("k=%d, %d blocks: hash %d alone", k, blocks, i)
					}
				}
			})
		}
	}
}
