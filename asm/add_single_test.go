package asm_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// singleAdders add one key to a FastLocal filter. Those with an answer report whether they
// set a bit.
var singleAdders = map[string]struct {
	shared bool
	add    func(f *asm.Kernel, hash uint64)
	answer func(f *asm.Kernel, hash uint64) bool
}{
	"Add":               {add: (*asm.Kernel).Add},
	"AddAll":            {add: func(f *asm.Kernel, hash uint64) { f.AddAll([]uint64{hash}) }},
	"AddIfAbsent":       {answer: (*asm.Kernel).AddIfAbsent},
	"AddShared":         {shared: true, add: (*asm.Kernel).AddShared},
	"AddAll, shared":    {shared: true, add: func(f *asm.Kernel, hash uint64) { f.AddAll([]uint64{hash}) }},
	"AddIfAbsentShared": {shared: true, answer: (*asm.Kernel).AddIfAbsentShared},
}

// TestAddingKeyByKey covers every number of probes, beside memory that may not be touched.
func TestAddingKeyByKey(t *testing.T) {
	n := 300
	if slow {
		n = 60
	}
	hashes := append(vectors.Hashes(90, n), collidingHashes(91, n)...)
	hashes = append(hashes, 0, 1, 1<<32-1, 1<<32, 1<<63, 1<<64-1)
	hashes = append(hashes, hashes[:n/2]...) // present by now
	eachLevel(t, func(t *testing.T) {
		for k := 1; k <= asm.MaxProbes; k++ {
			for _, blocks := range []int{1, 3, 70} {
				testmem.BesideGuards(t, make([]byte, blocks*asm.BlockBytes), func(body []byte) {
					for name, adder := range singleAdders {
						clear(body)
						want := make([]byte, len(body))
						f := asm.NewFastLocal(body, k)
						if adder.shared {
							f = asm.NewSharedFastLocal(body, k)
						}
						f.EnableAdd()
						for _, hash := range hashes {
							absent := !naive.FastLocalContains(want, k, hash)
							naive.FastLocalAdd(want, k, hash)
							if adder.answer == nil {
								adder.add(&f, hash)
							} else if adder.answer(&f, hash) != absent {
								t.Fatalf("%s, k=%d, %d blocks: hash %#x was absent: not %v", name, k, blocks, hash, absent)
							}
							if !f.Contains(hash) {
								t.Fatalf("%s, k=%d, %d blocks: hash %#x is missing", name, k, blocks, hash)
							}
						}
						if !bytes.Equal(body, want) {
							t.Fatalf("%s, k=%d, %d blocks: other bits", name, k, blocks)
						}
					}
				})
			}
		}
	})
}

// TestAddingKeyByKeyAnywhere has blocks at any address, across lines of the cache.
func TestAddingKeyByKeyAnywhere(t *testing.T) {
	hashes := vectors.Hashes(92, 40)
	eachLevel(t, func(t *testing.T) {
		room := make([]byte, 64+3*asm.BlockBytes)
		for offset := range 64 {
			for name, adder := range singleAdders {
				if adder.shared {
					continue
				}
				clear(room)
				want := make([]byte, len(room))
				f := asm.NewFastLocal(room[offset:][:3*asm.BlockBytes], 6)
				f.EnableAdd()
				for _, hash := range hashes {
					naive.FastLocalAdd(want[offset:][:3*asm.BlockBytes], 6, hash)
					if adder.add != nil {
						adder.add(&f, hash)
					} else {
						adder.answer(&f, hash)
					}
				}
				if !bytes.Equal(room, want) {
					t.Fatalf("%s, %d behind a line: other bits", name, offset)
				}
			}
		}
	})
}

// TestSharedBatches adds and looks up batches in a shared body, which Go code reads in
// words.
func TestSharedBatches(t *testing.T) {
	added, absent := vectors.Hashes(93, 1000), vectors.Hashes(94, 1000)
	hashes := slices.Concat(added, absent)
	eachLevel(t, func(t *testing.T) {
		eachDistance(t, func(t *testing.T) {
			body, want := aligned.Make(100*asm.BlockBytes), make([]byte, 100*asm.BlockBytes)
			for _, k := range []int{1, 6, 13, 30} {
				clear(body)
				clear(want)
				f, plain := forAdding(asm.NewSharedFastLocal(body, k)), forAdding(asm.NewFastLocal(want, k))
				for _, n := range []int{1, 7, 63, 64, 65, 129, 400} {
					f.AddAll(added[:n])
					plain.AddAll(added[:n])
				}
				if !bytes.Equal(body, want) {
					t.Fatalf("k=%d: other bits", k)
				}
				for _, n := range []int{0, 1, 7, 8, 15, 16, 17, 63, 64, 65, 79, 80, 81, 127, 129, 500, 2000} {
					bits, wantBits := make([]uint64, asm.Words(n)), make([]uint64, asm.Words(n))
					bools, wantBools := make([]bool, n), make([]bool, n)
					f.ContainsBits(hashes[:n], bits)
					f.ContainsBools(hashes[:n], bools)
					plain.ContainsBits(hashes[:n], wantBits)
					for i, hash := range hashes[:n] {
						wantBools[i] = f.Contains(hash)
					}
					if !slices.Equal(bits, wantBits) || !slices.Equal(bools, wantBools) {
						t.Fatalf("k=%d, %d hashes: other answers", k, n)
					}
				}
			}
		})
	})
}

// forAdding returns the Kernel, ready to add keys.
func forAdding(k asm.Kernel) asm.Kernel {
	k.EnableAdd()
	return k
}

// TestWholeBodies unites, reads and clears bodies, shared or not.
func TestWholeBodies(t *testing.T) {
	const size = 2 * asm.BlockBytes
	for name, prepare := range map[string]func(body []byte, probes int) asm.Kernel{
		"shared": asm.NewSharedFastLocal, "not shared": asm.NewFastLocal,
	} {
		a, b, want := aligned.Make(size), aligned.Make(size), aligned.Make(size)
		f, g, both := forAdding(prepare(a, 6)), forAdding(prepare(b, 6)), forAdding(asm.NewFastLocal(want, 6))
		hashes := vectors.Hashes(95, 40)
		f.AddAll(hashes[:20])
		g.AddAll(hashes[20:])
		both.AddAll(hashes)
		f.Unite(&g)
		if !bytes.Equal(a, want) {
			t.Errorf("%s: the union has other bits", name)
		}
		if part := f.Read(make([]byte, asm.BlockBytes), asm.BlockBytes); !bytes.Equal(part, want[asm.BlockBytes:]) {
			t.Errorf("%s: other bytes were read", name)
		}
		if f.Clear(); !bytes.Equal(a, make([]byte, size)) {
			t.Errorf("%s: bits are left", name)
		}
	}
}
