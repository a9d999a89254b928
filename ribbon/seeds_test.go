package ribbon_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestAll256SeedsAreTried: these hashes, which were found by search, are so close together that
// only the last seed solves their equations. After one seed less the filter would be FastLocal.
func TestAll256SeedsAreTried(t *testing.T) {
	hashes := vectors.Ribbon{Set: "cluster:12800009", N: 240}.Hashes()
	first := byte(hashes[0]) // the seed that is tried first
	b := contract.Ribbon.Builder(t, 23.4, simdbloom.WithVerification())
	b.AddHashes(hashes)
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	trailer := data[len(data)-5:]
	if want := []byte{0xfe, first - 1, 2, 0, 0}; !bytes.Equal(trailer, want) {
		t.Fatalf("trailer %x, want %x: a Ribbon filter of 2 blocks, solved by the last seed", trailer, want)
	}
	if want, ok := naive.Ribbon(hashes, 2*128, len(data)-5, first); !ok || !bytes.Equal(data, want) {
		t.Error("other bytes than the naive builder's")
	}
}

// TestSeedsOfGoroutines: equations that contradict each other are found by several goroutines, too, and the next seed
// is tried: where all are one goroutine's (307), and where they go beyond its part.
func TestSeedsOfGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, seed := range []uint64{23, 122, 307} {
		hashes := vectors.Hashes(seed, 20_000)
		data := contract.Ribbon.Build(t, 5, hashes, simdbloom.WithConcurrency(3), simdbloom.WithVerification())
		if !bytes.Equal(data, contract.Ribbon.Build(t, 5, hashes)) {
			t.Fatalf("seed %d: other bytes than by one goroutine", seed)
		}
		if data[len(data)-4] == byte(hashes[0]) {
			t.Errorf("seed %d: the filter needs no second one", seed)
		}
	}
}
