package asm_test

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestBitsAmongMany compares the answers of a filter alone, which is near, with those among
// filters that are far together.
func TestBitsAmongMany(t *testing.T) { eachLevel(t, testBitsAmongMany) }

func testBitsAmongMany(t *testing.T) {
	const many = 1 << 20
	body := make([]byte, 2*8192)
	for i, hash := range vectors.Hashes(5, len(body)) {
		body[i] = byte(hash | hash>>8)
	}
	fastLocal, paired := asm.NewFastLocal(body, 6), asm.NewPaired(body, 128, 12)
	layers, ok := fallback.NewLinearLayers([][2]uint32{{100, 120}, {20, 30}, {0, 20}}, 40, 12)
	if !ok {
		t.Fatal("no such layers")
	}
	linear := asm.NewLinear(body[:layers.NumLines()*(asm.BlockBytes+1)], layers)
	if !fastLocal.IsFarAmong(many) || !paired.IsFarAmong(many) || fastLocal.IsFarAmong(1) || paired.IsFarAmong(1) {
		t.Error("other filters are far")
	}
	hashes := vectors.Hashes(6, 1000)
	for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 135, 144, 192, 255, 256, 257, 300, 511, 512, 513, 1000} {
		hashes := hashes[:n]
		if n > 0 {
			fastLocal.Prefetch(hashes)
			paired.Prefetch(hashes)
		}
		for name, f := range map[string]interface {
			Contains(hash uint64) bool
			ContainsBitsAmong(filters int, hashes, hits []uint64)
		}{"FastLocal": &fastLocal, "Paired": &paired, "Linear": &linear} {
			want := slices.Repeat([]uint64{42}, asm.Words(n)+2)
			clear(want[:asm.Words(n)])
			for i, hash := range hashes {
				if f.Contains(hash) {
					want[i/64] |= 1 << (i % 64)
				}
			}
			for _, filters := range []int{1, many} {
				hits := slices.Repeat([]uint64{42}, len(want))
				if f.ContainsBitsAmong(filters, hashes, hits); !slices.Equal(hits, want) {
					t.Errorf("%s, %d hashes, %d filters: %x, want %x", name, n, filters, hits, want)
				}
				if n == 0 {
					continue
				}
				func() {
					hits := slices.Repeat([]uint64{42}, asm.Words(n)-1)
					defer func() {
						if recover() == nil || slices.ContainsFunc(hits, func(w uint64) bool { return w != 42 }) {
							t.Errorf("%s, %d hashes, %d filters: no panic, or something was written before it", name, n, filters)
						}
					}()
					f.ContainsBitsAmong(filters, hashes, hits)
				}()
			}
		}
	}
}
