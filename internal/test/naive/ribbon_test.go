package naive_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// mostRibbon is the number of hashes up to which the naive builder takes little time.
const mostRibbon = 5000

// TestRibbon compares the naive reading of RocksDB's Ribbon filter with RocksDB's own.
func TestRibbon(t *testing.T) {
	for _, want := range vectors.RibbonRaw() {
		if want.Kind != "ribbon" || want.N > mostRibbon {
			continue
		}
		hashes := want.Hashes()
		data, ok := naive.Ribbon(hashes, int(128*want.NumBlocks), want.TotalLen-5, byte(hashes[0]))
		checkRibbon(t, want, data, ok)
	}
	for _, want := range vectors.RibbonSized() {
		if want.N > mostRibbon {
			continue
		}
		data, ok := naive.Ribbon(want.Hashes(), int(want.NumSlots), want.BodyLen, want.FirstSeed)
		checkRibbon(t, want, data, ok)
	}
}

func checkRibbon(t *testing.T, want vectors.Ribbon, data []byte, ok bool) {
	t.Helper()
	if want.Kind == "fail" {
		if ok {
			t.Errorf("n=%d, %d slots: a seed works", want.N, want.NumSlots)
		}
		return
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], want.SHA256) {
		t.Errorf("%s, n=%d, %v bits/key: other bytes", want.Set, want.N, want.BitsPerKey)
		return
	}
	for i, hash := range vectors.Hashes(vectors.NegativeSeed, 64) {
		if naive.RibbonContains(data, hash) != (want.First[i] == '1') {
			t.Errorf("%s, n=%d, %v bits/key: answer %d is wrong", want.Set, want.N, want.BitsPerKey, i)
		}
	}
}

func TestRibbonReader(t *testing.T) {
	hashes := vectors.Hashes(vectors.NegativeSeed, 256)
	for _, read := range vectors.RibbonReader() {
		if read.Trailer[0] != 0xfe || read.BodyLen == 0 {
			continue
		}
		hits := make([]bool, len(hashes))
		for i, hash := range hashes {
			hits[i] = naive.RibbonContains(read.Data(), hash)
		}
		if err := read.CheckAnswers(hits); err != nil {
			t.Errorf("%d bytes of %s, trailer %x: %v", read.BodyLen, read.BodyFill, read.Trailer, err)
		}
	}
}
