package asm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestMayContainKey has keys of every length right beside unreadable pages and at every address, and filters of usual
// bytes, of other ones, and of none. It answers what it does for the keys' hashes.
func TestMayContainKey(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 54))
	body := func(size int) []byte {
		b := randomBody(random, size)
		for i := range b {
			b[i] |= byte(random.Uint32())
		}
		return b
	}
	type ofKey struct {
		keyhash.Hash
		contains func(data, key []byte) bool
	}
	fastLocal := []ofKey{{keyhash.XX64, asm.FastLocalMayContainKey}, {keyhash.XXPH3, asm.FastLocalMayContainKeyXXPH3}}
	paired := []ofKey{{keyhash.XX64, asm.PairedMayContainKey}, {keyhash.XXPH3, asm.PairedMayContainKeyXXPH3}}
	splitBlock := []ofKey{{keyhash.XX64, asm.SplitBlockMayContainKey}}
	eachLevel(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			ofHash func(data []byte, hash uint64) bool
			ofKey  []ofKey
			datas  [][]byte
		}{
			"FastLocal":   {asm.FastLocalMayContain, fastLocal, trailed(body, 40*asm.BlockBytes, func(probes byte) []byte { return []byte{0xff, 0, probes, 0, 0} })},
			"Paired, 32":  {asm.PairedMayContain, paired, trailed(body, 32*asm.BlockBytes, func(probes byte) []byte { return []byte{1, probes, 0, 0} })},
			"Paired, 128": {asm.PairedMayContain, paired, trailed(body, 128*asm.BlockBytes, func(probes byte) []byte { return []byte{1, probes, 7, 0} })},
			"SplitBlock":  {asm.SplitBlockMayContain, splitBlock, [][]byte{body(asm.SplitBlockBytes), body(33 * asm.SplitBlockBytes), body(100)}},
		} {
			for _, data := range append(c.datas, nil, []byte{1}, body(7)) {
				testmem.BesideGuards(t, data, func(data []byte) {
					for n := range 301 {
						if slow && (n%8 > 1 || n > 40) {
							continue
						}
						key := make([]byte, n+8)
						for i := range key {
							key[i] = byte(random.Uint32())
						}
						check := func(key []byte) {
							for _, of := range c.ofKey {
								if got, want := of.contains(data, key), c.ofHash(data, of.Sum64(key)); got != want {
									t.Fatalf("%s of %d bytes, a key of %d, %s: %v", name, len(data), n, of.Name(), got)
								}
							}
						}
						check(key[n%8 : n%8+n])
						if n%5 == len(data)%5 {
							testmem.BesideGuards(t, key[:n], check)
						}
					}
				})
			}
		}
	})
}

// trailed returns a body with each number of probes behind it, valid or not, and with a trailer that nobody writes.
func trailed(body func(size int) []byte, size int, trailer func(probes byte) []byte) (datas [][]byte) {
	for _, probes := range []byte{0, 1, 2, 6, 7, 8, 9, 16, 17, 30, 31, 255} {
		datas = append(datas, slices.Concat(body(size), trailer(probes)))
	}
	other := slices.Concat(body(size), trailer(6))
	other[len(other)-1]++
	return append(datas, other)
}
