package simdbloom_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestAddersBytesAreABuilders adds the same keys in all ways.
func TestAddersBytesAreABuilders(t *testing.T) {
	each := func(add func(g adder, i int)) func(adder, int) {
		return func(g adder, n int) {
			for i := range n {
				add(g, i)
			}
		}
	}
	eachKind(t, func(t *testing.T, k kind) {
		keys := vectors.Keys("le64", 0, 9000)
		hashes := keyhash.XX64.AppendHashes(nil, keys)
		values := make([]uint64, len(keys))
		for i := range values {
			values[i] = uint64(i)
		}
		ways := map[string]func(g adder, n int){
			"Add":       each(func(g adder, i int) { g.Add(keys[i]) }),
			"AddString": each(func(g adder, i int) { g.AddString(string(keys[i])) }),
			"AddUint64": each(func(g adder, i int) { g.AddUint64(uint64(i)) }),
			"AddHash":   each(func(g adder, i int) { g.AddHash(hashes[i]) }),
			"AddIfAbsent": each(func(g adder, i int) {
				if before := g.Contains(keys[i]); g.AddIfAbsent(keys[i]) == before || g.AddIfAbsent(keys[i]) {
					t.Fatalf("AddIfAbsent is not %v, or twice true", !before)
				}
			}),
			"AddStringIfAbsent": each(func(g adder, i int) {
				if before, key := g.Contains(keys[i]), string(keys[i]); g.AddStringIfAbsent(key) == before || g.AddStringIfAbsent(key) {
					t.Fatalf("AddStringIfAbsent is not %v, or twice true", !before)
				}
			}),
			"AddHashIfAbsent": each(func(g adder, i int) {
				if before := g.ContainsHash(hashes[i]); g.AddHashIfAbsent(hashes[i]) == before || g.AddHashIfAbsent(hashes[i]) {
					t.Fatalf("AddHashIfAbsent is not %v, or twice true", !before)
				}
			}),
			"AddKeys":   func(g adder, n int) { g.AddKeys(nil); g.AddKeys(keys[:n]) },
			"AddHashes": func(g adder, n int) { g.AddHashes(nil); g.AddHashes(hashes[:n]) },
			"AddColumn": func(g adder, n int) {
				g.AddColumn(keyhash.Column{})
				g.AddColumn(keyhash.Values(values[:n/2]))
				g.AddColumn(keyhash.Values(values[n/2 : n]))
			},
			"AddColumnIfAbsent": func(g adder, n int) {
				g.AddColumnIfAbsent(keyhash.Values(values[:n]), make([]uint64, (n+63)/64))
			},
			"by few": func(g adder, n int) {
				for some := range slices.Chunk(keys[:n], 5) {
					g.AddKeys(some)
				}
			},
		}
		for _, n := range []int{1, 2, 50, 52, 1000, 9000} {
			settings := []float64{0.5, 1, 3, 10, 23.4, 40, 100}
			if n == 9000 { // more than in one of the kernels' calls, with one probe, many and few
				settings = []float64{1, 40, 10}
				if contract.Slow || testing.Short() {
					settings = settings[:2]
				}
			}
			for _, bpk := range settings {
				want := k.format.Build(t, bpk, hashes[:n])
				for way, add := range ways {
					g := k.of(t, n, bpk)
					add(g, n)
					if !bytes.Equal(g.Bytes(), want) || !bytes.Equal(g.Snapshot().Bytes(), want) {
						t.Errorf("%d keys, %v bits/key, %s: other bytes than the builder's", n, bpk, way)
					}
				}
			}
		}
	})
}

func TestAddersFromStoredBytes(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		hashes := vectors.Hashes(7, 2000)
		trailer := len(k.format.Trailer(0))
		for _, more := range []int{0, 17} { // bytes that are left of a block
			if more > 0 && trailer == 0 {
				continue
			}
			stored := k.of(t, 2000, 10)
			stored.AddHashes(hashes[:1000])
			n := stored.SizeBytes() - trailer
			data := slices.Concat(stored.Bytes()[:n], bytes.Repeat([]byte{42}, more), stored.Bytes()[n:])
			before := bytes.Clone(data)
			g, err := k.open(data, keyhash.XX64)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(g.Bytes(), data) || g.NumProbes() != stored.NumProbes() || g.Hash() != keyhash.XX64 {
				t.Error("other bytes, probes or hash than stored")
			}
			g.AddHashes(hashes[1000:])
			stored.AddHashes(hashes[1000:])
			if got := g.Bytes(); !bytes.Equal(got[:n], stored.Bytes()[:n]) || !bytes.Equal(got[n:], before[n:]) || !bytes.Equal(data, before) {
				t.Error("other bytes than without storing, or the stored ones have changed")
			}
			if f := k.format.Opened(t, g.Bytes()); len(f.AppendHits(nil, hashes)) != 2000 {
				t.Error("keys are missing")
			}
		}
	})
}

func TestFormatsWithoutAdders(t *testing.T) {
	for _, k := range kinds {
		for says, data := range map[string][]byte{
			"make a new one":                {},
			"filters only, not to reserved": make([]byte, 6),
			"not to Legacy":                 append(make([]byte, 64), 6, 0, 0, 0, 0),
			"not to Ribbon":                 append(make([]byte, 64), 0xfe, 0, 0, 0, 0),
		} {
			if g, err := k.open(data, keyhash.XX64); err == nil || errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s of %d bytes: %v, %v", k.name, len(data), g, err)
			}
		}
		for _, data := range [][]byte{{1, 2, 3}, append(make([]byte, 60), 0xff, 0, 6, 0, 0)} {
			if _, err := k.open(data, keyhash.XX64); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s of %d bytes: %v", k.name, len(data), err)
			}
		}
		if _, err := k.open(vectors.User1000(), keyhash.Hash{}); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s with the zero Hash: %v", k.name, err)
		}
	}
}

// TestOpenAdderTakesTheHashesOfNewMutable has all formats and hashes. With one of 32 bits, FastLocal's keys would have
// one bit.
func TestOpenAdderTakesTheHashesOfNewMutable(t *testing.T) {
	own := keyhash.New("adder", func(key []byte) uint64 { return keyhash.XX64.Sum64(key) })
	hashes := []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32, keyhash.LevelDB32, own}
	for _, format := range contract.Formats() {
		for _, hash := range hashes {
			for _, k := range kindsOf(format) {
				_, want := k.empty(100, 10, hash)
				_, err := k.open(format.Framed(make([]byte, format.UnitBytes)), hash)
				if fmt.Sprint(err) != fmt.Sprint(want) {
					t.Errorf("%s, %s of the hash %q: %v, but a new one: %v", format.Name, k.name, hash.Name(), err, want)
				}
			}
		}
	}
	for _, format := range contract.Adders() {
		narrow := contract.Must(simdbloom.Open(format.Format, format.Framed(make([]byte, format.UnitBytes)), keyhash.RocksDB32))
		file := contract.Must(narrow.MarshalBinary())
		for _, k := range kindsOf(format) {
			if err := k.zero().UnmarshalBinary(file); !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), "32 bits") {
				t.Errorf("%s, %s of a file that records a hash of 32 bits: %v", format.Name, k.name, err)
			}
		}
	}
}

func TestNewAdderRefuses(t *testing.T) {
	refused := func(k kind, keys int, bpk float64, hash keyhash.Hash, says ...string) {
		_, err := k.empty(keys, bpk, hash)
		for _, say := range append(says, "simdbloom: ") {
			if err == nil || !strings.Contains(err.Error(), say) {
				t.Errorf("%s of %d keys at %v bits/key: %v, want %q", k.name, keys, bpk, err, say)
			}
		}
		if tooLarge := slices.Contains(says, "larger than"); errors.Is(err, simdbloom.ErrTooLarge) != tooLarge {
			t.Errorf("%s of %d keys at %v bits/key: %v", k.name, keys, bpk, err)
		}
	}
	for _, k := range kinds {
		for _, bpk := range []float64{0, 0.4999, -1, math.Inf(1)} {
			refused(k, 1, bpk, keyhash.XX64, "bits per key must be at least 0.5")
		}
		refused(k, 1, math.NaN(), keyhash.XX64, "no setting has that rate")
		refused(k, 1, 10, keyhash.Hash{}, "Hash")
		refused(k, -1, 10, keyhash.XX64, "at least 0, not -1")
		refused(k, math.MinInt, 10, keyhash.XX64, "at least 0")
		if strconv.IntSize == 64 {
			keys := uint64(5_000_000_000)
			refused(k, int(keys), 10, keyhash.XX64, "larger than", "room for 3435973785 keys", "put the keys into several filters by their hashes")
		}
		refused(k, math.MaxInt, 100, keyhash.XX64, "larger than")
		if g := k.of(t, 0, 10); g.SizeBytes() != 69 || g.EstimatedKeys() != 0 || g.EstimatedFPR() != 0 || g.Full() {
			t.Errorf("%s of 0 keys: %d bytes, %v keys", k.name, g.SizeBytes(), g.EstimatedKeys())
		}
		for name, use := range map[string]func(g adder){
			"AddHash":           func(g adder) { g.AddHash(1) },
			"AddHashes":         func(g adder) { g.AddHashes([]uint64{1}) },
			"AddHashIfAbsent":   func(g adder) { g.AddHashIfAbsent(1) },
			"AddStringIfAbsent": func(g adder) { g.AddStringIfAbsent("") },
			"Add":               func(g adder) { g.Add(nil) },
			"AddColumn":         func(g adder) { g.AddColumn(keyhash.Values([]uint64{1})) },
			"AddColumnIfAbsent": func(g adder) { g.AddColumnIfAbsent(keyhash.Values([]uint64{1}), []uint64{0}) },
			"ContainsHash":      func(g adder) { g.ContainsHash(1) },
		} {
			if said := contract.Panic(func() { use(k.zero()) }); said == "" {
				t.Errorf("%s of the zero %s: no panic", name, k.name)
			}
		}
	}
	for _, format := range []simdbloom.Format{simdbloom.Reserved, simdbloom.Empty, simdbloom.Paired, simdbloom.Linear, simdbloom.Ribbon, simdbloom.Legacy, simdbloom.LevelDB, 99} {
		_, err := simdbloom.NewMutable(format, 1, 10, keyhash.XX64)
		_, err2 := simdbloom.NewConcurrent(format, 1, 10, keyhash.XX64)
		if err == nil || err2 == nil || !strings.Contains(err.Error(), format.String()) {
			t.Errorf("a %v filter that accepts keys: %v, %v", format, err, err2)
		}
	}
}

// TestNewAdderForFPR: the bits per key are those of BitsPerKeyFor.
func TestNewAdderForFPR(t *testing.T) {
	type sized interface {
		SizeBytes() int
		PredictedFPR(keys int) float64
	}
	for _, keys := range []int{0, 1, 7, 1000, 300_000} {
		for _, fpr := range []float64{0.5, 0.01, 0.0003} {
			want := contract.Must(bloom.NewMutable(keys, bloom.BitsPerKeyFor(max(keys, 1), fpr), keyhash.XX64))
			for _, got := range []sized{contract.Must(bloom.NewMutableForFPR(keys, fpr, keyhash.XX64)), contract.Must(bloom.NewConcurrentForFPR(keys, fpr, keyhash.XX64))} {
				if got.SizeBytes() != want.SizeBytes() || got.PredictedFPR(keys) > fpr {
					t.Errorf("%d keys at %v: %d bytes, want %d, %v", keys, fpr, got.SizeBytes(), want.SizeBytes(), got.PredictedFPR(keys))
				}
			}
		}
	}
	for _, fpr := range []float64{0, 1, -0.01, 1.5, 1e-300, math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := bloom.NewMutableForFPR(1000, fpr, keyhash.XX64)
		_, err2 := bloom.NewConcurrentForFPR(1000, fpr, keyhash.XX64)
		want := fmt.Sprintf("simdbloom: the false-positive rate must be above 0 and below 1, not %v", fpr)
		if fpr == 1e-300 {
			want = "simdbloom: no filter of 1000 keys has a false-positive rate of 1e-300"
		}
		if fmt.Sprint(err) != want || fmt.Sprint(err2) != want {
			t.Errorf("a rate of %v: %v, %v", fpr, err, err2)
		}
	}
	for _, keys := range []int{-1, math.MinInt, math.MaxInt} {
		if _, err := bloom.NewMutableForFPR(keys, 0.01, keyhash.XX64); err == nil {
			t.Errorf("%d keys are no error", keys)
		}
	}
	if _, err := bloom.NewMutableForFPR(10, 0.01, keyhash.Hash{}); err == nil {
		t.Error("the zero Hash is no error")
	}
}
