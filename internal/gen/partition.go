package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// As package fallback has them.
const (
	listBits    = 9
	segmentSize = 129 * 8
	openFields  = "Segment *byte; Len int"
)

func partition(f *kernel.File) {
	partitionHashes(f)
	prefetchSegment(f)
}

// partitionHashes emits a loop of as few instructions as there can be. Each hash depends on
// no other but through its list, so the processor is at many of them at once, and
// memory is what it waits for.
func partitionHashes(f *kernel.File) {
	fn := f.Function(kernel.Base, "partitionHashes", "func(lists *OpenList, before uint64, hashes *uint64, n int) (taken, dropped int)",
		"partitionHashes is Partition of n hashes, at least one.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	lists, before, hashes, n := param("lists"), param("before"), param("hashes"), param("n")
	end, start, dropped, hash, list, segment, length := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(hashes, start)
	fn.LEAQ(Mem{Base: hashes, Index: n, Scale: hashBytes}, end)
	fn.XORL(dropped.As32(), dropped.As32())

	fn.Label("hashes")
	fn.MOVQ(Mem{Base: hashes}, hash)
	fn.ADDQ(U8(hashBytes), hashes)
	fn.CMPQ(hash, before)
	fn.JEQ(LabelRef("drop"))
	fn.MOVQ(hash, before)
	fn.MOVL(hash.As32(), list.As32())
	fn.SHRL(U8(32-listBits), list.As32())
	fn.SHLL(U8(4), list.As32()) // the size of an OpenList
	open := func(field string) Mem {
		m := fn.Field(lists, "OpenList", field)
		m.Index, m.Scale = list, 1
		return m
	}
	fn.MOVQ(open("Segment"), segment)
	fn.MOVQ(open("Len"), length)
	fn.CMPQ(length, U32(segmentSize))
	fn.JCC(LabelRef("full"))
	fn.MOVQ(hash, Mem{Base: segment, Index: length, Scale: hashBytes})
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

	// No list was to be full. Who called will find that nothing was taken.
	fn.Label("full")
	fn.SUBQ(U8(hashBytes), hashes)
	fn.JMP(LabelRef("done"))

	fn.Label("drop")
	fn.INCQ(dropped)
	fn.JMP(LabelRef("next"))
}

// prefetchSegment emits what asks for the hashes of a segment that the kernels do not
// prefetch themselves, since those before lie elsewhere.
func prefetchSegment(f *kernel.File) {
	fn := f.Function(kernel.Base, "prefetchSegment", "func(segment *uint64)", "prefetchSegment is PrefetchSegment.")
	segment := fn.Load(fn.Param("segment"), fn.GP64())
	for line := range aheadOfHashes / lineBytes {
		fn.PREFETCHT0(Mem{Base: segment, Disp: lineBytes * line})
	}
	fn.RET()
}
