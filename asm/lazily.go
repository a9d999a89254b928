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

// A lazyFilter is a filter whose bytes are checked when lookups need them. A lookup checks the pieces that it reads,
// unless all are known to be right, and then queries the filter, so that a mapped file's piece is read by one request.
// Where a piece is wrong, the answer is "may contain".
type lazyFilter struct {
	unchecked Kernel
	pieces    *pieces.Pieces
	before    int // bytes before the body
	unit      int // the size of the one block that a lookup reads, or 0 if it reads more
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
		switch f.unchecked.format {
		case Linear:
			return f.isRightInLinear(hash)
		case Ribbon:
			from, to := f.unchecked.ribbon().shape.Window(hash)
			return f.areRight(int(from), int(to-from))
		}
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

// isRightInLinear is isRight of a Linear filter, whose headers a lookup reads until it knows its line.
func (f *lazyFilter) isRightInLinear(hash uint64) bool {
	layers := &f.unchecked.linear().layers
	headers := layers.NumLines() * BlockBytes
	hash = fallback.LinearMix(hash)
	for layer := range layers.Number() {
		line, order, _, own := layers.Place(layer, hash)
		at := headers + int(line)
		if !f.areRight(at, 1) {
			return false
		}
		if fallback.LinearHolds(f.unchecked.body[at], order) {
			return f.areRight(int(line)*BlockBytes, BlockBytes)
		}
		hash = fallback.LinearNext(own)
	}
	return true
}

// areRight reports whether the pieces that have some bytes of the body are right.
func (f *lazyFilter) areRight(at, n int) bool {
	at += f.before
	for i := at / f.pieces.Size(); i*f.pieces.Size() < at+n; i++ {
		if !f.pieces.Check(i) {
			return false
		}
	}
	return true
}

func lazilyContains(k *Kernel, hash uint64) bool {
	f := k.lazy()
	hit := !f.pieces.AllRight() && !f.isRight(hash) || f.unchecked.Contains(hash)
	runtime.KeepAlive(k)
	return hit
}

func lazilyBits(k *Kernel, hashes, hits []uint64) {
	f := k.lazy()
	wrong := false
	if !f.pieces.AllRight() {
		for _, hash := range hashes {
			wrong = !f.isRight(hash) || wrong
		}
	}
	f.unchecked.ContainsBits(hashes, hits)
	if wrong {
		for i, hash := range hashes {
			if !f.isRight(hash) {
				hits[i/64] |= 1 << (i % 64)
			}
		}
	}
	runtime.KeepAlive(k)
}
