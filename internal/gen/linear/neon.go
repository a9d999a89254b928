package linear

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// linearKeys is how many keys a call of the kernel for linear filters looks up at most.
const linearKeys = 256

// Entries of the kernel's lists, each a record and where a line begins. The keys of first sections
// are listed from the first entry on, those of second ones backwards from below lineTop, and those
// that were bumped from lineQueue on. Whole octets are read of the former two.
const (
	lineTop     = linearKeys + shared.Octet
	lineQueue   = lineTop + shared.Octet
	lineEntries = lineQueue + linearKeys
)

// A record is a hash and its line's word in linearHeaders, with the key's number in the top bits.
const (
	recordBytes = 16
	numberAt    = 48 // of the word's bits
	numberByte  = 14 // of the record
)

// A layer, as package fallback has it.
const (
	layerCut, layerSections = 0, 4
	sectionBytes            = 8 // a multiplier and the number of the first line
	layerBytes              = layerSections + 2*sectionBytes
)

// The kernel's memory on the stack.
const (
	frameLines    = lineEntries * recordBytes
	frameParities = frameLines + 8*lineEntries // of an octet's columns, a vector for two keys: the last ones, then the first
	frameRows     = frameParities + 2*pairsBytes
	frameAnswers  = frameRows + 8*shared.Octet // a byte for each key, one for what fills up an octet, and a vector
	frameBytes    = frameAnswers + linearKeys + 2*neonVector

	neonVector = 16
	pairsBytes = shared.Octet / 2 * neonVector
)

// Registers of the kernel, beside those that batches share.
const (
	lineRecords neon.X = shared.NEONSize // the frame

	// For headers.
	lineNumber     neon.X = shared.NEONAhead // of a key
	lineHeaders    neon.X = shared.NEONAt
	lineTable      neon.X = shared.NEONScratch
	lineFirst      neon.X = 9  // the next entry of the first sections' list
	lineSecond     neon.X = 10 // of the second ones'
	lineBumped     neon.X = 11
	lineMultiplier neon.X = 12 // that hashes are mixed with
	lineCut        neon.X = 13
	lineLines      neon.X = 19
	lineLayer      neon.X = 20
	lineLayers     neon.X = 21 // that are left

	// Of a key.
	lineHash    neon.X = 22
	lineProduct neon.X = 23
	lineAt      neon.X = 24
	lineHeader  neon.X = 25
	lineEntry   neon.X = 26
	lineStep    neon.X = shared.NEONHits
)

// lineSectionsOf is where the sections of a layer are.
var lineSectionsOf = [2]neon.X{14, 15}

// NEON emits the kernel for batches. It reads headers until it knows the lines of all keys, of
// which it makes a list for either section. Nobody can predict what a header says, so nothing
// branches on it. Then it reads the lines, and puts each answer where the key was.
func NEON(f *kernel.File) {
	const name = "linearContainsBitsNEON"
	fn := neon.NewFunction(f, name, "func(k *Kernel, hashes *uint64, n int, hits *uint16, far bool)",
		name+" looks up at most 256 hashes, at least one, and sets their bits, and those beyond",
		"the last one in its 16 to zero. If far, it prefetches the headers.")
	l := neonBatch{fn}
	l.begin()
	l.prefetch()
	l.headers()
	l.lines()
	l.pack()
	fn.Return()
}

// A neonBatch emits the steps.
type neonBatch struct{ fn *neon.Function }

// begin loads the constants for reading headers, and where the layers are.
func (l neonBatch) begin() {
	l.fn.Frame(lineRecords, frameBytes)
	l.fn.Argument(shared.NEONFilter, "k")
	l.fn.Field(shared.NEONFilter, shared.NEONFilter, "Kernel", "own", 0)
	l.fn.Field(shared.NEONBody, shared.NEONFilter, "linearFilter", "lines", 0)
	l.fn.Field(lineHeaders, shared.NEONFilter, "linearFilter", "headers", 0)
	l.fn.Field(lineLayers, shared.NEONFilter, "linearFilter", "layers.number", 0)
	l.fn.AddI(lineLayer, shared.NEONFilter, l.fn.Offset("linearFilter", "layers.layers"))
	l.fn.Variable(lineTable, "linearHeaders")
	l.fn.MovI(lineLines, frameLines)
	l.fn.AddShifted(lineLines, lineRecords, lineLines, 0)
	l.fn.MovI(lineFirst, 0)
	l.fn.MovI(lineSecond, lineTop-1)
	l.multiplier(linearMix)
	l.layer()
}

// multiplier loads the factor that mixes hashes.
func (l neonBatch) multiplier(number uint64) { l.fn.MovI(lineMultiplier, int(number)) }

// layer loads a layer, and begins a list of keys that are bumped from it.
func (l neonBatch) layer() {
	l.fn.LdrW(lineCut, lineLayer, layerCut)
	for i, to := range lineSectionsOf {
		l.fn.AddI(to, lineLayer, layerSections+sectionBytes*i)
	}
	l.fn.MovI(lineBumped, lineQueue)
}

// prefetch prefetches the first layer's headers, if they are far.
func (l neonBatch) prefetch() {
	l.fn.ArgumentByte(lineAt, "far")
	l.fn.CmpI(lineAt, 0)
	l.fn.Beq("near")
	l.each("ahead", func() {
		l.place()
		l.fn.AddShifted(lineAt, lineHeaders, lineAt, 0)
		l.fn.PrefetchL1(lineAt, 0)
	})
	l.fn.Label("near")
}

// each emits a loop over all hashes, from the last one on, which are mixed.
func (l neonBatch) each(label string, do func()) {
	l.fn.Argument(shared.NEONHashes, "hashes")
	l.fn.Argument(lineNumber, "n")
	l.fn.SubI(lineNumber, lineNumber, 1)
	l.fn.Label(label)
	l.fn.LdrAt(lineHash, shared.NEONHashes, lineNumber)
	l.fn.EorHigh(lineHash, lineHash, lineHash, 32)
	l.fn.Mul(lineHash, lineHash, lineMultiplier)
	do()
	l.fn.SubsI(lineNumber, lineNumber, 1)
	l.fn.Bge(label)
}

// place finds a hash's section and line. The flags say which section.
func (l neonBatch) place() {
	l.fn.CmpW(lineHash, lineCut)
	l.fn.CselLO(lineStep, lineSectionsOf[0], lineSectionsOf[1])
	l.fn.CselLO(lineProduct, neon.Zero, lineCut)
	l.fn.Sub(lineHash, lineHash, lineProduct)
	l.fn.LdpW(lineStep, lineAt, lineStep, 0)
	l.fn.Umull(lineProduct, lineHash, lineStep)
	l.fn.AddHigh(lineAt, lineAt, lineProduct, 32)
}

// headers reads the headers, layer after layer.
func (l neonBatch) headers() {
	l.each("first", l.header)
	l.multiplier(linearNext)
	l.fn.Label("layer")
	l.fn.SubsI(shared.NEONLeft, lineBumped, lineQueue)
	l.fn.Beq("placed")
	l.fn.AddI(shared.NEONHashes, lineRecords, lineQueue*recordBytes)
	l.fn.SubsI(lineLayers, lineLayers, 1)
	l.fn.Beq("fallen")
	l.fn.AddI(lineLayer, lineLayer, layerBytes)
	l.layer()
	l.fn.Label("bumped")
	l.fn.LdpNext(lineHash, lineNumber, shared.NEONHashes)
	l.fn.LsrI(lineNumber, lineNumber, numberAt)
	l.fn.Mul(lineHash, lineHash, lineMultiplier)
	l.fn.RorI(lineHash, lineHash, 32)
	l.header()
	l.fn.SubsI(shared.NEONLeft, shared.NEONLeft, 1)
	l.fn.Bne("bumped")
	l.fn.B("layer")

	l.fn.Label("fallen") // off the last layer: they are contained
	l.fn.AddI(lineAt, lineRecords, frameAnswers)
	l.fn.MovI(lineStep, 1<<8-1)
	l.fn.Label("contained")
	l.fn.LdrH(lineNumber, shared.NEONHashes, numberByte)
	l.fn.AddI(shared.NEONHashes, shared.NEONHashes, recordBytes)
	l.fn.StrBAt(lineStep, lineAt, lineNumber)
	l.fn.SubsI(shared.NEONLeft, shared.NEONLeft, 1)
	l.fn.Bne("contained")
	l.fn.Label("placed")
}

// header reads the header of a key's line, adds the key to one of the three lists, and prefetches the
// line if that holds it.
func (l neonBatch) header() {
	l.place()
	l.fn.CselLO(lineEntry, lineFirst, lineSecond)
	l.fn.LdrBAt(lineHeader, lineHeaders, lineAt)
	l.fn.AddShifted(lineAt, shared.NEONBody, lineAt, 6)
	l.fn.Ubfx(lineProduct, lineProduct, 26, 6)
	l.fn.LdrAt(lineHeader, lineTable, lineHeader)
	l.fn.OrrShifted(lineStep, lineHeader, lineNumber, numberAt)
	l.fn.CmpShifted(lineProduct, lineHeader, 40)
	l.fn.CselHS(lineAt, lineAt, shared.NEONBody)
	l.fn.CselHS(lineProduct, lineEntry, lineBumped)
	l.fn.PrefetchL1(lineAt, 0)
	l.fn.StrAt(lineAt, lineLines, lineProduct)
	l.fn.AddShifted(lineProduct, lineRecords, lineProduct, 4) // recordBytes
	l.fn.Stp(lineHash, lineStep, lineProduct, 0)
	l.fn.CcmpHS(lineFirst, lineEntry) // equal in first sections, below in second ones, above if bumped
	l.fn.CincEQ(lineFirst, lineFirst)
	l.fn.DecLO(lineSecond, lineSecond)
	l.fn.CincHI(lineBumped, lineBumped)
}

// pack makes bits of the answers. Bytes beyond them were made zero.
func (l neonBatch) pack() {
	answers, end, bits := lineAt, lineProduct, neon.V(0)
	l.fn.Argument(shared.NEONHits, "hits")
	l.fn.Argument(shared.NEONLeft, "n")
	l.fn.AddI(answers, lineRecords, frameAnswers)
	l.fn.AddShifted(end, answers, shared.NEONLeft, 0)
	l.fn.MoviB16(bits, 0)
	l.fn.StrQ(bits, end, 0)
	l.fn.Label("pack")
	l.fn.LdrQNext(bits, answers)
	l.fn.AndB16(bits, bits, linePlaces)
	for range 3 {
		l.fn.AddpB16(bits, bits, bits)
	}
	l.fn.St1H(bits, 0, shared.NEONHits)
	l.fn.SubsI(shared.NEONLeft, shared.NEONLeft, neonVector)
	l.fn.Bgt("pack")
}
