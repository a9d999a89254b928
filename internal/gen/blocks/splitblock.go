package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// The kernels of Parquet's split-block filter. A key's eight bits are in the eight words of a block of 32
// bytes: the low half of its hash, times eight salts, has their positions in the top five bits.

const splitBlockBytes = 32

// SplitBlock emits the kernels of split-block filters.
func SplitBlock(f *kernel.File) {
	const avx2, avx512 = "splitBlockContainsAVX2", "splitBlockContainsAVX512"
	splitBlockSingle512(f, avx512)
	splitBlockSingle256(f, avx2)
	functions := shared.Functions{
		Go: "splitBlockContainsGo", AVX2: avx2, Eight: avx512, More: avx512, Batch: "splitBlockBatch",
		FewBits: "splitBlockContainsFewBits", FewBools: "splitBlockContainsFewBools", InGo: "splitBlockBitsInGo",
	}
	functions.Define(f, "splitBlockFunctions")
	functions.Go, functions.InGo = "sharedSplitBlockContainsGo", "sharedSplitBlockBitsInGo"
	functions.Define(f, "sharedSplitBlockFunctions")
	splitBlockInBytes(f)
	splitBlockBatch512(f)
	splitBlockBatch256(f)
	splitBlockAdd(f, kernel.AVX512, "splitBlockAddAVX512")
	splitBlockAdd(f, kernel.AVX2, "splitBlockAddAVX2")
}

// splitSalts returns the address of the salts, once or for two keys.
func splitSalts(fn *kernel.Function, keys int) Mem {
	const low, second, third, high = 0x44974d9147b6137b, 0xa2b7289d8824ad5b, 0x2df1424b705495c7, 0x5c6bfb319efc4947
	if keys == 1 {
		return fn.Words("salts", low, second, third, high)
	}
	return fn.Words("saltsOfTwo", low, second, third, high, low, second, third, high)
}

// splitBlock returns the address of the hash's block.
func (s *Single) splitBlock() Mem {
	at := s.Fn.GP64()
	s.Hash.High(at)
	s.Fn.IMULQ(s.Size, at)
	s.Fn.SHRQ(U8(32), at)
	s.Fn.ANDQ(I8(-splitBlockBytes), at)
	s.Fn.ADDQ(s.Body, at)
	return Mem{Base: at}
}

// splitBits replaces the low half of a hash, in every word, by the key's bits. ones is a vector of ones,
// which may be the bits.
func splitBits(fn *kernel.Function, low, salts, ones, bits Op) {
	fn.VPMULLD(salts, low, low)
	fn.VPSRLD(U8(27), low, low)
	fn.VPSLLVD(low, ones, bits)
}

// splitBlockSingle512 uses no register that legacy SSE instructions can access: see fastLocalSingle512.
func splitBlockSingle512(f *kernel.File, name string) {
	s := NewEntry(f, kernel.AVX512, name)
	s.splitContains512(s.splitBlock())
}

func (s *Single) splitContains512(block Mem) {
	ones := reg.Y17
	s.Fn.VPBROADCASTD(s.One(), ones)
	missing := s.split512(block, splitSalts(s.Fn, 1), ones, ones)
	s.Fn.KORTESTB(missing, missing)
	s.Fn.SETEQ(s.Answer())
	s.Fn.RET()
}

// split512 returns which words of the block miss a bit. It takes what splitBits does, and changes Y16.
func (s *Single) split512(block Mem, salts, ones, bits Op) reg.OpmaskVirtual {
	low, missing := reg.Y16, s.Fn.K()
	s.Hash.lows(low)
	splitBits(s.Fn, low, salts, ones, bits)
	s.Fn.VPTESTNMD(block, bits, missing)
	return missing
}

func splitBlockSingle256(f *kernel.File, name string) {
	s := NewEntry(f, kernel.AVX2, name)
	s.splitContains256(s.splitBlock())
}

func (s *Single) splitContains256(block Mem) {
	bits := s.splitBits256()
	there := s.Fn.YMM()
	s.Fn.VMOVDQU(block, there)
	s.Fn.VPTEST(bits, there) // carries if it has all bits
	s.Fn.SETCS(s.Answer())
	s.Fn.VZEROUPPER()
	s.Fn.RET()
}

// splitBits256 returns the key's bits.
func (s *Single) splitBits256() reg.VecVirtual {
	low, bits := s.Fn.YMM(), s.Fn.YMM()
	s.Hash.lows(low)
	s.Fn.VPBROADCASTD(s.One(), bits)
	splitBits(s.Fn, low, splitSalts(s.Fn, 1), bits, bits)
	return bits
}

// splitBlockInBytes emits the kernels for a filter's bytes, which are blocks and nothing else.
func splitBlockInBytes(f *kernel.File) {
	s, block := newSplitBytes(f, kernel.AVX512, "splitBlockMayContain", "SplitBlockMayContain.")
	s.splitContains512(block)
	s.Otherwise("splitBlockMayContainAVX2")

	keyInBytes(f, "splitBlockMayContainKey", "SplitBlockMayContainKey of a key of up to 31 bytes.", hash.ShortXX64, "splitBlockMayContainAVX2", func(s *Single) {
		_, block := s.splitBytes()
		s.splitContains512(block)
	})

	s, block = newSplitBytes(f, kernel.AVX2, "splitBlockMayContainAVX2", "where splitBlockMayContain continues without AVX-512.")
	s.splitContains256(block)
	s.Otherwise("splitBlockMayContainOther")
}

func newSplitBytes(f *kernel.File, level kernel.Level, name, doc string) (s *Single, block Mem) {
	return newBytes(f, level, name, doc).splitBytes()
}

// splitBytes is newSplitBytes of a function that has begun, and maybe hashed the key.
func (s *Single) splitBytes() (_ *Single, block Mem) {
	const mostBlocks = 1<<27 - 1
	fn := s.Fn
	data, blocks, at := fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("size"), blocks)
	fn.TESTQ(U32(splitBlockBytes-1), blocks)
	fn.JNZ(LabelRef("other"))
	fn.SHRQ(U8(5), blocks)
	fn.LEAQ(Mem{Base: blocks, Disp: -1}, at)
	fn.CMPQ(at, U32(mostBlocks-1))
	fn.JHI(LabelRef("other"))
	fn.Load(fn.Param("data"), data)
	s.loadHash()
	s.Hash.High(at)
	fn.IMULQ(blocks, at)
	fn.SHRQ(U8(32), at)
	fn.SHLQ(U8(5), at)
	return s, Mem{Base: data, Index: at, Scale: 1}
}

// splitBlockAddSingle emits the kernels that add one key.
func splitBlockAddSingle(f *kernel.File) {
	s := newAddSingle(f, kernel.AVX2, "splitBlockAddKeyAVX2", add, "Add, at AVX2 and beyond.")
	block, bits := s.splitBlock(), s.splitBits256()
	s.Fn.VPOR(block, bits, bits)
	s.Fn.VMOVDQU(bits, block)
	s.Fn.VZEROUPPER()
	s.Fn.RET()

	s = newAddSingle(f, kernel.AVX2, "splitBlockAddIfAbsentAVX2", addIfAbsent, "AddIfAbsent, at AVX2 and beyond.")
	block, bits = s.splitBlock(), s.splitBits256()
	there := s.Fn.YMM()
	s.Fn.VMOVDQU(block, there)
	s.Fn.VPTEST(bits, there)
	s.Fn.SETCC(s.Answer())
	s.Fn.VPOR(there, bits, bits)
	s.Fn.VMOVDQU(bits, block)
	s.Fn.VZEROUPPER()
	s.Fn.RET()
}

func newSplitBatch(f *kernel.File, level kernel.Level, name string) *Batch {
	b := newBatch(f, level, name, true)
	b.split = true
	return b
}

func splitBlockBatch512(f *kernel.File) {
	b := newSplitBatch(f, kernel.AVX512, "splitBlockContainsBatchAVX512")
	b.loops("keys", newSplitOctet512(b.Fn), 1)
	b.done()
}

// splitOctet512 evaluates an octet of keys, two at a time.
type splitOctet512 struct {
	fn          *kernel.Function
	salts, ones reg.VecVirtual
	lows        []reg.VecVirtual // of two keys each: the indexes by which VPERMD takes the low halves
}

func newSplitOctet512(fn *kernel.Function) *splitOctet512 {
	o := &splitOctet512{fn: fn, salts: fn.ZMM(), ones: fn.ZMM()}
	fn.VMOVDQU64(splitSalts(fn, 2), o.salts)
	fn.VPBROADCASTD(fn.Words("one", 1|1<<32), o.ones)
	for first := uint64(0); first < shared.Octet; first += 2 {
		key, next := 2*first, 2*first+2 // the words of low halves
		key, next = key|key<<32, next|next<<32
		z := fn.ZMM()
		fn.VMOVDQU64(fn.Words("lows", key, key, key, key, next, next, next, next), z)
		o.lows = append(o.lows, z)
	}
	return o
}

func (o *splitOctet512) Width() int { return 1 }

// found returns a bit for each word of a pair's blocks.
func (o *splitOctet512) found(pair int, hashes Mem, block func(hash Mem) Mem) reg.OpmaskVirtual {
	low, blocks, found := o.fn.ZMM(), o.fn.ZMM(), o.fn.K()
	first := hashes.Offset(2 * shared.HashBytes * pair)
	o.fn.VPERMD(hashes, o.lows[pair], low)
	splitBits(o.fn, low, o.salts, o.ones, low)
	o.fn.VMOVDQU64(block(first), blocks.AsY())
	o.fn.VINSERTI64X4(U8(1), block(first.Offset(shared.HashBytes)), blocks, blocks)
	o.fn.VPTESTMD(blocks, low, found)
	return found
}

func (o *splitOctet512) Round() int { return shared.Octet }

func (o *splitOctet512) Mask(hashes Mem, block func(hash Mem) Mem, to Mem) {
	for pair := range o.lows {
		o.fn.KMOVW(o.found(pair, hashes, block), to.Offset(2*pair))
	}
}

func (o *splitOctet512) Compare(masks Mem) (bits, bools func(to Mem)) {
	return compare512(o.fn, func(ones reg.VecVirtual) { o.fn.VPCMPEQB(masks, ones, reg.K0) })
}

func (o *splitOctet512) Answer(hashes Mem, block func(hash Mem) Mem) reg.GPVirtual {
	halves := [2]reg.OpmaskVirtual{}
	for half := range halves {
		lower, upper := o.found(2*half, hashes, block), o.found(2*half+1, hashes, block)
		halves[half] = o.fn.K()
		o.fn.KUNPCKWD(lower, upper, halves[half])
	}
	o.fn.KUNPCKDQ(halves[0], halves[1], halves[0])
	found, all := o.fn.GP64(), o.fn.GP64()
	o.fn.KMOVQ(halves[0], found)
	// A key's top bit is set by a carry if all others are set; "and" it with the bit itself.
	o.fn.MOVQ(found, all)
	o.fn.ANDQ(o.fn.Words("allButTop", 0x7f7f7f7f7f7f7f7f), all)
	o.fn.ADDQ(o.fn.Words("lowest", 0x0101010101010101), all)
	o.fn.ANDQ(found, all)
	o.fn.PEXTQ(o.fn.Words("top", 0x8080808080808080), all, all)
	return all
}

func splitBlockBatch256(f *kernel.File) {
	b := newSplitBatch(f, kernel.AVX2, "splitBlockContainsBatchAVX2")
	salts, ones := b.Fn.YMM(), b.Fn.YMM()
	b.Fn.VMOVDQU(splitSalts(b.Fn, 1), salts)
	b.Fn.VPBROADCASTD(b.Fn.Words("one", 1|1<<32), ones)
	b.loops("keys", &octet256{b.Fn, func(hash Mem, block func(hash Mem) Mem) reg.GPVirtual {
		bits, there, found := b.Fn.YMM(), b.Fn.YMM(), b.Fn.GP32()
		b.Fn.VPBROADCASTD(hash, bits)
		splitBits(b.Fn, bits, salts, ones, bits)
		b.Fn.VPAND(block(hash), bits, there)
		b.Fn.VPCMPEQD(bits, there, there)
		b.Fn.VMOVMSKPS(there, found)
		return found
	}, shared.Octet}, 1)
	b.done()
}
