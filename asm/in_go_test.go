package asm

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// TestFormatInGo: a format that has nothing but its lines in formatsInGo and formatAdders can be looked up in
// and accepts keys. FastLocal's functions stand for its own, in the lines of the empty filter.
func TestFormatInGo(t *testing.T) {
	oldGo, oldAdder := formatsInGo[Empty], formatAdders[Empty]
	defer func() { formatsInGo[Empty], formatAdders[Empty] = oldGo, oldAdder }()
	formatsInGo[Empty] = formatInGo{
		contains: func(k *Kernel, hash uint64) bool { return fallback.FastLocalContains(k.body, k.probes, hash) },
		bits: func(k *Kernel, hashes, hits []uint64) {
			fallback.FastLocalContainsBatch(k.body, k.probes, hashes, hits)
		},
		add: fastLocalAddIfAbsentInGo,
	}
	formatAdders[Empty] = formatAdder{
		func(k *Kernel, hashes []uint64) { fallback.FastLocalAdd(k.body, k.probes, hashes) },
		sharedFastLocalAdd, sharedFastLocalAddIfAbsent, &inGoAdders, &noAdders,
	}
	r := rand.New(rand.NewPCG(1, 2))
	hashes := make([]uint64, 500)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	for _, shared := range []bool{false, true} {
		words := make([]uint64, 64*BlockBytes/8) // shared bodies begin at whole words
		k := Kernel{body: unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 64*BlockBytes), format: Empty, probes: 6}
		if k.use(&inGoFunctions); shared {
			k.share(&inGoFunctions)
		}
		k.EnableAdd()
		k.HashBy(XX64, nil)
		add, addIfAbsent := k.Add, k.AddIfAbsent
		if shared {
			add, addIfAbsent = k.AddShared, k.AddIfAbsentShared
		}
		add(hashes[0])
		if addIfAbsent(hashes[0]) || !addIfAbsent(hashes[1]) {
			t.Error("AddIfAbsent is wrong")
		}
		k.AddAll(hashes[:100])
		if key := []byte("a key"); !shared {
			if k.AddKey(key); !k.ContainsKey(key) {
				t.Error("a key was not found")
			}
		}
		bools, bits := make([]bool, len(hashes)), make([]uint64, Words(len(hashes)))
		for n := range hashes {
			k.ContainsBools(hashes[:n], bools)
			k.ContainsBits(hashes[:n], bits)
			for i, hash := range hashes[:n] {
				want := fallback.FastLocalContains(k.body, k.probes, hash)
				if i < 100 && !want {
					t.Fatal("an added key is missing")
				}
				if bools[i] != want || bits[i/64]>>(i%64)&1 == 1 != want || k.Contains(hash) != want || k.Lookup()(hash) != want {
					t.Fatalf("hash %d of %d is %v, want %v", i, n, bools[i], want)
				}
			}
		}
	}
}
