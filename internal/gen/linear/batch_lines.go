package linear

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// lookAtLines emits the loop over blocks of 64 keys of a group.
func (b *batch) lookAtLines() {
	from := b.fn.GP64()
	b.fn.XORL(from.As32(), from.As32())
	b.fn.Label("block")
	b.block64(from)
	b.fn.ADDQ(U8(8), b.hits)
	b.fn.ADDQ(U8(shared.WordKeys), from)
	b.fn.CMPQ(from, b.keysNow)
	b.fn.JLT(LabelRef("block"))
}

// keys64 are at most 64 keys of a group, whose lines are looked at together.
type keys64 struct {
	*batch
	first      reg.GPVirtual // the first one's number
	n          reg.GPVirtual // how many there are
	at         reg.GPVirtual // of loops over them
	base, next reg.GPVirtual // the body, and the rooms of the next group

	hashes, placed, headers Mem
}

// block64 looks at the lines of at most 64 keys, and sets their answers.
func (b *batch) block64(from reg.GPVirtual) {
	k := b.newKeys64(from)
	k.findRows()
	k.loadTails()
	k.lookAtEach()
	k.answer()
}

func (b *batch) newKeys64(from reg.GPVirtual) *keys64 {
	room, bytes, at, n, most := b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.now, bytes)
	b.fn.ADDQ(from, bytes)
	b.fn.MOVQ(b.now, room)
	b.fn.LEAQ(Mem{Base: room, Index: from, Scale: 8}, room)
	b.fn.MOVQ(b.keysNow, n)
	b.fn.SUBQ(from, n)
	b.fn.MOVL(U32(shared.WordKeys), most.As32())
	b.fn.CMPQ(n, most)
	b.fn.CMOVQGT(most, n)
	k := &keys64{batch: b, first: from, n: n, at: at}
	k.hashes, k.placed, _ = roomOf(room, at)
	_, _, k.headers = roomOf(bytes, at)
	return k
}

// each emits a loop over the keys, eight at a time.
func (k *keys64) each(label string, do func()) {
	k.fn.XORL(k.at.As32(), k.at.As32())
	k.batch.each(label, k.at, k.n, do)
}

// forTailWords emits the code for each number of words that lines have of the tail.
func (k *keys64) forTailWords(words reg.GPVirtual, fewer, done string, emit func(words int)) {
	for i := linearTailWords; i > 0; i-- {
		next := LabelRef(fmt.Sprint(fewer, i))
		if i > 1 {
			k.fn.CMPQ(words, U8(uint8(i)))
			k.fn.JNE(next)
		}
		emit(i)
		if i > 1 {
			k.fn.JMP(LabelRef(done))
			k.fn.Label(string(next))
		}
	}
	k.fn.Label(done)
}

// findRows finds where each key's line is, and what to look at there.
func (k *keys64) findRows() {
	rows := k.steps.rows()
	k.each("rows", func() {
		for half := range k.steps.halves {
			rows(half, k.hashes, k.placed, k.headers, k.at)
		}
	})
}

// loadTails loads the words of the tail.
func (k *keys64) loadTails() {
	k.fn.Comment("The words of the lines that have the tail. This loop has more lines on their way than the next one could.")
	k.base, k.next = k.fn.GP64(), k.fn.GP64()
	k.fn.MOVQ(k.kernelField("lines"), k.base)
	k.forTailWords(k.mostOf("tailWords"), "fewer", "loaded", func(words int) {
		k.each(fmt.Sprint("tails", words), func() {
			for key := range shared.Octet {
				offset := k.fn.GP64()
				k.fn.MOVQ(k.block.offsets.Offset(8*key).Idx(k.at, 8), offset)
				for word := range words {
					k.loadTail(Mem{Base: k.base, Index: offset, Scale: 1}, k.at, key, word)
				}
			}
		})
	})
}

// lookAtEach computes the parities of each key's line, and prefetches what the next groups need.
func (k *keys64) lookAtEach() {
	k.fn.Comment("The loop that takes longest. Lines of the next group are prefetched between them: all at once,")
	k.fn.Comment("they would wait for each other.")
	parities := k.steps.parities()
	lookAt := func(i int) {
		offset, section := k.fn.GP64(), k.fn.GP64()
		k.fn.MOVQ(k.block.offsets.Offset(8*i).Idx(k.at, 8), offset)
		k.fn.MOVBLZX(k.placed.Offset(8*i), section.As32())
		line := Mem{Base: k.base, Index: offset, Scale: 1}
		parities(k.block.rows.Offset(8*i).Idx(k.at, 8), line, k.block.picks.Idx(section, 1), k.block.parities.Offset(8*i).Idx(k.at, 8))
	}
	k.fn.CMPQ(k.first, k.keysThen)
	k.fn.JGE(LabelRef("allNear"))
	k.from(k.then, k.first, k.next)
	k.fn.CMPQ(k.first, k.keysLater)
	k.fn.JGE(LabelRef("headersNear"))
	headers := k.fn.GP64()
	k.fn.MOVQ(k.kernelField("headers"), headers)
	k.fn.MOVQ(k.next, k.places)
	k.from(k.later, k.first, k.next)
	k.fn.MOVQ(k.next, k.placesLater)
	k.each("headersFar", func() {
		k.fn.MOVQ(k.placesLater, k.next)
		for i := range shared.Octet {
			k.prefetchHeader(headers, k.next, k.at, i)
		}
		k.fn.MOVQ(k.places, k.next)
		for i := range shared.Octet {
			k.prefetchLine(k.base, k.next, k.at, i)
			lookAt(i)
		}
	})
	k.fn.JMP(LabelRef("tails"))
	k.fn.Label("headersNear")
	k.each("far", func() {
		for i := range shared.Octet {
			k.prefetchLine(k.base, k.next, k.at, i)
			lookAt(i)
		}
	})
	k.fn.JMP(LabelRef("tails"))
	k.fn.Label("allNear")
	k.each("near", func() {
		for i := range shared.Octet {
			lookAt(i)
		}
	})
	k.fn.Label("tails")
}

// answer adds the tail to the parities, and sets the answers.
func (k *keys64) answer() {
	slots, found := k.mostOf("tail"), k.fn.GP64()
	words := k.mostOf("tailWords")
	k.fn.XORL(found.As32(), found.As32())
	k.forTailWords(words, "no", "answered", func(words int) {
		answers := k.steps.answers(words)
		k.each(fmt.Sprint("answers", words), func() {
			for half := range k.steps.halves {
				answers(half, k.placed, k.at, slots, found)
			}
		})
	})
	k.fn.BZHIQ(k.n, found, found)
	hits := k.fn.GP64()
	k.fn.MOVQ(k.hits, hits)
	k.fn.ORQ(found, Mem{Base: hits})
}

// from loads the address of a room, from a key on.
func (b *batch) from(room Mem, key, address reg.GPVirtual) {
	b.fn.MOVQ(room, address)
	b.fn.LEAQ(Mem{Base: address, Index: key, Scale: 8}, address)
}

// mostOf returns the larger number that the shapes of both sections have.
func (b *batch) mostOf(field string) reg.GPVirtual {
	most := b.fn.GP64()
	b.fn.MOVQ(b.fn.Field(b.shape(0), "linearShape", field), most)
	other := b.fn.Field(b.shape(1), "linearShape", field)
	b.fn.CMPQ(most, other)
	b.fn.CMOVQLT(other, most)
	return most
}

// loadTail loads a word of a line that has slots of the tail: the line's last one is 0.
func (b *batch) loadTail(line Mem, at reg.GPVirtual, key, i int) {
	word := b.fn.GP64()
	b.fn.MOVQ(line.Offset(shared.LineBytes-8*(i+1)), word)
	b.fn.MOVQ(word, b.block.tails[i].Offset(8*key).Idx(at, 8))
}
