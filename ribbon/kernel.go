package ribbon

import "github.com/simdbloom/simdbloom/asm"

// kernel looks up in what RocksDB's Ribbon policy writes: a Ribbon filter, or a FastLocal one,
// which also stands for those that give all keys the same answer.
type kernel struct {
	isRibbon  bool
	ribbon    asm.Ribbon
	fastLocal asm.FastLocal
}

func ribbonKernel(body []byte, blocks uint32, seed byte) kernel {
	return kernel{isRibbon: true, ribbon: asm.NewRibbon(body, blocks, seed)}
}

func fastLocalKernel(body []byte, probes int) kernel {
	return kernel{fastLocal: asm.NewFastLocal(body, probes)}
}

// Contains reports whether the filter may contain a hash.
func (k *kernel) Contains(hash uint64) bool {
	if k.isRibbon {
		return k.ribbon.Contains(hash)
	}
	return k.fastLocal.Contains(hash)
}

// ContainsBits sets bit i%64 of hits[i/64] to Contains(hashes[i]), and the last word's rest to 0.
func (k *kernel) ContainsBits(hashes, hits []uint64) {
	if k.isRibbon {
		k.ribbon.ContainsBits(hashes, hits)
	} else {
		k.fastLocal.ContainsBits(hashes, hits)
	}
}

// ContainsBools sets hits[i] to Contains(hashes[i]).
func (k *kernel) ContainsBools(hashes []uint64, hits []bool) {
	if k.isRibbon {
		k.ribbon.ContainsBools(hashes, hits)
	} else {
		k.fastLocal.ContainsBools(hashes, hits)
	}
}

// IsFarAmong reports whether to Prefetch before lookups in one of the given number of filters.
// Those of Ribbon filters prefetch by themselves.
func (k *kernel) IsFarAmong(filters int) bool {
	return !k.isRibbon && k.fastLocal.IsFarAmong(filters)
}

// Prefetch prefetches the lines of hashes, at least one, of a filter that is far.
func (k *kernel) Prefetch(hashes []uint64) { k.fastLocal.Prefetch(hashes) }

// ContainsBitsAmong is ContainsBits of one of the given number of filters. If it is far among
// them, the lines of the first hashes have been prefetched.
func (k *kernel) ContainsBitsAmong(filters int, hashes, hits []uint64) {
	if k.isRibbon {
		k.ribbon.ContainsBitsAmong(filters, hashes, hits)
	} else {
		k.fastLocal.ContainsBitsAmong(filters, hashes, hits)
	}
}
