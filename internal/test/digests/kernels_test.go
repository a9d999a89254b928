package digests

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// kernels are the kernels of a filter with some number of probes.
type kernels struct {
	name   string
	batch  int // the blocks of which pairs are made, 1 if none are
	probes int

	contains func(body []byte, hash uint64) bool
	of       func(body []byte) asm.Kernel
	add      func(body []byte, hashes []uint64)
}

// kernelResults has digests for bodies that no builder writes: with every number of probes
// that the kernels take, with any pair indexes, and full enough for both answers to be
// common.
func kernelResults() (all []result) {
	hashes := slices.Concat(vectors.Hashes(92, 1500), hostileHashes())
	for k := 1; k <= asm.MaxProbes; k++ {
		for _, kernel := range kernelsOf(k) {
			for _, offset := range []int{0, 2*k + 1} {
				where := fmt.Sprintf("%d bytes behind a multiple of 64", offset)
				all = append(all, kernel.added(offset, where, hashes))
				all = append(all, kernel.answers(offset, where, hashes)...)
			}
		}
	}
	for _, kernel := range largeKernels() {
		var of answered
		of.query(kernel, kernel.body(0, 5<<20/(kernel.batch*asm.BlockBytes)), vectors.Hashes(93, 20_000))
		all = append(all, of.results(kernel.name+", 5 MiB", "at a multiple of 64")...)
	}
	return all
}

// patterns are random blocks, a prime number of them, for bodies to repeat: in the first
// no bit is set, in the next half of them, and from then on half of those that were not.
var patterns = sync.OnceValue(func() (all [6][]byte) {
	all[0] = make([]byte, 1009*asm.BlockBytes)
	for i := 1; i < len(all); i++ {
		all[i] = slices.Clone(all[i-1])
		for j, random := range vectors.Hashes(uint64(100+i), len(all[i])/8) {
			word := all[i][8*j:]
			binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)|random)
		}
	}
	return all
})

// body returns blocks at an offset from a multiple of 64, with enough bits set for about half
// of all hashes to be found.
func (k kernels) body(offset, units int) []byte {
	body := aligned.Make(offset + units*k.batch*asm.BlockBytes)[offset:]
	pattern := patterns()[bits.Len(uint(k.probes))]
	for rest := body; len(rest) > 0; rest = rest[min(len(pattern), len(rest)):] {
		copy(rest, pattern)
	}
	k.pair(body)
	return body
}

// pair gives each block of a paired filter a random first byte: the index of the block it
// is paired with, and a few bits.
func (k kernels) pair(body []byte) {
	if k.batch == 1 {
		return
	}
	for i, word := range vectors.Hashes(95, len(body)/asm.BlockBytes) {
		body[i*asm.BlockBytes] = byte(word)
	}
}

// units returns numbers of blocks, or of batches, for bodies.
func (k kernels) units() []int {
	if k.batch == 1 {
		return []int{1, 3, 1000}
	}
	return []int{1, 3, 1000 / k.batch}
}

// added has the digest of bodies that were empty, apart from pair indexes, before hashes
// were added.
func (k kernels) added(offset int, where string, hashes []uint64) result {
	var bodies []byte
	for _, units := range k.units() {
		body := aligned.Make(offset + units*k.batch*asm.BlockBytes)[offset:]
		k.pair(body)
		k.add(body, hashes[:len(hashes)/2])
		k.add(body, hashes[len(hashes)/2:])
		bodies = append(bodies, body...)
	}
	return result{k.name + ": bits added", where, digestOf(bodies)}
}

// answers has the digests of the answers of bodies of all sizes, queried in every way.
func (k kernels) answers(offset int, where string, hashes []uint64) []result {
	var of answered
	for _, units := range k.units() {
		of.query(k, k.body(offset, units), hashes)
	}
	return of.results(k.name, where)
}

// answered has the answers to hashes that were queried one by one, and in batches.
type answered struct{ alone, bools, batches []bool }

func (a *answered) query(k kernels, body []byte, hashes []uint64) {
	for _, hash := range hashes {
		a.alone = append(a.alone, k.contains(body, hash))
	}
	kernel, bools := k.of(body), make([]bool, len(hashes))
	kernel.ContainsBools(hashes, bools)
	a.bools = append(a.bools, bools...)
	words := make([]uint64, asm.Words(len(hashes)))
	for n := 0; len(hashes) > 0; n++ { // batches of every length
		batch := hashes[:min(n, len(hashes))]
		kernel.ContainsBits(batch, words)
		a.batches = unpacked(a.batches, words, len(batch))
		hashes = hashes[len(batch):]
	}
}

func (a *answered) results(name, where string) []result {
	name += ": answers"
	return []result{
		{name, "Contains, " + where, digestOfAnswers(a.alone)},
		{name, "ContainsBools, " + where, digestOfAnswers(a.bools)},
		{name, "ContainsBatch, " + where, digestOfAnswers(a.batches)},
	}
}
