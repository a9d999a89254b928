package asm

// Filters that are looked up in turn displace each other's lines from the caches, even
// where each alone would stay there. So lookups among many filters prefetch when all
// their bodies together are far. The other filters are assumed to be as large as this one.

// LinesAhead is the number of lines that are prefetched ahead of lookups among many
// filters: enough to be under way at once, and few enough for a first-level cache of 32
// KiB. It is a multiple of 64.
//
// Without prefetching, 1024 keys take 7.3 ns a lookup in 8 filters of 1 MiB, and with 64,
// 128 and 256 lines ahead 4.0, 4.0 and 4.7 (FastLocal, k=6, AVX-512, Zen 4).
const LinesAhead = 128

// IsFarAmong reports whether to Prefetch before lookups in the filter, one of the given number
// of filters. Batches in Ribbon and linear filters prefetch by themselves, and those of 32-bit hashes
// have their lines elsewhere.
func (k *Kernel) IsFarAmong(filters int) bool { return areFar(k.prefetchBytes(), filters) }

// prefetchBytes returns how many of the body's first bytes have lines that can be prefetched: all, or none.
func (k *Kernel) prefetchBytes() int {
	if !k.prefetchable {
		return 0
	}
	return len(k.body)
}

// Prefetch prefetches the lines of hashes, at least one, that are to be looked up soon: the own lines
// in a paired filter, which say what the other ones are.
// (It does not call IsFarAmong because then it would not be inlined, which costs 3 ns; processor not recorded.)
func (k *Kernel) Prefetch(hashes []uint64) { k.prefetch(k.prefetchBytes(), hashes, false) }

// fewAmong is how many hashes the kernels for a few take in a linear filter among others: they prefetch nothing.
const fewAmong = 8

// ContainsBitsAmong is ContainsBits of one of the given number of filters. If it is far
// among them, the lines of the first LinesAhead hashes have been prefetched.
func (k *Kernel) ContainsBitsAmong(filters int, hashes, hits []uint64) {
	checkBits(hashes, hits)
	if k.format == Ribbon && len(hashes) > 0 || k.format == Linear && len(hashes) > max(int(k.oneByOneMax), min(int(k.fewMax), fewAmong)) {
		batch(k, hashes, answers{bits: &hits[0]}, filters)
		return
	}
	if first := k.body[:k.prefetchBytes()]; areFar(k.prefetchBytes(), filters) && !isFar(first) { // ContainsBits does not prefetch
		for len(hashes) > LinesAhead {
			k.prefetch(len(first), hashes[LinesAhead:min(2*LinesAhead, len(hashes))], false)
			k.ContainsBits(hashes[:LinesAhead], hits)
			hashes, hits = hashes[LinesAhead:], hits[LinesAhead/64:]
		}
	}
	k.ContainsBits(hashes, hits)
}

// areFar reports whether the given number of bodies together are far.
func areFar(bytes, filters int) bool { return uint64(bytes)*uint64(filters) >= uint64(farFrom) }
