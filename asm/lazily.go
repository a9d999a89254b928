package asm

import (
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/pieces"
)

// lazily is the format of a Kernel after CheckLazily: the functions of this file, and by them another Kernel.
const lazily = Blobloom + 1

func init() { formatsInGo[lazily] = formatInGo{contains: lazilyContains, bits: lazilyBits} }

// A lazyFilter is a filter whose bytes are checked when lookups need them. A lookup queries the filter, whatever its
// bytes are, and then checks the piece that it has read, unless all are known to be right. Where the piece is wrong, the
// answer is "may contain".
type lazyFilter struct {
	unchecked Kernel
	pieces    *pieces.Pieces
	before    int // bytes before the body
	unit      int // the size of the one block that a lookup reads, or 0 if it may read any bytes
}

// CheckLazily has every lookup check the piece that it reads. The body is in the pieces behind the given number of
// bytes. A Kernel that gives all hashes the same answer stays as it is. HashBy comes after it.
func (k *Kernel) CheckLazily(p *pieces.Pieces, before int) {
	if k.body == nil {
		return
	}
	f := &lazyFilter{unchecked: *k, pieces: p, before: before}
	switch k.format {
	case FastLocal, Blobloom:
		f.unit = BlockBytes
	case Paired: // the other block is in the same batch, which is in one piece
		if p.Size() >= 128*BlockBytes {
			f.unit = BlockBytes
		}
	case SplitBlock:
		f.unit = SplitBlockBytes
	case Legacy:
		f.unit = len(k.body) / int(k.legacy().lines)
	}
	if f.unit > p.Size() {
		f.unit = 0
	}
	*k = Kernel{body: k.body, format: lazily, own: unsafe.Pointer(f)}
	k.use(&inGoFunctions)
}

func (k *Kernel) lazy() *lazyFilter { return (*lazyFilter)(k.own) }

// isRight reports whether the bytes that a lookup of the hash reads are right.
func (f *lazyFilter) isRight(hash uint64) bool {
	if f.unit == 0 {
		_, isWrong := f.pieces.FirstWrong()
		return !isWrong && f.pieces.CheckAll()
	}
	block, blocks := uint32(0), uint32(len(f.unchecked.body)/f.unit)
	switch f.unchecked.format {
	case SplitBlock:
		block = fallback.SplitBlockOf(hash, blocks)
	case Legacy:
		block = uint32(hash) % blocks
	default:
		block = fallback.Block(hash, blocks)
	}
	return f.pieces.Check((f.before + int(block)*f.unit) / f.pieces.Size())
}

func lazilyContains(k *Kernel, hash uint64) bool {
	f := k.lazy()
	hit := f.unchecked.Contains(hash)
	if !f.pieces.AllRight() && !f.isRight(hash) {
		hit = true
	}
	runtime.KeepAlive(k)
	return hit
}

func lazilyBits(k *Kernel, hashes, hits []uint64) {
	f := k.lazy()
	f.unchecked.ContainsBits(hashes, hits)
	if !f.pieces.AllRight() {
		for i, hash := range hashes {
			if !f.isRight(hash) {
				hits[i/64] |= 1 << (i % 64)
			}
		}
	}
	runtime.KeepAlive(k)
}
