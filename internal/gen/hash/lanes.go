package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// keyLanes are a word of each of eight keys: a vector of AVX-512, or two of AVX2. In pairs of octets they have two
// vectors of AVX-512. They are registers, or memory that is
// read.
type keyLanes []Op

// marks are the lanes that take part: masks of AVX-512, or vectors of AVX2 whose lanes are zeros or ones.
type marks struct {
	masks []reg.OpmaskVirtual
	all   keyLanes
}

// laneCode emits arithmetic on lanes, in either instruction set.
type laneCode struct {
	fn     *kernel.Function
	wide   bool                      // AVX-512
	octets int                       // hashed together: 1, or 2 in AVX-512
	primes map[uint64]reg.VecVirtual // AVX-512: those in registers
	room   Mem                       // AVX2: memory of the function for lanes and stripes
	used   int                       // bytes of it
}

// laneRoom is the number of bytes that AVX2 needs for lanes that do not fit into its registers.
const laneRoom = 10 * shared.Octet * shared.HashBytes

func newLaneCode(fn *kernel.Function, wide bool, primes []uint64) *laneCode {
	c := &laneCode{fn: fn, wide: wide, octets: 1, primes: make(map[uint64]reg.VecVirtual)}
	if !wide {
		return c
	}
	for _, prime := range primes {
		z := fn.ZMM()
		fn.VPBROADCASTQ(fn.Words("prime", prime), z)
		c.primes[prime] = z
	}
	return c
}

// vectors returns the number of vectors of all lanes.
func (c *laneCode) vectors() int {
	if c.wide {
		return c.octets
	}
	return 2
}

func (c *laneCode) vector() reg.VecVirtual {
	if c.wide {
		return c.fn.ZMM()
	}
	return c.fn.YMM()
}

// registers returns registers for the given number of vectors.
func (c *laneCode) registers(vectors int) (x keyLanes) {
	for range vectors {
		x = append(x, c.vector())
	}
	return x
}

// constant returns the address of a word: one for AVX-512, which broadcasts it, and four for AVX2.
func (c *laneCode) constant(word uint64) Mem {
	if c.wide {
		return c.fn.Words("word", word)
	}
	return c.fn.Words("words", word, word, word, word)
}

func (c *laneCode) prime(prime uint64) Op {
	if c.wide {
		return c.primes[prime]
	}
	return c.constant(prime)
}

func (c *laneCode) move(from, to Op) {
	if c.wide {
		c.fn.VMOVDQU64(from, to)
	} else {
		c.fn.VMOVDQU(from, to)
	}
}

func (c *laneCode) copied(x keyLanes) keyLanes {
	y := c.registers(len(x))
	for i := range x {
		c.move(x[i], y[i])
	}
	return y
}

func (c *laneCode) store(x keyLanes, to Mem) {
	for i := range x {
		c.move(x[i], to.Offset(i*shared.Octet*shared.HashBytes/c.vectors()))
	}
}

// slot returns memory of the function.
func (c *laneCode) slot(bytes int) Mem {
	if c.used == 0 {
		c.room = c.fn.AllocLocal(laneRoom)
	}
	m := c.room.Offset(c.used)
	if c.used += bytes; c.used > laneRoom {
		panic("more keyLanes than there is room for")
	}
	return m
}

// slotted returns lanes in memory for AVX2, and in registers for AVX-512.
func (c *laneCode) slotted() (x keyLanes) {
	if c.wide {
		return c.registers(c.vectors())
	}
	for range c.vectors() {
		x = append(x, c.slot(shared.Octet*shared.HashBytes/c.vectors()))
	}
	return x
}

func (c *laneCode) set(x, to keyLanes) {
	for i := range x {
		c.move(x[i], to[i])
	}
}

// fill sets lanes to a prime.
func (c *laneCode) fill(prime uint64, x Op) { c.move(c.prime(prime), x) }

// multiply sets a vector to its product with a prime. AVX2 has products of half words: modulo 2^64, the
// product is that of the lower halves, with those of a lower and an upper half added to its upper half.
func (c *laneCode) multiply(prime uint64, x Op) {
	if z, ok := c.primes[prime]; ok {
		c.fn.VPMULLQ(z, x, x)
		return
	} else if c.wide {
		c.fn.VPMULLQ_BCST(c.constant(prime), x, x)
		return
	}
	crossed, y := c.fn.YMM(), c.fn.YMM()
	swapped := prime<<32 | prime>>32
	c.fn.VPMULLD(c.constant(swapped), x, crossed)
	c.fn.VPSRLQ(U8(32), crossed, y)
	c.fn.VPADDD(y, crossed, crossed)
	c.fn.VPSLLQ(U8(32), crossed, crossed)
	c.fn.VPMULUDQ(c.constant(prime), x, x)
	c.fn.VPADDQ(crossed, x, x)
}

func (c *laneCode) rotate(left uint8, x Op) {
	if c.wide {
		c.fn.VPROLQ(U8(left), x, x)
		return
	}
	y := c.fn.YMM()
	c.fn.VPSRLQ(U8(64-left), x, y)
	c.fn.VPSLLQ(U8(left), x, x)
	c.fn.VPOR(y, x, x)
}

func (c *laneCode) xor(y, x Op) {
	if c.wide {
		c.fn.VPXORQ(y, x, x)
	} else {
		c.fn.VPXOR(y, x, x)
	}
}

// xorWord is xor with a word in all lanes.
func (c *laneCode) xorWord(word uint64, x Op) {
	if c.wide {
		c.fn.VPXORQ_BCST(c.constant(word), x, x)
	} else {
		c.fn.VPXOR(c.constant(word), x, x)
	}
}

func (c *laneCode) or(y, x Op) {
	if c.wide {
		c.fn.VPORQ(y, x, x)
	} else {
		c.fn.VPOR(y, x, x)
	}
}

// addWord adds a word to all lanes.
func (c *laneCode) addWord(word uint64, x Op) {
	if c.wide {
		c.fn.VPADDQ_BCST(c.constant(word), x, x)
	} else {
		c.fn.VPADDQ(c.constant(word), x, x)
	}
}

// broadcast sets all lanes to a word.
func (c *laneCode) broadcast(word uint64, x Op) {
	if c.wide {
		c.fn.VPBROADCASTQ(c.constant(word), x)
	} else {
		c.move(c.constant(word), x)
	}
}

// and clears the bits of lanes that a word does not have.
func (c *laneCode) and(word uint64, x keyLanes) {
	for i := range x {
		if c.wide {
			c.fn.VPANDQ_BCST(c.constant(word), x[i], x[i])
		} else {
			c.fn.VPAND(c.constant(word), x[i], x[i])
		}
	}
}

// masked returns lanes with the bits of a word.
func (c *laneCode) masked(word uint64, x keyLanes) keyLanes {
	y := c.registers(len(x))
	for i := range x {
		if c.wide {
			c.fn.VPANDQ_BCST(c.constant(word), x[i], y[i])
		} else {
			c.move(x[i], y[i])
		}
	}
	if !c.wide {
		c.and(word, y)
	}
	return y
}

func (c *laneCode) shifted(right uint8, x keyLanes) keyLanes {
	y := c.registers(len(x))
	for i, from := range x {
		if _, memory := from.(Mem); memory { // AVX2 takes none
			c.move(from, y[i])
			from = y[i]
		}
		c.fn.VPSRLQ(U8(right), from, y[i])
	}
	return y
}

// moreThan marks the lanes of small numbers that are larger than n.
func (c *laneCode) moreThan(n uint64, x keyLanes) (m marks) {
	if c.wide {
		for _, y := range x {
			mask := c.fn.K()
			c.fn.VPCMPUQ_BCST(U8(moreThan), c.constant(n), y, mask)
			m.masks = append(m.masks, mask)
		}
		return m
	}
	m.all = c.copied(x)
	for _, y := range m.all {
		c.fn.VPCMPGTQ(c.constant(n), y, y)
	}
	return m
}

// jumpIfNone jumps if no lane is marked.
func (c *laneCode) jumpIfNone(m marks, label string) {
	c.test(m)
	c.fn.JZ(LabelRef(label))
}

// jumpIfAny jumps if a lane is marked.
func (c *laneCode) jumpIfAny(m marks, label string) {
	c.test(m)
	c.fn.JNZ(LabelRef(label))
}

// jumpUnlessAll jumps if a lane is not marked.
func (c *laneCode) jumpUnlessAll(m marks, label string) {
	if c.wide {
		for _, mask := range m.masks {
			c.fn.KORTESTB(mask, mask)
			c.fn.JCC(LabelRef(label)) // the carry is clear unless all are
		}
		return
	}
	all, bytes := c.fn.YMM(), c.fn.GP32()
	c.fn.VPAND(m.all[0], m.all[1], all)
	c.fn.VPMOVMSKB(all, bytes)
	c.fn.CMPL(bytes, I8(-1))
	c.fn.JNE(LabelRef(label))
}

// test sets the zero flag if no lane is marked.
func (c *laneCode) test(m marks) {
	if c.wide {
		c.fn.KORTESTB(m.masks[0], m.masks[len(m.masks)-1])
	} else {
		some := c.fn.YMM()
		c.move(m.all[0], some)
		for _, y := range m.all[1:] {
			c.fn.VPOR(y, some, some)
		}
		c.fn.VPTEST(some, some)
	}
}

// countDown subtracts 1 from the numbers of a vector, and marks those of the marked lanes where they are not zero.
func (c *laneCode) countDown(x keyLanes, m marks) {
	if c.wide {
		c.fn.VPADDQ_BCST(c.constant(1<<64-1), x[0], x[0])
		c.fn.VPTESTMQ(x[0], x[0], m.masks[0], m.masks[0])
		return
	}
	y := m.all[0] // lanes that are not marked become negative
	c.move(c.constant(1<<64-1), y)
	c.fn.VPADDQ(x[0], y, y)
	c.move(y, x[0])
	c.fn.VPCMPGTQ(c.constant(0), y, y)
}

// choose sets the marked lanes of x to those of y.
func (c *laneCode) choose(m marks, y, x keyLanes) {
	for i := range x {
		if c.wide {
			c.fn.VMOVDQA64(y[i], m.masks[i], x[i])
		} else {
			c.fn.VPBLENDVB(m.all[i], y[i], x[i], x[i])
		}
	}
}

// addWhere sets the marked lanes of x to the sums of a prime and y, which is overwritten.
func (c *laneCode) addWhere(m marks, prime uint64, y, x keyLanes) {
	if c.wide {
		for i := range y {
			c.fn.VPADDQ(c.primes[prime], y[i], m.masks[i], x[i])
		}
		return
	}
	for i := range y {
		c.fn.VPADDQ(c.constant(prime), y[i], y[i])
	}
	c.choose(m, y, x)
}

// multiplyWhere sets the marked lanes of x to the products of a prime and y, which is overwritten.
func (c *laneCode) multiplyWhere(m marks, prime uint64, y, x keyLanes) {
	if c.wide {
		for i := range y {
			c.fn.VPMULLQ(c.primes[prime], y[i], m.masks[i], x[i])
		}
		return
	}
	for i := range y {
		c.multiply(prime, y[i])
	}
	c.choose(m, y, x)
}
