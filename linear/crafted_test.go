package linear_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// crafted return the i-th of many hashes, made of a random one.
var crafted = map[string]func(i, random uint64) uint64{
	"two in turn": func(i, _ uint64) uint64 { return 0x123456789abcdef0 + i%2 },
	"one line":    func(_, random uint64) uint64 { return random&^0xffffffff | 7 },
	"one row":     func(_, random uint64) uint64 { return random&0xffffffff | 7<<32 },
	"counted":     func(i, _ uint64) uint64 { return i },
	// The hashes of the second layer are all in one line, and those of the third.
	"one line later":   func(_, random uint64) uint64 { return before(random&^0xffffffff | 7) },
	"one line, 3rd":    func(_, random uint64) uint64 { return before(before(random&^0xffffffff | 7)) },
	"one row later":    func(_, random uint64) uint64 { return before(random&0xffffffff | 7<<32) },
	"64 rows of a row": func(i, random uint64) uint64 { return random&0xffffffff | i%64<<32 },
}

// before returns the hash whose next one, in the next layer, is given.
func before(hash uint64) uint64 {
	inverse := uint64(1) // of the multiplier, modulo 2^64, by Newton's iteration
	for range 6 {
		inverse *= 2 - 0xd6e8feb86659fd93*inverse
	}
	return (hash<<32 | hash>>32) * inverse
}

// TestCraftedHashes builds filters of many hashes that collide: they contain all of them, and
// take no more than microseconds a key. A builder that took quadratic time would take hours.
func TestCraftedHashes(t *testing.T) {
	n, slow := 1_000_000, raced || os.Getenv("SIMDBLOOM_TEST_EXEC") != "" // an emulator
	if testing.Short() || slow || strconv.IntSize == 32 {
		n = 5_000
	}
	const most = 20 * time.Microsecond // a key, on a slow machine that others use
	for name, hash := range crafted {
		hashes := vectors.Hashes(77, n)
		for i := range hashes {
			hashes[i] = hash(uint64(i), hashes[i])
		}
		b := builder(t, 23.4)
		b.AddHashes(hashes)
		kept := b.Len()
		began := time.Now()
		data, err := b.Finish()
		took := time.Since(began)
		if err != nil {
			t.Fatal(name, err)
		}
		if !slow && took > most*time.Duration(kept)+time.Second {
			t.Errorf("%s: %v for %d keys", name, took, kept)
		}
		f := open(t, data)
		t.Logf("%s: %v a key, %d bits, layers %d, rate %.3g",
			name, took/time.Duration(kept), f.FingerprintBits(), f.Layers(), f.EstimatedFPR())
		if hits := f.AppendHits(nil, hashes); len(hits) != n {
			t.Errorf("%s: %d of %d found", name, len(hits), n)
		}
	}
}

// TestKeysThatNoLayerHolds has a thousand times more keys than a line holds.
func TestKeysThatNoLayerHolds(t *testing.T) {
	b, err := linear.NewBuilder(8, keyhash.XX64, linear.WithMaxBytes(136), linear.WithVerification())
	if err != nil {
		t.Fatal(err)
	}
	hashes := vectors.Hashes(78, 100_000)
	b.AddHashes(hashes)
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, data)
	if hits := f.AppendHits(nil, hashes); len(hits) != len(hashes) || len(data) > 136 || f.FingerprintBits() != 7 {
		t.Errorf("%d of %d found in %d bytes", len(hits), len(hashes), len(data))
	}
}
