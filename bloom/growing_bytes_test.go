package bloom_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestGrowingBytesAreABuilders adds the same keys in all ways.
func TestGrowingBytesAreABuilders(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		for _, n := range []int{1, 2, 50, 52, 1000, 9000} {
			for _, bpk := range []float64{0.5, 1, 3, 10, 23.4, 40, 100} {
				keys := vectors.Keys("user8", 0, n)
				b := builder(t, bpk, keyhash.XX64)
				b.AddKeys(keys)
				want := finished(t, b)
				hashes := keyhash.XX64.AppendHashes(nil, keys)
				for way, add := range map[string]func(g growing){
					"Add": func(g growing) {
						for _, key := range keys {
							g.Add(key)
						}
					},
					"AddString": func(g growing) {
						for _, key := range keys {
							g.AddString(string(key))
						}
					},
					"AddHash": func(g growing) {
						for _, hash := range hashes {
							g.AddHash(hash)
						}
					},
					"AddIfAbsent": func(g growing) {
						for _, key := range keys {
							if before := g.Contains(key); g.AddIfAbsent(key) == before {
								t.Fatalf("AddIfAbsent is %v, and Contains was", before)
							}
						}
					},
					"AddHashIfAbsent": func(g growing) {
						for _, hash := range slices.Concat(hashes, hashes) {
							if before := g.ContainsHash(hash); g.AddHashIfAbsent(hash) == before {
								t.Fatalf("AddHashIfAbsent is %v, and ContainsHash was", before)
							}
						}
					},
					"AddKeys":   func(g growing) { g.AddKeys(nil); g.AddKeys(keys) },
					"AddHashes": func(g growing) { g.AddHashes(nil); g.AddHashes(hashes) },
					"by few": func(g growing) {
						for some := range slices.Chunk(keys, 5) {
							g.AddKeys(some)
						}
					},
				} {
					g := k.of(t, n, bpk)
					add(g)
					if !bytes.Equal(g.Bytes(), want) || !bytes.Equal(g.Snapshot().Bytes(), want) {
						t.Errorf("%d keys, %v bits/key, %s: other bytes than the builder's", n, bpk, way)
					}
				}
			}
		}
	})
}

func TestGrowingFromStoredBytes(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		hashes := vectors.Hashes(7, 2000)
		for _, more := range []int{0, 17} { // bytes that are left of a block
			stored := k.of(t, 2000, 10)
			stored.AddHashes(hashes[:1000])
			n := stored.SizeBytes() - 5
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
			if f := open(t, g.Bytes(), keyhash.XX64); len(f.AppendHits(nil, hashes)) != 2000 {
				t.Error("keys are missing")
			}
		}
	})
}

func TestWhatCannotGrow(t *testing.T) {
	for _, k := range kinds {
		for says, data := range map[string][]byte{
			"make a new one": {},
			"FastLocal filters only, and this one is reserved": make([]byte, 6),
			"this one is legacy": append(make([]byte, 64), 6, 0, 0, 0, 0),
			"this one is Ribbon": append(make([]byte, 64), 0xfe, 0, 0, 0, 0),
		} {
			if g, err := k.open(data, keyhash.XX64); err == nil || errors.Is(err, bloom.ErrCorrupt) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s of %d bytes: %v, %v", k.name, len(data), g, err)
			}
		}
		for _, data := range [][]byte{{1, 2, 3}, append(make([]byte, 60), 0xff, 0, 6, 0, 0)} {
			if _, err := k.open(data, keyhash.XX64); !errors.Is(err, bloom.ErrCorrupt) {
				t.Errorf("%s of %d bytes: %v", k.name, len(data), err)
			}
		}
		if _, err := k.open(vectors.User1000(), keyhash.Hash{}); err == nil || errors.Is(err, bloom.ErrCorrupt) {
			t.Errorf("%s with the zero Hash: %v", k.name, err)
		}
	}
}

func TestNewGrowingRefuses(t *testing.T) {
	for _, k := range kinds {
		for _, bpk := range []float64{0, 0.4999, -1, math.NaN(), math.Inf(1)} {
			_, want := bloom.NewBuilder(bpk, keyhash.XX64)
			if _, err := k.empty(1, bpk, keyhash.XX64); fmt.Sprint(err) != fmt.Sprint(want) {
				t.Errorf("%s of %v bits/key: %v, want %v", k.name, bpk, err, want)
			}
		}
		_, want := bloom.NewBuilder(10, keyhash.Hash{})
		if _, err := k.empty(1, 10, keyhash.Hash{}); fmt.Sprint(err) != fmt.Sprint(want) {
			t.Errorf("%s with the zero Hash: %v, want %v", k.name, err, want)
		}
		for _, keys := range []int{-1, math.MinInt} {
			if _, err := k.empty(keys, 10, keyhash.XX64); err == nil || errors.Is(err, bloom.ErrTooLarge) {
				t.Errorf("%s of %d keys: %v", k.name, keys, err)
			}
		}
		if _, err := k.empty(math.MaxInt, 100, keyhash.XX64); !errors.Is(err, bloom.ErrTooLarge) {
			t.Errorf("%s of all keys: %v", k.name, err)
		}
		if g := k.of(t, 0, 10); g.SizeBytes() != 69 || g.EstimatedKeys() != 0 || g.EstimatedFPR() != 0 || g.Full() {
			t.Errorf("%s of 0 keys: %d bytes, %v keys", k.name, g.SizeBytes(), g.EstimatedKeys())
		}
	}
}

func TestTheZeroGrowingFilterPanics(t *testing.T) {
	for name, use := range map[string]func(){
		"Mutable.AddHash":            func() { new(bloom.Mutable).AddHash(1) },
		"Mutable.AddHashes":          func() { new(bloom.Mutable).AddHashes([]uint64{1}) },
		"Mutable.AddHashIfAbsent":    func() { new(bloom.Mutable).AddHashIfAbsent(1) },
		"Mutable.Add":                func() { new(bloom.Mutable).Add(nil) },
		"Mutable.ContainsHash":       func() { new(bloom.Mutable).ContainsHash(1) },
		"Concurrent.AddHash":         func() { new(bloom.Concurrent).AddHash(1) },
		"Concurrent.AddHashes":       func() { new(bloom.Concurrent).AddHashes([]uint64{1}) },
		"Concurrent.AddHashIfAbsent": func() { new(bloom.Concurrent).AddHashIfAbsent(1) },
		"Concurrent.ContainsHash":    func() { new(bloom.Concurrent).ContainsHash(1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of the zero value: no panic", name)
				}
			}()
			use()
		}()
	}
}
