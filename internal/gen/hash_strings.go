package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const (
	mostLong    = 127 // bytes of a string that the kernel hashes: of longer ones, Go hashes as many bytes a second
	stripeBytes = 32  // of XXH64's stripes
	stringWords = 4   // of a stripe, or of what is behind the last
)

// VPCMPUQ's comparisons.
const (
	atMost   = 2
	atLeast  = 5
	moreThan = 6
)

// hashStrings emits the kernels that hash strings: eight at a time, in the lanes of vectors. The last bytes of every string
// are loaded under a mask, so that nothing behind them is read; then the words of eight
// strings are transposed. A lane takes part in XXH64's steps that its length has. All have the same number of stripes:
// lanes that wait for the longest string make the kernel slower than Go.
func hashStrings(f *kernel.File) {
	hashStrings512(f, "32")
	hashStrings512(f, "64")
}

// A stringHasher emits XXH64 of eight strings.
type stringHasher struct {
	fn            *kernel.Function
	data, offsets reg.GPVirtual
	offsetBytes   int
	length        reg.VecVirtual
	sum           reg.VecVirtual
	words         map[uint64]reg.VecVirtual // constants, each in all lanes
}

func hashStrings512(f *kernel.File, bits string) {
	name := "hashStrings" + bits + "AVX512"
	fn := f.Function(kernel.AVX512, name, "func(hashes *uint64, offsets *uint"+bits+", data *byte, size int, n int, left *bool)",
		name+" is HashStrings of n strings, a multiple of eight. It leaves eight out, and says so, if one of them has",
		"more than 127 bytes, or some beyond the size of the data, or a negative number, or if one has another number of",
		"XXH64's stripes than the next. The offsets must not change meanwhile.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	s := &stringHasher{fn: fn, words: make(map[uint64]reg.VecVirtual)}
	hashes, n, left := param("hashes"), param("n"), param("left")
	s.data, s.offsets = param("data"), param("offsets")
	size := fn.ZMM()
	fn.VPBROADCASTQ(param("size"), size)
	for _, word := range []struct {
		name string
		word uint64
	}{
		{"xxPrime1", xxPrime1},
		{"xxPrime2", xxPrime2},
		{"xxPrime3", xxPrime3},
		{"xxPrime4", xxPrime4},
		{"xxPrime5", xxPrime5},
		{"one", 1},
		{"two", 2},
		{"three", 3},
		{"four", 4},
		{"word1", 7},
		{"word2", 15},
		{"word3", 23},
		{"mostLong", mostLong},
		{"lastBytes", stripeBytes - 1},
		{"lowByte", 1<<8 - 1},
		{"lowHalf", 1<<32 - 1},
	} {
		s.words[word.word] = fn.ZMM()
		fn.VPBROADCASTQ(fn.Words(word.name, word.word), s.words[word.word])
	}

	fn.Label("octets")
	from, to := fn.ZMM(), fn.ZMM()
	load := fn.VMOVDQU64
	s.offsetBytes = hashBytes
	if bits == "32" {
		load, s.offsetBytes = fn.VPMOVZXDQ, hashBytes/2
	}
	load(Mem{Base: s.offsets}, from)
	load(Mem{Base: s.offsets, Disp: s.offsetBytes}, to)
	s.length = fn.ZMM()
	fn.VPSUBQ(from, to, s.length)
	stripes, first := fn.ZMM(), fn.ZMM()
	fn.VPSRLQ(U8(5), s.length, stripes) // divided by stripeBytes
	fn.VPBROADCASTQ(stripes.AsX(), first)
	inside, ordered, short, alike := fn.K(), fn.K(), fn.K(), fn.K()
	fn.VPCMPUQ(U8(atMost), size, to, inside)
	fn.VPCMPUQ(U8(atMost), to, from, inside, ordered)
	fn.VPCMPUQ(U8(atMost), s.words[mostLong], s.length, ordered, short)
	fn.VPCMPEQQ(first, stripes, short, alike)
	fn.KORTESTB(alike, alike)
	fn.SETCC(Mem{Base: left}) // the carry is clear unless all are
	fn.JCC(LabelRef("next"))
	s.begin(first)
	s.hash(s.transposed(s.tail))
	fn.VMOVDQU64(s.sum, Mem{Base: hashes})

	fn.Label("next")
	fn.ADDQ(U32(octet*s.offsetBytes), s.offsets)
	fn.ADDQ(U32(octet*hashBytes), hashes)
	fn.INCQ(left)
	fn.SUBQ(U32(octet), n)
	fn.JNZ(LabelRef("octets"))
	fn.VZEROUPPER()
	fn.RET()
}

// offset loads where a string starts, or where the one before it ends.
func (s *stringHasher) offset(i int) reg.GPVirtual {
	offset, x := Mem{Base: s.offsets, Disp: i * s.offsetBytes}, s.fn.GP64()
	if s.offsetBytes == hashBytes {
		s.fn.MOVQ(offset, x)
	} else {
		s.fn.MOVL(offset, x.As32())
	}
	return x
}

// tail loads a string's bytes behind its last stripe, and zeros behind them.
func (s *stringHasher) tail(i int) reg.VecVirtual {
	fn := s.fn
	start, end := s.offset(i), s.offset(i+1)
	length, ones, mask, y := fn.GP64(), fn.GP32(), fn.K(), fn.YMM()
	fn.MOVL(end.As32(), length.As32())
	fn.SUBL(start.As32(), length.As32())
	fn.ANDL(U8(stripeBytes-1), length.As32())
	fn.SUBQ(length, end)
	fn.MOVL(I32(-1), ones)
	fn.BZHIL(length.As32(), ones, length.As32())
	fn.KMOVD(length.As32(), mask)
	fn.VMOVDQU8_Z(Mem{Base: s.data, Index: end, Scale: 1}, mask, y)
	return y
}

// transposed loads eight strings, and returns vectors of their first words, of their second ones, and so on.
func (s *stringHasher) transposed(load func(i int) reg.VecVirtual) (words [stringWords]reg.VecVirtual) {
	fn := s.fn
	rows := func(low, high int) reg.VecVirtual {
		x := load(low)
		z := fn.ZMM()
		fn.VINSERTI64X4(U8(1), load(high), x.AsZ(), z)
		return z
	}
	// Lanes of 128 bits of the first two: strings 0 and 1, the same, 2 and 3, the same.
	unpack := func(x, y reg.VecVirtual) (low, high reg.VecVirtual) {
		low, high = fn.ZMM(), fn.ZMM()
		fn.VPUNPCKLQDQ(y, x, low)
		fn.VPUNPCKHQDQ(y, x, high)
		return low, high
	}
	even, odd := unpack(rows(0, 2), rows(1, 3)) // words 0 and 2, words 1 and 3
	evenLast, oddLast := unpack(rows(4, 6), rows(5, 7))
	for i := range words {
		x, last := even, evenLast
		if i%2 == 1 {
			x, last = odd, oddLast
		}
		lanes := [2]uint8{0b10_00_10_00, 0b11_01_11_01}[i/2]
		words[i] = fn.ZMM()
		fn.VSHUFI64X2(U8(lanes), last, x, words[i])
	}
	return words
}

// begin hashes stripes, of which all strings have the number that is in a vector. It sets the sum to what XXH64 has before the
// words behind them, and the length to that of these.
func (s *stringHasher) begin(number reg.VecVirtual) {
	fn := s.fn
	left, stripe := fn.GP64(), fn.GP64()
	s.sum = fn.ZMM()
	fn.VMOVDQA64(s.words[xxPrime5], s.sum)
	fn.VMOVD(number.AsX(), left.As32())
	fn.TESTL(left.As32(), left.As32())
	fn.JZ(LabelRef("words"))

	var sums [stringWords]reg.VecVirtual
	for i := range sums {
		sums[i] = fn.ZMM()
	}
	fn.VPADDQ(s.words[xxPrime1], s.words[xxPrime2], sums[0])
	fn.VMOVDQA64(s.words[xxPrime2], sums[1])
	fn.VPXORQ(sums[2], sums[2], sums[2])
	fn.VPSUBQ(s.words[xxPrime1], sums[2], sums[3])
	fn.MOVQ(s.data, stripe)
	fn.Label("stripes")
	words := s.transposed(func(i int) reg.VecVirtual {
		y := fn.YMM()
		fn.VMOVDQU64(Mem{Base: stripe, Index: s.offset(i), Scale: 1}, y)
		return y
	})
	for i, sum := range sums {
		fn.VPMULLQ(s.words[xxPrime2], words[i], words[i])
		fn.VPADDQ(words[i], sum, sum)
		fn.VPROLQ(U8(31), sum, sum)
		fn.VPMULLQ(s.words[xxPrime1], sum, sum)
	}
	fn.ADDQ(U8(stripeBytes), stripe)
	fn.DECL(left.As32())
	fn.JNZ(LabelRef("stripes"))

	fn.VPROLQ(U8(1), sums[0], s.sum)
	for i, rotation := range []uint8{7, 12, 18} {
		x := fn.ZMM()
		fn.VPROLQ(U8(rotation), sums[i+1], x)
		fn.VPADDQ(x, s.sum, s.sum)
	}
	for _, sum := range sums {
		fn.VPMULLQ(s.words[xxPrime2], sum, sum)
		fn.VPROLQ(U8(31), sum, sum)
		fn.VPMULLQ(s.words[xxPrime1], sum, sum)
		fn.VPXORQ(sum, s.sum, s.sum)
		fn.VPMULLQ(s.words[xxPrime1], s.sum, s.sum)
		fn.VPADDQ(s.words[xxPrime4], s.sum, s.sum)
	}
	fn.Label("words")
	fn.VPADDQ(s.length, s.sum, s.sum)
	fn.VPANDQ(s.words[stripeBytes-1], s.length, s.length)
}

// hash sets the sum to the hashes. Less than a stripe is left of each string.
func (s *stringHasher) hash(words [stringWords]reg.VecVirtual) {
	fn := s.fn
	// tail is the word behind the whole ones.
	tail := fn.ZMM()
	fn.VMOVDQA64(words[0], tail)
	for i, most := range []uint64{7, 15, 23} {
		has, x := fn.K(), fn.ZMM()
		fn.VPCMPUQ(U8(moreThan), s.words[most], s.length, has)
		s.skip(has, "half")
		fn.VPMULLQ(s.words[xxPrime2], words[i], x)
		fn.VPROLQ(U8(31), x, x)
		fn.VPMULLQ(s.words[xxPrime1], x, x)
		fn.VPXORQ(s.sum, x, x)
		fn.VPROLQ(U8(27), x, x)
		fn.VPMULLQ(s.words[xxPrime1], x, x)
		fn.VPADDQ(s.words[xxPrime4], x, has, s.sum)
		fn.VMOVDQA64(words[i+1], has, tail)
	}
	fn.Label("half")
	half, x := fn.K(), fn.ZMM()
	fn.VPTESTMQ(s.words[4], s.length, half)
	s.skip(half, "bytes")
	fn.VPANDQ(s.words[1<<32-1], tail, x)
	fn.VPMULLQ(s.words[xxPrime1], x, x)
	fn.VPXORQ(s.sum, x, x)
	fn.VPROLQ(U8(23), x, x)
	fn.VPMULLQ(s.words[xxPrime2], x, x)
	fn.VPADDQ(s.words[xxPrime3], x, half, s.sum)
	fn.VPSRLQ(U8(32), tail, half, tail)

	fn.Label("bytes")
	bytes := fn.ZMM()
	fn.VPANDQ(s.words[3], s.length, bytes)
	for i := range 3 {
		has, x := fn.K(), fn.ZMM()
		fn.VPCMPUQ(U8(atLeast), s.words[uint64(i+1)], bytes, has)
		s.skip(has, "avalanche")
		fn.VPSRLQ(U8(8*i), tail, x)
		fn.VPANDQ(s.words[1<<8-1], x, x)
		fn.VPMULLQ(s.words[xxPrime5], x, x)
		fn.VPXORQ(s.sum, x, x)
		fn.VPROLQ(U8(11), x, x)
		fn.VPMULLQ(s.words[xxPrime1], x, has, s.sum)
	}
	fn.Label("avalanche")
	for _, step := range []struct {
		right uint8
		prime uint64
	}{{33, xxPrime2}, {29, xxPrime3}, {32, 0}} {
		x := fn.ZMM()
		fn.VPSRLQ(U8(step.right), s.sum, x)
		fn.VPXORQ(x, s.sum, s.sum)
		if step.prime != 0 {
			fn.VPMULLQ(s.words[step.prime], s.sum, s.sum)
		}
	}
}

// skip jumps if no lane takes part: often all strings have the same length.
func (s *stringHasher) skip(lanes reg.OpmaskVirtual, label string) {
	s.fn.KORTESTB(lanes, lanes)
	s.fn.JZ(LabelRef(label))
}
