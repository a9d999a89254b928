package linear

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Registers for lines, beside those for headers.
const (
	lineKey      neon.X = shared.NEONFilter // for a step, as the next one
	lineShape    neon.X = shared.NEONHits   // the section's
	lineOther    neon.X = shared.NEONHashes
	lineShapes   neon.X = shared.NEONAhead // where the next section's is
	lineAnswers  neon.X = shared.NEONAt
	lineSections neon.X = shared.NEONScratch // that are left
	lineRecord   neon.X = lineFirst          // the next octet's first
	lineOf       neon.X = 11                 // where the octet's first line is found
	linePlanes   neon.X = 12
	lineWords    neon.X = 13 // with slots of the tail
	lineParities neon.X = 19
)

// Registers for a step.
const lineA, lineB, lineC, lineD = lineProduct, lineAt, lineHeader, lineEntry

// Where a vector's columns begin.
var lineOffsets = [6]neon.X{14, 15, 16, 17, 20, 21}

// Vectors that are the same for all keys of a section.
const (
	lineMultipliersHash neon.V = 20 // two lanes
	lineOnes            neon.V = 21
	linePlaces          neon.V = 22 // a bit for each of eight bytes
	lineFold            neon.V = 24
	lineAlign           neon.V = 25
	lineMask            neon.V = 26
	lineFirstColumns    neon.V = 27
	lineControl         neon.V = 28 // four
)

// Vectors of an octet, two of either.
const (
	lineExpected neon.V = 16 // fingerprints, from the highest bit of a lane on
	lineTail     neon.V = 18 // rows of the tail
)

// lines answers the keys of both sections.
func (l neonBatch) lines() {
	fn := l.fn
	const places = 0x8040201008040201
	fn.Constant(lineA, "linearHash", linearHigh|linearLow<<32, 0)
	fn.LdrQ(lineMultipliersHash, lineA, 0)
	fn.Constant(lineA, "places", places, places)
	fn.LdrQ(linePlaces, lineA, 0)
	fn.MoviB16(lineOnes, 1)
	fn.Argument(lineShapes, "k")
	fn.Field(lineShapes, lineShapes, "Kernel", "own", 0)
	fn.AddI(lineShapes, lineShapes, fn.Offset("linearFilter", "shapes"))
	fn.MovI(lineParities, frameParities)
	fn.AddShifted(lineParities, lineRecords, lineParities, 0)
	fn.AddI(lineAnswers, lineParities, frameAnswers-frameParities)
	fn.MovI(lineSections, 2)
	fn.MovI(lineA, 0)
	fn.AddI(shared.NEONLeft, lineFirst, 0)
	fn.Label("section")
	fn.LdrNext(lineShape, lineShapes)
	fn.CmpI(shared.NEONLeft, 0)
	fn.Beq("answered")
	fn.AddShifted(lineRecord, lineRecords, lineA, 4) // recordBytes
	fn.MovI(lineOf, frameLines)
	fn.AddShifted(lineOf, lineOf, lineA, 3)
	fn.AddShifted(lineOf, lineOf, lineRecords, 0)
	l.fill()
	l.constants()
	l.octets()
	fn.Label("answered")
	fn.AddI(lineA, lineSecond, 1)
	fn.MovI(shared.NEONLeft, lineTop)
	fn.Sub(shared.NEONLeft, shared.NEONLeft, lineA)
	fn.SubsI(lineSections, lineSections, 1)
	fn.Bne("section")
}

// fill fills the section's last octet up with keys of the first line, whose answers are nobody's.
func (l neonBatch) fill() {
	entry, number := lineA, lineB
	l.fn.AddShifted(entry, lineOf, shared.NEONLeft, 3)
	for i := range shared.Octet / 2 {
		l.fn.Stp(shared.NEONBody, shared.NEONBody, entry, 16*i)
	}
	l.fn.MovI(number, linearKeys<<numberAt)
	l.fn.AddShifted(entry, lineRecord, shared.NEONLeft, 4)
	for i := range shared.Octet {
		l.fn.Stp(neon.Zero, number, entry, recordBytes*i)
	}
}

// constants loads the values that a section's keys share.
func (l neonBatch) constants() {
	vector := func(to neon.V, field string, offset int) {
		l.fn.LdrQ(to, lineShape, l.fn.Offset("linearShape", field)+offset)
	}
	vector(lineFold, "fold", 0)
	vector(lineAlign, "align", 0)
	vector(lineMask, "mask", 0)
	vector(lineFirstColumns, "first", 0)
	for i := range 4 {
		vector(lineControl+neon.V(i), "control", neonVector*i)
	}
	for i, to := range lineOffsets {
		l.fn.Field(to, lineShape, "linearShape", "offsets", 8*i)
	}
	l.fn.Field(linePlanes, lineShape, "linearShape", "planes", 0)
}

// octets answers the keys of a section.
func (l neonBatch) octets() {
	l.fn.Label("octet")
	l.rows()
	l.columns()
	l.fn.Label("summed")
	l.tail()
	l.answers()
	l.fn.SubsI(shared.NEONLeft, shared.NEONLeft, shared.Octet)
	l.fn.Bgt("octet")
}

// rows makes rows of the planes, fingerprints, and rows of the tail.
func (l neonBatch) rows() {
	const low, high, multiplier, word = 0, 1, 2, 3
	const product, sum = 4, 6
	for half := range neon.V(2) {
		expected, tail := lineExpected+half, lineTail+half
		l.fn.Ld4S4Next(low, lineRecord)
		l.fn.UmullD2(product, high, multiplier)
		l.fn.Umull2D2(product+1, high, multiplier)
		l.fn.StpQ(product, product+1, lineParities, frameRows-frameParities+2*neonVector*int(half))
		l.fn.MulByLaneS4(expected, low, lineMultipliersHash, 1)
		l.fn.UmullByLaneD2(sum, high, lineMultipliersHash, 0)
		l.fn.Umull2ByLaneD2(sum+1, high, lineMultipliersHash, 0)
		l.fn.Uzp1S4(tail, sum, sum+1)
		l.fn.Uzp2S4(sum, sum, sum+1)
		l.fn.EorB16(expected, expected, sum)
		l.fn.UshlS4(tail, tail, word)
	}
}

// columns finds the parities of columns, in a loop over pairs of keys for each number of planes.
func (l neonBatch) columns() {
	rows, parities, left := lineA, lineB, lineC
	at := [2]neon.X{lineD, lineKey}
	l.fn.AddI(rows, lineParities, frameRows-frameParities)
	l.fn.AddI(parities, lineParities, 0)
	l.fn.MovI(left, shared.Octet/2)
	const most = 8
	for planes := 2; planes <= most; planes++ {
		loop, next := fmt.Sprint("planes", planes), fmt.Sprint("morePlanes", planes)
		if planes < most {
			l.fn.CmpI(linePlanes, planes)
			l.fn.Bne(next)
		}
		l.fn.Label(loop)
		l.fn.LdrQNext(lineRow, rows)
		if planes%2 != 0 { // the row begins in the middle of a byte
			l.fn.UshrD2(lineRow, lineRow, 4)
		}
		l.fn.LdpNext(at[0], at[1], lineOf)
		for key, at := range at {
			l.line(key, at, planes)
		}
		if planes <= widePlanes {
			l.fn.AddpB16(lineFirstSums[0], lineFirstSums[0], lineFirstSums[1])
			l.fn.StrQ(lineFirstSums[0], parities, pairsBytes)
		}
		l.fn.AddpB16(lineLastSums[0], lineLastSums[0], lineLastSums[1])
		l.fn.StrQNext(lineLastSums[0], parities)
		l.fn.SubsI(left, left, 1)
		l.fn.Bne(loop)
		if planes < most {
			l.fn.B("summed")
			l.fn.Label(next)
		}
	}
}

// widePlanes is the largest number of planes that have more than 16 columns: another vector has the
// last ones.
const widePlanes = 3

// Vectors of a line.
const (
	lineRow     neon.V = 0 // of two keys
	lineRowByte neon.V = 1 // in all bytes
	lineLoaded  neon.V = 2
)

// Of two keys.
var lineFirstSums, lineLastSums = [2]neon.V{4, 5}, [2]neon.V{6, 7}

// line XORs the planes of a line that are in the row, and makes bits of the columns' parities.
func (l neonBatch) line(key int, at neon.X, planes int) {
	first, last := lineFirstSums[key], lineLastSums[key]
	vectors, pairs := planes, planes == 8
	if pairs {
		vectors = planes / 2
		if key > 0 {
			l.fn.InsD(lineRow, 0, lineRow, 1)
		}
	}
	add := func(sum neon.V, load, vector int) {
		loaded := lineLoaded
		if vector == 0 {
			loaded = sum
		}
		if load == 0 {
			l.fn.LdrQ(loaded, at, 0)
		} else {
			l.fn.LdrQAt(loaded, at, lineOffsets[load-1])
		}
		if vector == vectors-1 && (planes == 6 || planes == 7) { // it begins before the plane
			l.fn.TblB16(loaded, loaded, lineControl)
		}
		l.fn.AndB16(loaded, loaded, lineRowByte)
		if vector > 0 {
			l.fn.EorB16(sum, sum, loaded)
		}
	}
	for vector := range vectors {
		if pairs {
			l.fn.TblB16(lineRowByte, lineRow, lineControl+neon.V(vector))
		} else {
			l.fn.DupB16(lineRowByte, lineRow, 8*key+(32-4*planes)/8+vector)
		}
		if planes <= widePlanes {
			add(first, vector, vector)
			add(last, planes+vector, vector)
		} else {
			add(last, vector, vector)
		}
	}
	if planes <= widePlanes {
		l.parity(first)
	}
	l.parity(last)
}

// parity replaces bytes by their parities, each one's bit at the column's place of eight.
func (l neonBatch) parity(sum neon.V) {
	l.fn.CntB16(sum, sum)
	l.fn.CmtstB16(sum, sum, lineOnes)
	l.fn.AndB16(sum, sum, linePlaces)
}

// tail adds the slots of the tail that are in the rows to the fingerprints. A slot's bits begin with
// the highest bit of a lane, and more bits follow.
func (l neonBatch) tail() {
	const words, shifted, shift, bit = 0, 4, 8, 9
	slot, word, at, slots := lineA, lineB, lineC, lineD
	l.fn.Field(lineWords, lineShape, "linearShape", "words", 0)
	l.fn.CmpI(lineWords, 0)
	l.fn.Beq("noTail")
	l.fn.AddI(slot, lineShape, l.fn.Offset("linearShape", "slots"))
	l.fn.AddI(word, lineShape, l.fn.Offset("linearShape", "word"))
	l.fn.Label("word")
	l.fn.LdpNext(at, slots, word)
	for pair := range shared.Octet / 2 {
		loaded := words + neon.V(2*pair)
		l.fn.Ldp(lineKey, lineOther, lineOf, 16*pair-8*shared.Octet)
		l.fn.LdrDAt(loaded, lineKey, at)
		l.fn.LdrDAt(loaded+1, lineOther, at)
		l.fn.Zip1D2(words+neon.V(pair), loaded, loaded+1)
	}
	l.fn.Label("slot")
	l.fn.LdpQNext(shift, bit, slot)
	for pair := range neon.V(shared.Octet / 2) {
		l.fn.UshlD2(shifted+pair, words+pair, shift)
	}
	for half := range neon.V(2) {
		l.fn.Uzp2S4(shifted+half, shifted+2*half, shifted+2*half+1)
	}
	for half := range neon.V(2) {
		in := shifted + 2 + half
		l.fn.CmtstS4(in, lineTail+half, bit)
		l.fn.AndB16(in, in, shifted+half)
		l.fn.EorB16(lineExpected+half, lineExpected+half, in)
	}
	l.fn.SubsI(slots, slots, 1)
	l.fn.Bne("slot")
	l.fn.SubsI(lineWords, lineWords, 1)
	l.fn.Bne("word")
	l.fn.Label("noTail")
}

// answers compares the parities of columns with the fingerprints, and puts the answers where the keys
// were.
func (l neonBatch) answers() {
	const parities, expected, found = 0, 1, 8
	l.parities(0)
	l.fn.UshlH8(expected, parities, lineFold)
	l.fn.EorB16(parities, parities, expected)
	l.fn.UshlH8(parities, parities, lineAlign)
	l.fn.Uzp2H8(expected, lineExpected, lineExpected+1)
	l.fn.AndB16(expected, expected, lineMask)
	l.fn.CmeqH8(found, parities, expected)
	l.fn.CmpI(linePlanes, widePlanes)
	l.fn.Bhi("narrow")
	l.parities(pairsBytes)
	for half := range neon.V(2) {
		l.fn.UshlS4(expected+half, lineExpected+half, lineFirstColumns)
	}
	l.fn.Uzp1H8(expected, expected, expected+1)
	l.fn.CmeqH8(parities, parities, expected)
	l.fn.AndB16(found, found, parities)
	l.fn.Label("narrow")
	l.fn.Uzp1B16(found, found, found)
	answers, number := lineA, lineB
	l.fn.FmovFromD(answers, found)
	for key := range shared.Octet {
		l.fn.LdrH(number, lineRecord, recordBytes*(key-shared.Octet)+numberByte)
		l.fn.StrBAt(answers, lineAnswers, number)
		l.fn.LsrI(answers, answers, 8)
	}
}

// parities loads those of 16 columns of the octet's keys.
func (l neonBatch) parities(offset int) {
	const pairs = 0 // four
	l.fn.LdpQ(pairs, pairs+1, lineParities, offset)
	l.fn.LdpQ(pairs+2, pairs+3, lineParities, offset+2*neonVector)
	l.fn.AddpB16(pairs, pairs, pairs+1)
	l.fn.AddpB16(pairs+2, pairs+2, pairs+3)
	l.fn.AddpB16(pairs, pairs, pairs+2)
}
