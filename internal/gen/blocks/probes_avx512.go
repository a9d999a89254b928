package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A Layout is the way the probes of several keys share a vector. A key takes 1, 2 or 4
// quadwords. There are 3 or 4 vectors of 32-bit products, with two in each quadword. A
// quadword ends up with room for eight byte indexes, so four vectors fill it.
type Layout struct{ Quadwords, vectors int }

// Layouts are in the order of their probes.
var Layouts = []Layout{{1, 3}, {1, 4}, {2, 3}, {2, 4}, {4, 3}, {4, 4}}

// Probes returns how many probes of a key there is room for.
func (l Layout) Probes() int { return 2 * l.Quadwords * l.vectors }

// Keys returns how many keys share a vector.
func (l Layout) Keys() int { return 8 / l.Quadwords }

// Scratch returns how many bytes of a vector a key has.
func (l Layout) Scratch() int { return 8 * l.Quadwords }

// Width returns how many bytes a key's answers take.
func (l Layout) Width() int { return l.Quadwords }

// cuts512 takes positions out of products. A product's top six bits say the byte, the
// three below the bit.
type cuts512 struct {
	fn                *kernel.Function
	vectors           int            // of products
	first, second     reg.VecVirtual // for VPMULTISHIFTQB
	lowHalf, highWord reg.VecVirtual // masks, of a quadword and of a doubleword
}

// newCuts512 emits the constants.
func newCuts512(f *kernel.Function, vectors int) *cuts512 {
	bytes := func(name string, b [8]byte) reg.VecVirtual { return broadcast512(f, name, b) }
	c := &cuts512{fn: f, vectors: vectors}
	// They begin at bits 10 and 7 of a packed word, 26 and 23 of a doubleword.
	c.first = bytes("firstCut", [8]byte{10, 26, 42, 58, 7, 23, 39, 55})
	if vectors == 4 {
		c.second = bytes("secondCutOfWords", [8]byte{7, 23, 39, 55, 10, 26, 42, 58})
	} else {
		c.second = bytes("secondCutOfDoublewords", [8]byte{23, 55, 23, 55, 26, 58, 26, 58})
	}
	c.lowHalf = bytes("lowHalf", [8]byte{0xff, 0xff, 0xff, 0xff})
	c.highWord = bytes("highWord", [8]byte{2: 0xff, 3: 0xff, 6: 0xff, 7: 0xff})
	return c
}

func broadcast512(f *kernel.Function, name string, b [8]byte) reg.VecVirtual {
	z := f.ZMM()
	f.VPBROADCASTQ(f.Bytes(name, b), z)
	return z
}

// blend sets to to from where the mask has ones.
func (c *cuts512) blend(mask, from, to reg.VecVirtual) { c.fn.VPTERNLOGD(U8(0xd8), mask, from, to) }

// cut overwrites the products. It returns the bytes' indexes in the low six bits of
// every byte, and the bits' in the low three, those of the upper half of a quadword's
// probes before those of the lower.
func (c *cuts512) cut(products []reg.VecVirtual) (bytes, bits reg.VecVirtual) {
	first, second := c.halves(products)
	bytes, bits = c.fn.ZMM(), first
	c.fn.VMOVDQA64(second, bytes)
	c.blend(c.lowHalf, first, bytes)
	c.blend(c.lowHalf, second, bits)
	return bytes, bits
}

// cutInOrder is cut with the bits' indexes in the order of the bytes'.
func (c *cuts512) cutInOrder(products []reg.VecVirtual) (bytes, bits reg.VecVirtual) {
	first, second := c.halves(products)
	bits = c.fn.ZMM()
	c.fn.VPSHRDQ(U8(32), second, first, bits)
	c.blend(c.lowHalf, first, second)
	return second, bits
}

// halves returns, in each quadword, the bytes' indexes of its lower probes followed by
// their bits', and the bits' indexes of the others followed by their bytes'.
func (c *cuts512) halves(products []reg.VecVirtual) (first, second reg.VecVirtual) {
	first, second = c.fn.ZMM(), c.fn.ZMM()
	c.fn.VPMULTISHIFTQB(c.packed(products[0], products[1]), c.first, first)
	if c.vectors == 4 {
		c.fn.VPMULTISHIFTQB(c.packed(products[2], products[3]), c.second, second)
	} else {
		c.fn.VPMULTISHIFTQB(products[2], c.second, second)
	}
	return first, second
}

// packed returns the top words of two products in each doubleword of the first.
func (c *cuts512) packed(low, upper reg.VecVirtual) reg.VecVirtual {
	c.fn.VPSRLD(U8(16), low, low)
	c.blend(c.highWord, upper, low)
	return low
}

// Probes512 evaluates the probes of the keys that share a vector. A block is the table in
// which VPERMB looks up 64 bytes: one instruction gathers a key's bytes, under a mask that
// leaves the other keys' bytes alone.
type Probes512 struct {
	fn *kernel.Function
	Layout
	Progression

	*cuts512
	Powers       []reg.VecVirtual
	seven, place reg.VecVirtual
	upperKeys    reg.VecVirtual
	own          map[int]reg.OpmaskVirtual // a key's bytes
}

// NewProbes512 emits the constants.
func NewProbes512(f *kernel.Function, l Layout, multipliers reg.Register) *Probes512 {
	p := &Probes512{fn: f, Layout: l, own: make(map[int]reg.OpmaskVirtual)}
	for i := range l.vectors {
		z := f.ZMM()
		switch from := (Mem{Base: multipliers, Disp: i * l.Scratch()}); l.Quadwords {
		case 1:
			f.VPBROADCASTQ(from, z)
		case 2:
			f.VBROADCASTI32X4(from, z)
		case 4:
			f.VBROADCASTI64X4(from, z)
		}
		p.Powers = append(p.Powers, z)
	}
	p.cuts512 = newCuts512(f, l.vectors)
	p.seven = broadcast512(f, "seven", [8]byte{7, 7, 7, 7, 7, 7, 7, 7})
	p.place = broadcast512(f, "place", [8]byte{32, 40, 48, 56, 0, 8, 16, 24})
	p.upperKeys = f.ZMM()
	f.VMOVDQU64(f.Words("upperKeys", 0, 0, 0, 0, ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)), p.upperKeys)

	for key := range l.Keys() {
		if key%(l.Keys()/2) == 0 {
			continue // the first of a chain overwrites it all
		}
		p.own[key] = f.K()
		f.KMOVQ(f.Words("own", (1<<l.Scratch()-1)<<(l.Scratch()*key)), p.own[key])
	}
	return p
}

// spread returns, for each of the vectors that an octet of keys fills, the
// indexes that VPERMD takes the high halves of its hashes by, or VPERMQ whole hashes if probes are cubic.
func (p *Probes512) spread() []reg.VecVirtual {
	var indexes []reg.VecVirtual
	for first := 0; first < shared.Octet; first += p.Keys() {
		var words [8]uint64
		for i := range words {
			key := uint64(first + i/p.Quadwords)
			if p.Progression == cubic {
				words[i] = key
			} else {
				words[i] = (2*key+1)<<32 | (2*key + 1)
			}
		}
		z := p.fn.ZMM()
		p.fn.VMOVDQU64(p.fn.Words("keys", words[:]...), z)
		indexes = append(indexes, z)
	}
	return indexes
}

// Positions computes where the probes look, from what spread takes of the keys' hashes, each
// repeated over the key's quadwords.
func (p *Probes512) Positions(key reg.VecVirtual) (bytes, bits reg.VecVirtual) {
	var products []reg.VecVirtual
	factor, first := p.begin(p.fn, key)
	for i := range p.Powers {
		products = append(products, p.add(p.fn, first, p.Product(i, factor)))
	}
	return p.Places(products)
}

func (p *Probes512) Product(i int, high reg.VecVirtual) reg.VecVirtual {
	z := p.fn.ZMM()
	p.fn.VPMULLD(p.Powers[i], high, z)
	return z
}

// Places takes positions out of the top bits of the products, which it overwrites:
// the bytes' indexes in the low six bits of every byte, and the bits' in the form
// that test takes.
func (p *Probes512) Places(products []reg.VecVirtual) (bytes, bits reg.VecVirtual) {
	bytes, bits = p.cut(products)
	// Bit b of a byte is bit 8*i+b of its quadword, i being 4 to 7 and then 0
	// to 3, because the halves of the two vectors lie crosswise.
	p.fn.VPTERNLOGD(U8(0xea), p.place, p.seven, bits) // bits&seven | place
	return bytes, bits
}

// BlockBytes returns the bytes of the keys' blocks. There is a chain of merges for
// either half of the keys, since each merge has to wait for the one before it.
func (p *Probes512) BlockBytes(bytes reg.VecVirtual, block func(key int) Mem) reg.VecVirtual {
	half := p.Keys() / 2
	chains := [2]reg.VecVirtual{p.fn.ZMM(), p.fn.ZMM()}
	for key := range p.Keys() {
		into := chains[key/half]
		if own, masked := p.own[key]; masked {
			p.fn.VPERMB(block(key), bytes, own, into)
		} else {
			p.fn.VPERMB(block(key), bytes, into)
		}
	}
	p.blend(p.upperKeys, chains[1], chains[0])
	return chains[0]
}

// Test leaves in K0 the bits that the probes look at.
func (p *Probes512) Test(bytes, bits reg.VecVirtual) { p.fn.VPSHUFBITQMB(bits, bytes, reg.K0) }

// passed returns a word in which the top bit of a key's part is set if all its
// bits are set in K0. Other bits may be, too.
func (p *Probes512) passed() reg.GPVirtual {
	found := p.fn.GP64()
	p.fn.KMOVQ(reg.K0, found)
	return p.AllOf(found)
}

// AllOf is passed of a word of such bits.
func (p *Probes512) AllOf(found reg.GPVirtual) reg.GPVirtual {
	all := p.fn.GP64()
	// A key's top bit is set by a carry if all others are set; "and" it with the bit itself.
	p.fn.MOVQ(found, all)
	p.fn.ANDQ(p.fn.Words("allButTop", ^p.Repeated(p.Scratch()-1)), all)
	p.fn.ADDQ(p.fn.Words("lowest", p.Repeated(0)), all)
	p.fn.ANDQ(found, all)
	return all
}

// Repeated returns a word with the given bit of every key's part.
func (p *Probes512) Repeated(bit int) (word uint64) {
	for key := range p.Keys() {
		word |= 1 << (key*p.Scratch() + bit)
	}
	return word
}

// reduce returns a bit for each key: whether all its bits are set in K0.
func (p *Probes512) reduce() reg.GPVirtual {
	var gatherer uint64 // brings all top bits together, at the top of a product
	for key := range p.Keys() {
		gatherer |= 1 << ((p.Keys() - 1 - key) * (p.Scratch() - 1))
	}
	all := p.passed()
	p.fn.ANDQ(p.fn.Words("top", p.Repeated(p.Scratch()-1)), all)
	p.fn.IMULQ(p.fn.Words("gatherer", gatherer), all)
	p.fn.SHRQ(U8(64-p.Keys()), all)
	return all
}

// oneByOne returns a byte for each of eight keys, 1 if all its bits are set in K0.
func (p *Probes512) oneByOne() reg.GPVirtual {
	all := p.passed()
	p.fn.SHRQ(U8(7), all)
	p.fn.ANDQ(p.fn.Words("lowest", p.Repeated(0)), all)
	return all
}
