package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// countKeys are checked before any of them is counted.
const countKeys = 64

// counter emits an octet of keys.
type counter interface {
	// indexes stores the indexes of the keys' counts as quadwords.
	indexes(hashes, to Mem)
	// outside returns a value other than 0 if any index was outside of the counts.
	outside() reg.GPVirtual
}

// count emits a function that counts the keys of blocks.
func count(f *kernel.File, level kernel.Level, name string, newCounter func(fn *kernel.Function, blocks, from, counts Mem) counter) {
	fn := f.Function(level, name, "func(counts *uint16, length, from, blocks uint64, hashes *uint64, n int) (left int)",
		name+" counts n hashes, a multiple of 64. counts has the given length and begins with block from.",
		"It stops before 64 hashes of which one has no count, and returns how many are left.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	counts, hashes, n := param("counts"), param("hashes"), param("n")
	scratch := fn.AllocLocal(8 * countKeys)
	address := func(name string) Mem { return fn.Address(fn.Param(name)) }
	c := newCounter(fn, address("blocks"), address("from"), address("length"))
	fn.Label("keys")
	for i := range countKeys / shared.Octet {
		hashes := Mem{Base: hashes, Disp: shared.HashBytes * shared.Octet * i}
		fn.PREFETCHT0(hashes.Offset(shared.AheadOfHashes))
		c.indexes(hashes, scratch.Offset(8*shared.Octet*i))
	}
	outside := c.outside()
	fn.TESTQ(outside, outside)
	fn.JNZ(LabelRef("done"))
	for key := range countKeys {
		index := fn.GP64()
		fn.MOVQ(scratch.Offset(8*key), index)
		fn.INCW(Mem{Base: counts, Index: index, Scale: 2})
	}
	fn.ADDQ(U32(shared.HashBytes*countKeys), hashes)
	fn.SUBQ(U8(countKeys), n)
	fn.JNZ(LabelRef("keys"))
	fn.Label("done")
	fn.Store(n, fn.ReturnIndex(0))
	fn.VZEROUPPER()
	fn.RET()
}

// counter512 keeps the largest indexes of all octets.
type counter512 struct {
	fn                   *kernel.Function
	blocks, from, counts reg.VecVirtual
	all                  reg.VecVirtual // the largest indexes
}

func newCounter512(fn *kernel.Function, blocks, from, counts Mem) counter {
	c := &counter512{fn, fn.ZMM(), fn.ZMM(), fn.ZMM(), fn.ZMM()}
	fn.VPBROADCASTQ(blocks, c.blocks)
	fn.VPBROADCASTQ(from, c.from)
	fn.VPBROADCASTQ(counts, c.counts)
	fn.VPXORQ(c.all, c.all, c.all)
	return c
}

func (c *counter512) indexes(hashes, to Mem) {
	z := c.fn.ZMM()
	c.fn.VPMULUDQ(hashes, c.blocks, z)
	c.fn.VPSRLQ(U8(32), z, z)
	c.fn.VPSUBQ(c.from, z, z) // below 0 it is very large
	c.fn.VPMAXUQ(z, c.all, c.all)
	c.fn.VMOVDQU64(z, to)
}

func (c *counter512) outside() reg.GPVirtual {
	const notLess = 5
	mask, outside := c.fn.K(), c.fn.GP64()
	c.fn.VPCMPUQ(U8(notLess), c.counts, c.all, mask)
	c.fn.KMOVB(mask, outside.As32())
	return outside
}

type counter256 struct {
	fn                 *kernel.Function
	blocks, from, last reg.VecVirtual
	all                reg.VecVirtual // whose signs say that an index is outside
}

func newCounter256(fn *kernel.Function, blocks, from, counts Mem) counter {
	c := &counter256{fn, fn.YMM(), fn.YMM(), fn.YMM(), fn.YMM()}
	fn.VPBROADCASTQ(blocks, c.blocks)
	fn.VPBROADCASTQ(from, c.from)
	fn.VPBROADCASTQ(counts, c.last)
	fn.VPCMPEQD(c.all, c.all, c.all)
	fn.VPADDQ(c.all, c.last, c.last)
	fn.VPXOR(c.all, c.all, c.all)
	return c
}

func (c *counter256) indexes(hashes, to Mem) {
	for half := range 2 {
		y, beyond := c.fn.YMM(), c.fn.YMM()
		c.fn.VMOVDQU(hashes.Offset(32*half), y)
		c.fn.VPMULUDQ(c.blocks, y, y)
		c.fn.VPSRLQ(U8(32), y, y)
		c.fn.VPSUBQ(c.from, y, y)
		c.fn.VPSUBQ(y, c.last, beyond)
		c.fn.VPOR(y, beyond, beyond)
		c.fn.VPOR(beyond, c.all, c.all)
		c.fn.VMOVDQU(y, to.Offset(32*half))
	}
}

func (c *counter256) outside() reg.GPVirtual {
	outside := c.fn.GP64()
	c.fn.VMOVMSKPD(c.all, outside.As32())
	return outside
}
