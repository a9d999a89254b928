package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

// Registers of the kernel for linear filters, beside those that batches share.
const (
	lineShape neon.X = neonFilter

	// Of located keys.
	lineNumbers      neon.X = 9  // of the hashes
	lineQueue        neon.X = 10 // its hashes
	lineQueueNumbers neon.X = 11
	lineQueued       neon.X = 12
	lineHeld         neon.X = 13 // a bit for each key, the last one's lowest
	lineHeaders      neon.X = 14 // the table

	lineRowShift neon.X = 23 // of pairs of planes

	lineKeyBits neon.V = 20 // a bit for each key, the last one's lowest
)

// Registers by number.
var (
	lineHash     = [...]neon.X{25, 26}             // of neighbouring keys
	lineStep     = [...]neon.X{6, 7, 8}            // for a step
	lineAt       = [...]neon.X{15, 16, 17, 19}     // where located keys' lines are
	lineRow      = [...]neon.V{0, 1, 2, 3}         // their rows
	lineHashes   = [...]neon.V{4, 5}               // of four keys
	lineDistance = [...]neon.X{20, 21, 22, 23, 24} // of planes from the line
	lineExpected = [...]neon.V{15, 16}             // fingerprints of four keys each, from the highest bit down
)

// linearAhead is how many keys ahead a key is located. That takes long, because a header
// tells the multiplier of the row.
const linearAhead = 3

// linearLayer looks up hashes in one layer of a linear filter, eight at a time.
type linearLayer struct {
	fn *neon.Function
	linearForm
}

// linearNEON emits the kernel, which has a loop for every number of planes.
//
// Parity is linear: a key's planes are XORed before the parities of the columns are taken.
// The parities of eight keys are then gathered in the lanes of one vector, or of two where
// fingerprints have more than 16 bits. Fingerprints and tails are computed in the lanes.
func linearNEON(f *kernel.File) {
	const name = "linearLayerNEON"
	fn := neon.NewFunction(f, name,
		"func(s *linearShape, layer *byte, lines int, hashes *uint64, numbers *uint16, n int, hits *byte, queue *linearQueue, ahead int) int",
		name+" looks up n hashes, whole octets, in one layer. It sets the bits of those that it",
		"finds, puts the others that were bumped from their lines into the queue, with their",
		"numbers, and returns how many these are. The hashes and the numbers may be the queue's. If",
		"ahead is not 0, it prefetches the lines of hashes[i+ahead], which must exist.")
	fn.Argument(lineShape, "s")
	fn.Argument(neonBody, "layer")
	fn.Argument(neonSize, "lines")
	fn.Argument(neonHashes, "hashes")
	fn.Argument(lineNumbers, "numbers")
	fn.Argument(neonLeft, "n")
	fn.Argument(neonHits, "hits")
	fn.Argument(lineQueue, "queue")
	fn.AddI(lineQueueNumbers, lineQueue, fn.Offset("linearQueue", "numbers"))
	fn.AddI(lineQueue, lineQueue, fn.Offset("linearQueue", "hashes"))
	fn.MovI(lineQueued, 0)
	fn.Variable(lineHeaders, "linearHeaders")
	l := linearLayer{fn: fn}
	l.vector(lineKeyBits, "keyBits", 0x0010002000400080, 0x0001000200040008)
	l.vector(lineMultipliers, "linearMultipliers", linearHigh|linearLow<<32, 0)
	l.vector(tailSeedMask, "seedMask", 3|3<<32, 3|3<<32)
	l.vector(tailSeedBytes, "seedBytes", 0xffffff00|0xffffff04<<32, 0xffffff08|0xffffff0c<<32)
	fn.Field(neonAt, lineShape, "linearShape", "bits", 0)
	for i, form := range linearForms {
		next := fmt.Sprint("moreThan", form.most)
		if i+1 < len(linearForms) {
			fn.CmpI(neonAt, form.most)
			fn.Bhi(next)
		}
		l.linearForm = form
		l.loop(fmt.Sprint("upTo", form.most))
		fn.Label(next)
	}
}

// vector loads a constant.
func (l linearLayer) vector(to neon.V, name string, low, high uint64) {
	l.fn.Constant(neonScratch, name, low, high)
	l.fn.LdrQ(to, neonScratch, 0)
}

// loop emits the loop for a form, and the return.
func (l linearLayer) loop(label string) {
	l.constants()
	for key := range linearAhead {
		l.load(key)
		l.locate(key)
	}
	l.fn.Label(label)
	l.fn.Argument(neonAhead, "ahead")
	neonPrefetch(l.fn, label, octet, neonLine)
	for key := range octet {
		ahead := key + linearAhead
		if ahead == octet {
			l.next()
		}
		l.load(ahead)
		l.fn.Interleave(func() { l.locate(ahead) }, func() { l.parities(key) })
		if half := key / 4; key%4 == 0 {
			l.fingerprints(half)
			l.addTail(fmt.Sprint(label, "Half", half), half)
		}
	}
	l.answers()
	l.fn.CmpI(neonLeft, 0)
	l.fn.Bne(label)
	l.fn.Return()
}

// next moves on to the next octet, whose first keys are located while the last ones of this
// octet are looked up. After the last octet, that is done with the same octet again, and what
// it queues does not count.
func (l linearLayer) next() {
	more := neonScratch
	l.fn.Result(lineQueued)
	l.fn.SubsI(neonLeft, neonLeft, octet)
	l.fn.CsetNE(more)
	l.fn.AddShifted(neonHashes, neonHashes, more, 6) // hashBytes*octet
	l.fn.AddShifted(lineNumbers, lineNumbers, more, 4)
}

// load loads the hash of a key, and of others beside it. Keys are numbered from the octet's
// first, and the next octet's go on from there. The queue may be where the hashes are: it
// only overwrites those that were loaded.
func (l linearLayer) load(key int) {
	offset := hashBytes * (key % octet)
	if key%4 == 0 {
		l.fn.LdpQ(lineHashes[0], lineHashes[1], neonHashes, offset)
	}
	if key%2 == 0 {
		l.fn.Ldp(lineHash[0], lineHash[1], neonHashes, offset)
	}
}

// locate finds a key's line and row, and queues it if it was bumped.
func (l linearLayer) locate(key int) {
	hash, at := lineHash[key%len(lineHash)], lineAt[key%len(lineAt)]
	product, header, number := lineStep[0], lineStep[1], lineStep[2]
	l.fn.Umull(product, hash, neonSize)
	l.fn.LsrI(header, product, 32)
	l.fn.AddShifted(at, neonBody, header, 6)
	l.fn.LdrB(header, at, lineBytes-1)
	l.fn.Ubfx(product, product, 26, 6)
	l.fn.LdrH(number, lineNumbers, 2*(key%octet))
	l.fn.StrAt(hash, lineQueue, lineQueued)
	l.fn.StrHAt(number, lineQueueNumbers, lineQueued)
	l.fn.LdrAt(header, lineHeaders, header)
	l.fn.LsrI(hash, hash, 32)
	l.fn.CmpShifted(product, header, 32)
	l.fn.Adc(lineHeld, lineHeld, lineHeld)
	l.fn.CincLO(lineQueued, lineQueued)
	l.fn.Umull(hash, hash, header)
	l.alignRow(hash)
	l.fn.FmovD(lineRow[key%len(lineRow)], hash)
}

// neonLine finds the line of a hash.
func neonLine(fn *neon.Function, to, hashes neon.X, offset int) {
	fn.LdrW(to, hashes, offset)
	fn.Umull(to, to, neonSize)
	fn.LsrI(to, to, 32)
	fn.AddShifted(to, neonBody, to, 6)
}
