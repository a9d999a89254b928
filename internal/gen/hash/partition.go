package hash

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// As package fallback has them.
const (
	listBits    = 9
	segmentSize = 129 * 8
)

// listLinesAhead is how many lines ahead of a list's end the memory for it is prefetched.
// Stores retire in order, so one that misses the caches holds up all behind it.
const listLinesAhead = 2

// Partition emits the kernels that partition hashes into lists.
func Partition(f *kernel.File) {
	partitionHashes(f)
	prefetchSegment(f)
	copyOctets(f)
}

// partitionHashes emits a loop of as few instructions as possible. Hashes depend on each
// other only through their lists, so the processor works on many at once, and waits for
// memory only.
func partitionHashes(f *kernel.File) {
	fn := f.Function(kernel.Base, "partitionHashes", "func(lists *openList, before uint64, hashes *uint64, n int) (taken, dropped int)",
		"partitionHashes is Partition of n hashes, at least one.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	lists, before, hashes, n := param("lists"), param("before"), param("hashes"), param("n")
	end, start, dropped, hash, list, segment, length := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(hashes, start)
	fn.LEAQ(Mem{Base: hashes, Index: n, Scale: shared.HashBytes}, end)
	fn.XORL(dropped.As32(), dropped.As32())

	fn.Label("hashes")
	fn.MOVQ(Mem{Base: hashes}, hash)
	fn.ADDQ(U8(shared.HashBytes), hashes)
	fn.CMPQ(hash, before)
	fn.JEQ(LabelRef("drop"))
	fn.MOVQ(hash, before)
	fn.MOVL(hash.As32(), list.As32())
	fn.SHRL(U8(32-listBits), list.As32())
	fn.SHLL(U8(uint8(bits.TrailingZeros(uint(fn.Size("openList"))))), list.As32())
	open := func(field string) Mem {
		m := fn.Field(lists, "openList", field)
		m.Index, m.Scale = list, 1
		return m
	}
	fn.MOVQ(open("Segment"), segment)
	fn.MOVQ(open("Len"), length)
	fn.CMPQ(length, U32(segmentSize))
	fn.JCC(LabelRef("full"))
	fn.MOVQ(hash, Mem{Base: segment, Index: length, Scale: shared.HashBytes})
	fn.PREFETCHT1(Mem{Base: segment, Index: length, Scale: shared.HashBytes, Disp: shared.LineBytes * listLinesAhead})
	fn.INCQ(length)
	fn.MOVQ(length, open("Len"))
	fn.CMPQ(length, U32(segmentSize))
	fn.JEQ(LabelRef("done"))
	fn.Label("next")
	fn.CMPQ(hashes, end)
	fn.JB(LabelRef("hashes"))

	fn.Label("done")
	fn.SUBQ(start, hashes)
	fn.SHRQ(U8(3), hashes)
	fn.Store(hashes, fn.ReturnIndex(0))
	fn.Store(dropped, fn.ReturnIndex(1))
	fn.RET()

	// The caller guarantees that no list is full. If one is, it sees that no hash was taken,
	// and panics.
	fn.Label("full")
	fn.SUBQ(U8(shared.HashBytes), hashes)
	fn.JMP(LabelRef("done"))

	fn.Label("drop")
	fn.INCQ(dropped)
	fn.JMP(LabelRef("next"))
}

// prefetchSegment emits prefetches of the first hashes of a segment. The kernels do not
// prefetch these themselves, since the hashes before them lie elsewhere.
func prefetchSegment(f *kernel.File) {
	fn := f.Function(kernel.Base, "prefetchSegment", "func(segment *uint64)", "prefetchSegment is PrefetchSegment.")
	segment := fn.Load(fn.Param("segment"), fn.GP64())
	for line := range shared.AheadOfHashes / shared.LineBytes {
		fn.PREFETCHT0(Mem{Base: segment, Disp: shared.LineBytes * line})
	}
	fn.RET()
}

// copiedAhead is how many bytes ahead hashes are prefetched, and where they go: .80 ns a hash instead of 1.05 for 7 MB,
// and .26 instead of .28 for 100 KB (Emerald Rapids).
const copiedAhead = 1024

// copyOctets emits a loop of two loads and two stores for eight hashes.
func copyOctets(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "copyOctets", "func(to, from *uint64, octets int) (copied int)",
		"copyOctets copies octets of hashes, at least one, up to the first that has a hash equal to the one",
		"before it. It returns how many it copied. There is a hash before the first.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	to, from, octets := param("to"), param("from"), param("octets")
	left := fn.GP64()
	fn.MOVQ(octets, left)
	fn.Label("octets")
	fn.PREFETCHT0(Mem{Base: from, Disp: copiedAhead})
	fn.PREFETCHT0(Mem{Base: to, Disp: copiedAhead})
	var equal reg.VecVirtual
	var halves [2]reg.VecVirtual
	for i := range halves {
		y, same := fn.YMM(), fn.YMM()
		fn.VMOVDQU(Mem{Base: from, Disp: 32 * i}, y)
		fn.VPCMPEQQ(Mem{Base: from, Disp: 32*i - shared.HashBytes}, y, same)
		if i == 0 {
			equal = same
		} else {
			fn.VPOR(same, equal, equal)
		}
		halves[i] = y
	}
	fn.VPTEST(equal, equal)
	fn.JNZ(LabelRef("done"))
	for i, y := range halves {
		fn.VMOVDQU(y, Mem{Base: to, Disp: 32 * i})
	}
	fn.ADDQ(U8(shared.Octet*shared.HashBytes), from)
	fn.ADDQ(U8(shared.Octet*shared.HashBytes), to)
	fn.DECQ(left)
	fn.JNZ(LabelRef("octets"))
	fn.Label("done")
	fn.SUBQ(left, octets)
	fn.Store(octets, fn.ReturnIndex(0))
	fn.VZEROUPPER()
	fn.RET()
}
