//go:build amd64 && !purego

package asm

// The parts of a linear filter that are prefetched.
const (
	linearNear       = iota // nothing
	linearLinesFar          // lines
	linearHeadersFar        // lines and headers
)

// linearFar returns the prefetching for the given number of bodies together.
func linearFar(bytes, filters int) uint8 {
	switch {
	case !areFar(bytes, filters):
		return linearNear
	case uint64(bytes)*uint64(filters) < uint64(headersFarFrom):
		return linearLinesFar
	}
	return linearHeadersFar
}

// fewMaxInLayers returns the most hashes of a batch that the kernels for a few take. In far bodies more are on their
// way at once in the others, which prefetch: 32 a call take 16 ns instead of 19 to 24 in 32 MiB, but eight take 38
// instead of 22 to 33 (Zen 4).
func fewMaxInLayers(f form, body []byte) uint8 {
	switch {
	case f < form512:
		return 0
	case isFar(body):
		return octet
	default:
		return 64
	}
}

// linearBatch looks up at least one hash in one of some linear filters, which are looked up in turn.
func linearBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	far := linearFar(len(k.body), filters)
	var room bitRoom
	for {
		n, hits := to.inBits(min(chunk, len(hashes)), &room)
		if k.form >= form512 {
			linearContainsBatchAVX512(k, &hashes[0], &hits[0], n, far)
		} else {
			linearContainsBatchAVX2(k, &hashes[0], &hits[0], n, far)
		}
		to.expand(n, hits)
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}
