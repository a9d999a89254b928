package main

import (
	"math/bits"
	"slices"

	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

// A linearForm is how fingerprints of some lengths are looked up, whose lines have the same
// number of planes.
type linearForm struct {
	least, most int // bits
	planes      int
	layout      linearLayout
	tails       linearTails
}

// A linearLayout is which columns a vector has.
type linearLayout int

const (
	planePairs   linearLayout = iota // all columns of two planes, side by side
	narrowPlanes                     // all columns of a plane
	cutPlanes                        // the same, but the last plane's vector begins before it, to end with the line
	widePlanes                       // a plane's first columns; another vector has the last ones
)

// linearTails says which tails the lines of a form have.
type linearTails int

const (
	noTail  linearTails = iota
	oneWord             // all slots in the word that has the header
	anyTail             // perhaps no slots, perhaps some in other words
)

var linearForms = []linearForm{
	{7, 8, 8, planePairs, oneWord},
	{9, 9, 7, cutPlanes, noTail},
	{10, 10, 6, cutPlanes, oneWord},
	{11, 12, 5, narrowPlanes, oneWord},
	{13, 15, 4, narrowPlanes, anyTail},
	{16, 16, 3, narrowPlanes, anyTail},
	{17, 21, 3, widePlanes, anyTail},
	{22, 31, 2, widePlanes, anyTail},
}

// Vectors of the planes.
const (
	lineColumns neon.V = 6 // of a plane
	lineLast    neon.V = 7 // its last ones
	lineRowByte neon.V = 8 // in all bytes
	lineSum     neon.V = 9 // of the planes
	lineLastSum neon.V = 10
	lineTree    neon.V = 11 // of parities: four parts

	lineOnes   neon.V = 21 // where the parities are
	linePlaces neon.V = 22 // their places among those of neighbouring columns: bits, or by how much they are shifted

	lineControl neon.V = 27 // four: which bytes of the row belong to the columns, or where the cut plane's are
	lineAlign   neon.V = 24 // how far parities or fingerprints are shifted
	lineMask    neon.V = 25 // a fingerprint's bits
	lineFold    neon.V = 26 // how far the second plane of a pair is shifted
)

// constants loads what is the same for all keys.
func (l linearLayer) constants() {
	shape := func(to neon.V, field string, offset int) {
		l.fn.LdrQ(to, lineShape, l.fn.Offset("linearShape", field)+offset)
	}
	for i, d := range l.distances() {
		l.fn.MovI(neonScratch, d.planes)
		l.fn.Umull(lineDistance[i], neonScratch, neonAt) // the fingerprint's bits
		if d.less > 0 {
			l.fn.SubI(lineDistance[i], lineDistance[i], d.less)
		}
	}
	shape(lineAlign, "align", 0)
	ones, places := uint8(1), uint64(0x8040201008040201)
	if l.layout == widePlanes {
		ones, places = 1<<4|1, 0x0302010003020100
	}
	l.fn.MoviB16(lineOnes, ones)
	l.vector(linePlaces, "places", places, places)
	switch l.layout {
	case planePairs:
		l.fn.Field(lineRowShift, lineShape, "linearShape", "rowShift", 0)
		shape(lineFold, "fold", 0)
		for pair := range l.planes / 2 {
			shape(lineControl+neon.V(pair), "control", vectorColumns*pair)
		}
	case cutPlanes:
		shape(lineControl, "control", 0)
	}
	if l.layout != widePlanes {
		shape(lineMask, "mask", 0)
	}
}

// A distance from the beginning of the line: whole planes, less some columns.
type distance struct{ planes, less int }

// distances are those that need a register.
func (l linearLayer) distances() (all []distance) {
	if l.least == l.most {
		return nil
	}
	for plane := range l.planes {
		if plane > 0 && (l.layout != planePairs || plane%2 == 0) {
			all = append(all, distance{plane, 0})
		}
		if l.layout == widePlanes {
			all = append(all, distance{plane + 1, vectorColumns})
		}
	}
	return all
}

// vectorColumns is how many columns a vector has, a byte each.
const vectorColumns = 16

// columns loads the columns at a distance.
func (l linearLayer) columns(to neon.V, at neon.X, d distance) {
	if i := slices.Index(l.distances(), d); i >= 0 {
		l.fn.LdrQAt(to, at, lineDistance[i])
		return
	}
	l.fn.LdrQ(to, at, d.planes*l.most-d.less)
}

// alignRow moves the row's bytes to where a register has bytes.
func (l linearLayer) alignRow(row neon.X) {
	switch {
	case l.layout == planePairs:
		l.fn.Lsr(row, row, lineRowShift)
	case l.planes%2 == 1:
		l.fn.LsrI(row, row, 4)
	}
}

// rowByte copies the byte of a row that belongs to a plane.
func (l linearLayer) rowByte(to, row neon.V, plane int) {
	first := (32 - 4*l.planes) / 8
	l.fn.DupB16(to, row, first+plane)
}

// parities finds the parities of a key's columns, and adds them to the tree.
func (l linearLayer) parities(key int) {
	at, row := lineAt[key%len(lineAt)], lineRow[key%len(lineRow)]
	switch l.layout {
	case planePairs:
		for plane := 0; plane < l.planes; plane += 2 {
			l.fn.TblB16(lineRowByte, row, lineControl+neon.V(plane/2))
			l.columns(lineColumns, at, distance{plane, 0})
			l.add(plane, lineSum, lineColumns)
		}
	case narrowPlanes, cutPlanes:
		for plane := range l.planes {
			l.rowByte(lineRowByte, row, plane)
			if l.layout == cutPlanes && plane == l.planes-1 {
				l.fn.LdrQ(lineColumns, at, lineBytes-vectorColumns)
				l.fn.TblB16(lineColumns, lineColumns, lineControl)
			} else {
				l.columns(lineColumns, at, distance{plane, 0})
			}
			l.add(plane, lineSum, lineColumns)
		}
	case widePlanes:
		for plane := range l.planes {
			l.rowByte(lineRowByte, row, plane)
			l.columns(lineColumns, at, distance{plane, 0})
			l.columns(lineLast, at, distance{plane + 1, vectorColumns})
			l.add(plane, lineSum, lineColumns)
			l.add(plane, lineLastSum, lineLast)
		}
	}
	l.grow(key)
}

// add adds the bits of a plane that are in the row.
func (l linearLayer) add(plane int, sum, columns neon.V) {
	if plane == 0 {
		l.fn.AndB16(sum, columns, lineRowByte)
		return
	}
	l.fn.AndB16(columns, columns, lineRowByte)
	l.fn.EorB16(sum, sum, columns)
}

// grow adds a key's parities to the tree, whose top has a bit for each column of eight keys,
// or of four if there are two vectors of each.
func (l linearLayer) grow(key int) {
	keys, roots := octet, 0 // roots: of the parts that the tree has
	if l.layout == widePlanes {
		keys, roots = octet/2, key/4
	}
	roots += bits.OnesCount(uint(key % keys))
	top := lineTree + neon.V(roots)
	l.fn.CntB16(lineSum, lineSum)
	if l.layout == widePlanes {
		l.fn.CntB16(lineLastSum, lineLastSum)
		l.fn.SliB16(lineSum, lineLastSum, 4)
		l.fn.AndB16(lineSum, lineSum, lineOnes)
		l.fn.UshlB16(top, lineSum, linePlaces)
	} else {
		l.fn.CmtstB16(lineSum, lineSum, lineOnes)
		l.fn.AndB16(top, lineSum, linePlaces)
	}
	for below := key % keys; below&1 != 0; below >>= 1 {
		l.fn.AddpB16(top-1, top-1, top)
		top--
	}
}

// answers compares the parities with the fingerprints, and stores the bits of eight keys.
func (l linearLayer) answers() {
	found, held := neonAt, neonScratch
	l.fn.Ubfx(held, lineHeld, linearAhead, octet)
	if l.layout == widePlanes {
		l.compareWide()
		l.sumKeyBits(found)
		l.fn.And(found, found, held)
	} else {
		l.compareNarrow()
		l.sumKeyBits(found) // of keys that are not found
		l.fn.Bic(found, held, found)
	}
	l.fn.RbitW(found, found)
	l.fn.LsrI(found, found, 32-octet)
	l.fn.StrBNext(found, neonHits)
}

// compareNarrow sets the lanes of keys whose parities differ from the fingerprint.
func (l linearLayer) compareNarrow() {
	difference := lineColumns
	if l.layout == planePairs {
		l.fn.UshlH8(difference, lineTree, lineFold)
		l.fn.EorB16(lineTree, lineTree, difference)
	}
	l.fn.UshlH8(lineTree, lineTree, lineAlign)
	l.fn.Uzp2H8(difference, lineExpected[0], lineExpected[1])
	l.fn.EorB16(difference, difference, lineTree)
	l.fn.CmtstH8(lineTree, difference, lineMask)
}

// compareWide sets the lanes of keys whose parities are the fingerprint. The tree has four
// of the first columns in a byte's lower half, and four of the last ones in the upper. So
// the fingerprint's first and last 16 bits are arranged in the same way.
func (l linearLayer) compareWide() {
	first, last, even := lineColumns, lineLast, lineSum
	for half, expected := range lineExpected {
		l.fn.UshlS4(lineColumns+neon.V(half), expected, lineAlign)
	}
	l.fn.Uzp2H8(first, lineColumns, lineColumns+1)
	l.fn.Uzp2H8(last, lineExpected[0], lineExpected[1])
	l.fn.OrrB16(even, first, first)
	l.fn.SliB16(even, last, 4)
	odd := last
	l.fn.SriB16(odd, first, 4)
	l.fn.Zip1B16(lineExpected[0], even, odd)
	l.fn.Zip2B16(lineExpected[1], even, odd)
	for half, expected := range lineExpected {
		part := lineTree + neon.V(half)
		l.fn.CmeqS4(part, part, expected)
	}
	l.fn.Uzp1H8(lineTree, lineTree, lineTree+1)
}

// sumKeyBits makes bits of the lanes.
func (l linearLayer) sumKeyBits(to neon.X) {
	l.fn.AndB16(lineTree, lineTree, lineKeyBits)
	l.fn.AddvH8(lineTree, lineTree)
	l.fn.UmovH(to, lineTree, 0)
}
