package asm

import (
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashing"
)

// NewPairedEither returns the filter with the given body, whole batches of 128 blocks, that contains a hash if it does
// with batches of 32 or of 128 blocks. It has no kernels: the filters that fit both have two keys at most.
func NewPairedEither(body []byte, probes int) Kernel {
	checkPaired(body, 128, probes)
	k := Kernel{body: body, format: Paired, own: unsafe.Pointer(&eitherShape), probes: probes, prefetchable: true}
	k.use(&pairedEitherFunctions)
	return k
}

// eitherShape has no number of blocks in a batch.
var eitherShape = pairedShape{numbers: 1<<32 - 1}

func pairedEitherContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.PairedContainsEither(k.body, k.probes, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func pairedEitherBitsInGo(k *Kernel, hashes, hits []uint64) {
	clear(hits[:Words(len(hashes))])
	for i, hash := range hashes {
		if fallback.PairedContainsEither(k.body, k.probes, hash) {
			hits[i/64] |= 1 << (i % 64)
		}
	}
	runtime.KeepAlive(k)
}

// PairedInDoubt reports whether bytes may be a paired filter in batches of 32 blocks or of 128, which their trailer
// does not tell: see [fallback.PairedBatches].
func PairedInDoubt(data []byte) bool {
	return len(data)&(128*BlockBytes-1) == pairedTrailerBytes && len(data) > pairedTrailerBytes && data[len(data)-2] == 0
}

const pairedTrailerBytes = 4

// PairedBySizeMayContain is PairedMayContain of the filters whose format follows from the number of keys: of few keys
// they are FastLocal's, a byte longer than a number of blocks and Paired's trailer.
func PairedBySizeMayContain(data []byte, hash uint64) bool {
	if isFastLocalBySize(data) {
		return FastLocalMayContain(data, hash)
	}
	return PairedMayContain(data, hash)
}

func isFastLocalBySize(data []byte) bool { return len(data)%BlockBytes == 5 }

// SpeedbMayContain is PairedMayContain of bytes that Speedb may have written, of any version: where they are in doubt,
// their pair indexes tell the size of batches. If these fit neither, the bytes may contain every key.
func SpeedbMayContain(data []byte, hash uint64) bool {
	if PairedInDoubt(data) {
		return decidedMayContain(data, hash)
	}
	return PairedMayContain(data, hash)
}

// PairedMayContainUnnamed is SpeedbMayContain of bytes that PairedBySizeMayContain reads, too.
func PairedMayContainUnnamed(data []byte, hash uint64) bool {
	switch {
	case PairedInDoubt(data):
		return decidedMayContain(data, hash)
	case isFastLocalBySize(data):
		return FastLocalMayContain(data, hash)
	}
	return PairedMayContain(data, hash) // by a call of PairedBySizeMayContain it would take longer
}

// SpeedbMayContainKeyXXPH3 is SpeedbMayContain of a key by XXPH3.
func SpeedbMayContainKeyXXPH3(data, key []byte) bool {
	if PairedInDoubt(data) {
		return decidedMayContain(data, hashing.XXPH3(key))
	}
	return PairedMayContainKeyXXPH3(data, key)
}

// decidedMayContain looks a hash up in bytes that are in doubt.
func decidedMayContain(data []byte, hash uint64) bool {
	size := len(data) - pairedTrailerBytes
	probes := data[size+1]
	if *(*[pairedTrailerBytes]byte)(data[size:]) != [...]byte{1, probes, 0, 0} || probes-2 > MaxProbes-2 || uint64(size) > MaxBodyBytes {
		return true
	}
	switch of32, of128 := fallback.PairedBatches(data[:size]); {
	case of32 && of128:
		return fallback.PairedContainsEither(data[:size], int(probes), hash)
	case of32:
		return PairedMayContain(data, hash)
	case of128:
		return fallback.PairedContains(data[:size], 128, int(probes), hash)
	}
	return true
}
