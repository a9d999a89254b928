package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

const (
	mostBlocks = 512  // in a body
	mostHashes = 4500 // in a batch
	untouched  = 0x5555aaaa5555aaaa
)

// levels returns those that this process may run at.
func levels() []cpu.Level {
	return slices.DeleteFunc([]cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON}, func(l cpu.Level) bool {
		return !cpu.Current().Includes(l)
	})
}

// addKernels seeds a target with each level, the number of probes, of blocks or
// batches, the places of the body, the hashes and the answers, a body to repeat,
// hashes, and the number of more of them.
func addKernels(f *testing.F, pieces [][]byte) {
	for level := range len(levels()) {
		for i, probes := range []byte{1, 2, 6, 7, 8, 9, 12, 16, 17, 24, 25, 30} {
			for j, piece := range pieces {
				place := []byte{0, 128, 31, 159, 63, 129, 4, 130}[(i+j)%8]
				more := []uint16{0, 3, 64, 123, 507, 1031, 3200}[(3*i+j)%7]
				f.Add(byte(level), probes, probes*7+byte(j), place, piece, queries[:8*(i%4)], more)
			}
		}
	}
}

// kernels are a filter's kernels in packages asm and fallback.
type kernels struct {
	contains, truth func(body []byte, hash uint64) bool
	of              func(body []byte) asm.Kernel
	add, addTruth   func(body []byte, hashes []uint64)
}

// places is memory for a body, hashes and answers between unreadable pages.
type places struct {
	body                []byte
	hashes, added, hits []uint64
	bools               []bool
}

func newPlaces(f *testing.F) places {
	return places{
		testmem.Between(f, mostBlocks*asm.BlockBytes),
		testmem.Words(testmem.Between(f, 8*mostHashes)),
		testmem.Words(testmem.Between(f, 8*mostHashes)),
		testmem.Words(testmem.Between(f, 8*asm.Words(mostHashes))),
		testmem.Bools(testmem.Between(f, mostHashes)),
	}
}

// put places a body of the given size, made of a repeated piece, up to 127 bytes from
// either guard. It places the hashes in the queried bytes, and more hashes, up to 15 words
// from either guard.
func (p places) put(size int, place byte, piece, queried []byte, more uint16) (body []byte, hashes []uint64) {
	from := int(place & 127)
	if place&128 != 0 {
		from = len(p.body) - size - from
	}
	body = p.body[from : from+size : from+size]
	clear(body)
	for rest := body; len(rest) > 0 && len(piece) > 0; {
		rest = rest[copy(rest, piece):]
	}

	all := append(hashesIn(queried), vectors.Hashes(uint64(more), int(more)%mostHashes)...)
	all = all[:min(len(all), mostHashes-16)]
	from = int(place >> 3 & 15)
	if place&1 != 0 {
		from = len(p.hashes) - len(all) - from
	}
	hashes = p.hashes[from : from+len(all)]
	copy(hashes, all)
	return body, hashes
}

// check looks up hashes, adds some, as the place says, and looks up again.
func (p places) check(t *testing.T, kernel kernels, body []byte, hashes []uint64, place byte) {
	t.Helper()
	p.checkLookups(t, kernel, body, hashes, place)
	added := p.added[:0]
	for i, hash := range hashes {
		if [4]bool{i < len(hashes)/3, i%2 == 0, i%100 == 50, i%100 != 50}[place>>1&3] {
			added = append(added, hash)
		}
	}
	if place&1 != 0 {
		end := p.added[len(p.added)-len(added):]
		copy(end, added)
		added = end
	}
	addedBefore := slices.Clone(added)
	want := slices.Clone(body)
	kernel.addTruth(want, added)
	kernel.add(body, added)
	if !bytes.Equal(body, want) || !slices.Equal(added, addedBefore) {
		t.Fatalf("%d bytes: other bits after %d hashes, or other hashes", len(body), len(added))
	}
	p.checkLookups(t, kernel, body, hashes, place)
}

func (p places) checkLookups(t *testing.T, kernel kernels, body []byte, hashes []uint64, place byte) {
	t.Helper()
	bodyBefore, hashesBefore := slices.Clone(body), slices.Clone(hashes)
	for i := range p.hits {
		p.hits[i] = untouched
	}
	hits := p.hits[len(p.hits)-asm.Words(len(hashes)):]
	of := kernel.of(body)
	of.ContainsBits(hashes, hits)
	for i := range p.bools {
		p.bools[i] = i%3 == 0
	}
	from := int(place >> 3 & 15)
	if place&1 != 0 {
		from = len(p.bools) - len(hashes) - from
	}
	bools := p.bools[from : from+len(hashes)]
	of.ContainsBools(hashes, bools)
	for i, hash := range hashes {
		want, inBatch, alone := kernel.truth(body, hash), hits[i/64]>>(i%64)&1 != 0, kernel.contains(body, hash)
		if inBatch != want || bools[i] != want || alone != want {
			t.Fatalf("%d bytes, hash %d of %d, %#x: in the batch %v, in bools %v, alone %v, want %v",
				len(body), i, len(hashes), hash, inBatch, bools[i], alone, want)
		}
	}
	if n := len(hashes) % 64; n != 0 && hits[len(hits)-1]>>n != 0 {
		t.Fatalf("batch of %d: answers beyond the last", len(hashes))
	}
	for _, word := range p.hits[:len(p.hits)-len(hits)] {
		if word != untouched {
			t.Fatalf("batch of %d: wrote before the answers", len(hashes))
		}
	}
	for i, answer := range p.bools {
		if (i < from || i >= from+len(bools)) && answer != (i%3 == 0) {
			t.Fatalf("batch of %d: wrote beside the bools", len(hashes))
		}
	}
	if !bytes.Equal(body, bodyBefore) || !slices.Equal(hashes, hashesBefore) {
		t.Fatal("looking up changed something")
	}
}

// FuzzFastLocalKernels compares every level's kernels with fallback's, including those that
// partition hashes.
func FuzzFastLocalKernels(f *testing.F) {
	addKernels(f, [][]byte{
		nil, {0xff}, []byte("\xff\xff\xff\xdf\xff\xff\xff"), []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes"),
	})
	all, p, lists := levels(), newPlaces(f), newLists(f)
	f.Fuzz(func(t *testing.T, level, probes, blocks, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		k := 1 + int(probes-1)%asm.MaxProbes
		body, hashes := p.put((1+int(blocks))*asm.BlockBytes, place, piece, queried, more)
		p.check(t, kernels{
			func(body []byte, hash uint64) bool {
				prepared := asm.NewFastLocal(body, k)
				inBytes := asm.FastLocalMayContain(slices.Concat(body, []byte{0xff, 0, byte(k), 0, 0}), hash)
				if contains := prepared.Contains(hash); contains != inBytes {
					t.Fatalf("hash %#x: not %v in bytes", hash, contains)
				}
				return inBytes
			},
			func(body []byte, hash uint64) bool { return fallback.FastLocalContains(body, k, hash) },
			func(body []byte) asm.Kernel { return asm.NewFastLocal(body, k) },
			func(body []byte, hashes []uint64) { asm.FastLocalAdd(body, k, hashes) },
			func(body []byte, hashes []uint64) { fallback.FastLocalAdd(body, k, hashes) },
		}, body, hashes, place)
		lists.check(t, hashes, probes, piece)
	})
}

// FuzzPairedKernels does so for paired filters, with any bytes as pair indexes, and for the
// kernels that count hashes.
func FuzzPairedKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, vectors.Paired32Keys()[0].Bytes, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff")})
	all, p, counts := levels(), newPlaces(f), newCounts(f)
	f.Fuzz(func(t *testing.T, level, probes, batches, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		k, batch := 2+int(probes-2)%(asm.MaxProbes-1), 128
		if batches&1 != 0 {
			batch = 32
		}
		body, hashes := p.put((1+int(batches)>>1%3)*batch*asm.BlockBytes, place, piece, queried, more)
		p.check(t, kernels{
			func(body []byte, hash uint64) bool {
				prepared := asm.NewPaired(body, batch, k)
				inBytes := asm.PairedMayContain(slices.Concat(body, []byte{1, byte(k), byte((batch - 32) / 96 * 7), 0}), hash)
				if contains := prepared.Contains(hash); contains != inBytes {
					t.Fatalf("hash %#x: not %v in bytes", hash, contains)
				}
				return inBytes
			},
			func(body []byte, hash uint64) bool { return fallback.PairedContains(body, batch, k, hash) },
			func(body []byte) asm.Kernel { return asm.NewPaired(body, batch, k) },
			func(body []byte, hashes []uint64) { asm.PairedAdd(body, batch, k, hashes) },
			func(body []byte, hashes []uint64) { fallback.PairedAdd(body, batch, k, hashes) },
		}, body, hashes, place)
		counts.check(t, hashes, probes, batches, place, more)
	})
}
