package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lookAtLines emits the loop over blocks of 64 keys of a group.
func (b *linearBatch) lookAtLines() {
	from := b.fn.GP64()
	b.fn.XORL(from.As32(), from.As32())
	b.fn.Label("block")
	b.block64(from)
	b.fn.ADDQ(U8(8), b.hits)
	b.fn.ADDQ(U8(wordKeys), from)
	b.fn.CMPQ(from, b.keysNow)
	b.fn.JLT(LabelRef("block"))
}

// block64 looks at the lines of at most 64 keys, and sets their answers.
func (b *linearBatch) block64(from reg.GPVirtual) {
	room, bytes, at, n, most := b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.now, bytes)
	b.fn.ADDQ(from, bytes)
	b.fn.MOVQ(b.now, room)
	b.fn.LEAQ(Mem{Base: room, Index: from, Scale: 8}, room)
	b.fn.MOVQ(b.keysNow, n)
	b.fn.SUBQ(from, n)
	b.fn.MOVL(U32(wordKeys), most.As32())
	b.fn.CMPQ(n, most)
	b.fn.CMOVQGT(most, n)
	hashes, places, _ := roomOf(room, at)
	_, _, keyHeaders := roomOf(bytes, at)
	each := func(label string, do func()) {
		b.fn.XORL(at.As32(), at.As32())
		b.each(label, at, n, do)
	}

	rows := b.steps.rows()
	each("rows", func() {
		for half := range b.steps.halves {
			rows(half, hashes, places, keyHeaders, at)
		}
	})

	b.fn.Comment("The words of the lines that have the tail. This loop has more lines on their way than the next one could.")
	base, then := b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.kernelField("body"), base)
	words := b.mostOf("tailWords")
	for i := linearTailWords; i > 0; i-- {
		if i > 1 {
			b.fn.CMPQ(words, U8(uint8(i)))
			b.fn.JNE(LabelRef(fmt.Sprint("fewer", i)))
		}
		each(fmt.Sprint("tails", i), func() {
			for key := range octet {
				offset := b.fn.GP64()
				b.fn.MOVQ(b.block.offsets.Offset(8*key).Idx(at, 8), offset)
				for word := range i {
					b.loadTail(Mem{Base: base, Index: offset, Scale: 1}, at, key, word)
				}
			}
		})
		if i > 1 {
			b.fn.JMP(LabelRef("loaded"))
			b.fn.Label(fmt.Sprint("fewer", i))
		}
	}
	b.fn.Label("loaded")

	b.fn.Comment("The loop that takes longest. Lines of the next group are prefetched between them: all at once,")
	b.fn.Comment("they would wait for each other.")
	parities := b.steps.parities()
	lookAt := func(i int) {
		offset, section := b.fn.GP64(), b.fn.GP64()
		b.fn.MOVQ(b.block.offsets.Offset(8*i).Idx(at, 8), offset)
		b.fn.MOVBLZX(places.Offset(8*i), section.As32())
		line := Mem{Base: base, Index: offset, Scale: 1}
		parities(b.block.rows.Offset(8*i).Idx(at, 8), line, b.block.picks.Idx(section, 1), b.block.parities.Offset(8*i).Idx(at, 8))
	}
	b.fn.CMPQ(from, b.keysThen)
	b.fn.JGE(LabelRef("allNear"))
	b.from(b.then, from, then)
	b.fn.CMPQ(from, b.keysLater)
	b.fn.JGE(LabelRef("headersNear"))
	headers := b.fn.GP64()
	b.fn.MOVQ(b.kernelField("linearHeaders"), headers)
	b.fn.MOVQ(then, b.places)
	b.from(b.later, from, then)
	b.fn.MOVQ(then, b.placesLater)
	each("headersFar", func() {
		b.fn.MOVQ(b.placesLater, then)
		for i := range octet {
			b.prefetchHeader(headers, then, at, i)
		}
		b.fn.MOVQ(b.places, then)
		for i := range octet {
			b.prefetchLine(base, then, at, i)
			lookAt(i)
		}
	})
	b.fn.JMP(LabelRef("tails"))
	b.fn.Label("headersNear")
	each("far", func() {
		for i := range octet {
			b.prefetchLine(base, then, at, i)
			lookAt(i)
		}
	})
	b.fn.JMP(LabelRef("tails"))
	b.fn.Label("allNear")
	each("near", func() {
		for i := range octet {
			lookAt(i)
		}
	})
	b.fn.Label("tails")
	slots, found := b.mostOf("tail"), b.fn.GP64()
	words = b.mostOf("tailWords")
	b.fn.XORL(found.As32(), found.As32())
	for i := linearTailWords; i > 0; i-- {
		if i > 1 {
			b.fn.CMPQ(words, U8(uint8(i)))
			b.fn.JNE(LabelRef(fmt.Sprint("no", i)))
		}
		answers := b.steps.answers(i)
		each(fmt.Sprint("answers", i), func() {
			for half := range b.steps.halves {
				answers(half, places, at, slots, found)
			}
		})
		if i > 1 {
			b.fn.JMP(LabelRef("answered"))
			b.fn.Label(fmt.Sprint("no", i))
		}
	}
	b.fn.Label("answered")
	b.fn.BZHIQ(n, found, found)
	hits := b.fn.GP64()
	b.fn.MOVQ(b.hits, hits)
	b.fn.ORQ(found, Mem{Base: hits})
}

// from loads the address of a room, from a key on.
func (b *linearBatch) from(room Mem, key, address reg.GPVirtual) {
	b.fn.MOVQ(room, address)
	b.fn.LEAQ(Mem{Base: address, Index: key, Scale: 8}, address)
}

// mostOf returns the larger number that the shapes of both sections have.
func (b *linearBatch) mostOf(field string) reg.GPVirtual {
	most := b.fn.GP64()
	b.fn.MOVQ(b.fn.Field(b.shape(0), "linearShape", field), most)
	other := b.fn.Field(b.shape(1), "linearShape", field)
	b.fn.CMPQ(most, other)
	b.fn.CMOVQLT(other, most)
	return most
}

// loadTail loads a word of a line that has slots of the tail: the line's last one is 0.
func (b *linearBatch) loadTail(line Mem, at reg.GPVirtual, key, i int) {
	word := b.fn.GP64()
	b.fn.MOVQ(line.Offset(lineBytes-8*(i+1)), word)
	b.fn.MOVQ(word, b.block.tails[i].Offset(8*key).Idx(at, 8))
}
