package asm

// Filters that are looked up in turn displace each other's lines from the caches, even
// where each alone would stay there. So lookups among many filters prefetch when all
// their bodies together are far. The size of the body at hand stands for the others'.

// LinesAhead is the number of lines that are prefetched ahead of lookups among many
// filters: enough to be under way at once, and few enough for a first-level cache of 32
// KiB. It is a multiple of 64.
//
// Without prefetching, 1024 keys take 7.3 ns a lookup in 8 filters of 1 MiB, and with 64,
// 128 and 256 lines ahead 4.0, 4.0 and 4.7 (FastLocal, k=6, AVX-512, Zen 4).
const LinesAhead = 128

// IsFarAmong reports whether to Prefetch before lookups in f, one of the given number
// of filters.
func (f *FastLocal) IsFarAmong(filters int) bool { return areFar(f.body, filters) }

// IsFarAmong reports whether to Prefetch before lookups in f, one of the given number
// of filters.
func (f *Paired) IsFarAmong(filters int) bool { return areFar(f.body, filters) }

// Prefetch prefetches the lines of hashes, at least one, that are to be looked up soon.
// (It does not call IsFarAmong because then it would not be inlined, which takes 3 ns.)
func (f *FastLocal) Prefetch(hashes []uint64) { prefetch(f.body, hashes) }

// Prefetch prefetches the own lines of hashes, at least one, that are to be looked up soon.
// Those say what the other lines are.
func (f *Paired) Prefetch(hashes []uint64) { prefetch(f.body, hashes) }

// ContainsBitsAmong is ContainsBits of one of the given number of filters. If it is far
// among them, the lines of the first LinesAhead hashes have been prefetched.
func (f *FastLocal) ContainsBitsAmong(filters int, hashes, hits []uint64) {
	checkBits(hashes, hits)
	if isFarOnlyAmong(filters, f.body) {
		for len(hashes) > LinesAhead {
			prefetchNext(f.body, hashes)
			f.ContainsBits(hashes[:LinesAhead], hits)
			hashes, hits = hashes[LinesAhead:], hits[LinesAhead/64:]
		}
	}
	f.ContainsBits(hashes, hits)
}

// ContainsBitsAmong is ContainsBits of one of the given number of filters. If it is far
// among them, the own lines of the first LinesAhead hashes have been prefetched.
func (f *Paired) ContainsBitsAmong(filters int, hashes, hits []uint64) {
	checkBits(hashes, hits)
	if isFarOnlyAmong(filters, f.body) {
		for len(hashes) > LinesAhead {
			prefetchNext(f.body, hashes)
			f.ContainsBits(hashes[:LinesAhead], hits)
			hashes, hits = hashes[LinesAhead:], hits[LinesAhead/64:]
		}
	}
	f.ContainsBits(hashes, hits)
}

func areFar(body []byte, filters int) bool {
	return uint64(len(body))*uint64(filters) >= uint64(farFrom)
}

// isFarOnlyAmong reports whether the given number of bodies together are far, but not this
// one alone. ContainsBits does not prefetch then.
func isFarOnlyAmong(filters int, body []byte) bool {
	return areFar(body, filters) && !isFar(body)
}

// prefetchNext prefetches the lines of the LinesAhead hashes behind the first LinesAhead.
func prefetchNext(body []byte, hashes []uint64) {
	prefetch(body, hashes[LinesAhead:min(2*LinesAhead, len(hashes))])
}
