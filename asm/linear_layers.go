//go:build (amd64 || arm64) && !purego

package asm

// linearChunk is how many hashes are looked up in a layer before the next one.
const linearChunk = 1024

// linearQueue has hashes that were bumped, and their numbers among those that were looked
// up. The kernels write up to an octet more.
type linearQueue struct {
	hashes  [linearChunk + octet]uint64
	numbers [linearChunk + octet]uint16
}

// linearNumbers are the numbers of hashes that are looked up in the first layer.
var linearNumbers = func() (numbers [linearChunk]uint16) {
	for i := range numbers {
		numbers[i] = uint16(i)
	}
	return numbers
}()

// inLayers looks up hashes in a linear filter.
func (k *Kernel) inLayers(hashes, hits []uint64) {
	first := k.body[:k.byBlock]
	inChunks(first, isFar(first), hashes, func(from, n, ahead int) {
		for to := from + n; from < to; from += linearChunk {
			k.inLinear(hashes[from:min(from+linearChunk, to)], hits[from/64:], ahead)
		}
	})
}

// inLinear looks up at most linearChunk hashes.
func (k *Kernel) inLinear(hashes, hits []uint64, ahead int) {
	var queue linearQueue
	whole := len(hashes) &^ (octet - 1)
	hits = hits[:Words(len(hashes))]
	clear(hits)
	queued := 0
	if whole > 0 {
		queued = k.inLayer(0, k.lines[0], &hashes[0], &linearNumbers[0], whole, hits, &queue, false, ahead)
	}
	k.addHits(whole, hashes, hits)
	const none = 1<<16 - 1          // the number of a hash that fills up an octet
	var numbers [linearChunk]uint16 // of the hashes in a layer
	line := uint64(k.lines[0])
	for _, lines := range k.lines[1:k.layers] {
		if queued == 0 {
			return
		}
		var found [linearChunk / 64]uint64
		n, padded := queued, (queued+octet-1)&^(octet-1)
		copy(numbers[:], queue.numbers[:n])
		for i := n; i < padded; i++ {
			queue.hashes[i], queue.numbers[i] = 0, none
		}
		queued = k.inLayer(line, lines, &queue.hashes[0], &queue.numbers[0], padded, found[:], &queue, true, 0)
		for i, number := range numbers[:n] {
			hits[number/64] |= found[i/64] >> (i % 64) & 1 << (number % 64)
		}
		for queued > 0 && queue.numbers[queued-1] == none {
			queued--
		}
		line += uint64(lines)
	}
	for _, number := range queue.numbers[:queued] {
		hits[number/64] |= 1 << (number % 64)
	}
}
