//go:build !purego

package asm

//lint:file-ignore U1000 assembly reads these fields

import "github.com/simdbloom/simdbloom/cpu"

// An entry is the address of a function that looks one key up. Contains jumps there with the Kernel
// in AX and the hash in DX, so it is no Go function's value. Its first result is unused: ContainsKey's
// parameters reach there.
type entry = address

// An address is where assembly jumps: to a function in assembly or in Go. Go code does not call that by a function's
// value, because the arguments would escape to the heap.
type address = uintptr

// functions are the functions of one format. The assembly files define them.
type functions struct { // internal/gen reads these declarations
	contains        [form512by32 + 1]entry // for each form
	inGo, byKernels row
}

// A row is the functions of a format that look up batches.
type row struct {
	batch             address // func(k *Kernel, hashes []uint64, to answers, filters int), of at least one hash
	fewBits, fewBools address // up to fewMax keys: func(k *Kernel, hashes, hits []uint64), and of []bool
	bitsInGo          address // func(k *Kernel, hashes, hits []uint64)
}

var (
	inGoFunctions, pairedEitherFunctions         functions // kernel_amd64.s
	fastLocalFunctions, sharedFastLocalFunctions functions // fastlocal_amd64.s
	pairedFunctions                              functions // paired_amd64.s
	linearFunctions, linearNearFunctions         functions // linear_amd64.s
	ribbonFunctions                              functions // ribbon_amd64.s
	legacyFunctions                              functions // legacy_amd64.s
	levelDBFunctions                             functions // leveldb_amd64.s

	splitBlockFunctions, sharedSplitBlockFunctions functions // splitblock_amd64.s
	blobloomFunctions, sharedBlobloomFunctions     functions // blobloom_amd64.s
)

// use chooses the functions of a format for the Kernel's form.
func (k *Kernel) use(f *functions) {
	k.entry, k.row = f.contains[k.form], &f.inGo
	if k.form != formGeneric {
		k.row = &f.byKernels
	}
	k.setParts()
}

// adding is the functions that add keys to a body.
type adder struct {
	add         address // func(k *Kernel, hash uint64) (room [8]uint64)
	addIfAbsent address // func(k *Kernel, hash uint64) (found bool, room [8]uint64)
	missingBits address // of shared bodies, which have no others: func(k *Kernel, hash uint64, missing *[8]uint64) uint64
}

// adders are the functions of one format that add keys: in Go, in AVX2 for any number of probes, for six, for
// eight, and for up to six and eight at once, and in AVX-512 for up to six and for up to eight at once.
type adders [8]adder

// add_single_amd64.s has these.
var inGoAdders, fastLocalAdders, sharedFastLocalAdders, splitBlockAdders, blobloomAdders, sharedBlobloomAdders adders

func (k *Kernel) setAdder(a *adders) { k.adder = &a[k.adderIndex()] }

func (k *Kernel) adderIndex() int {
	switch atOnce := k.addsBlockAtOnce(); {
	case k.form == formGeneric:
		return 0
	case atOnce && k.form == form512:
		return 6 + min(1, k.probes/7)
	case atOnce:
		return 4 + min(1, k.probes/7)
	case k.probes == 6:
		return 2
	case k.probes == 8:
		return 3
	default:
		return 1
	}
}

// addsBlockAtOnce reports whether kernels load and store a key's block once, and not bit by bit.
//
// With AVX-512, at 32 MiB, adding and looking up in turn takes 38 ns so on Emerald Rapids, and 50 bit by bit. On Zen 5
// it takes .79 of what it took, with a kernel of 39 instructions instead of 27. On Zen 4, a kernel of 43 lost to one of
// 52 bit by bit by a tenth, and the present ones are not measured.
//
// With AVX2, it takes 59 instructions instead of 38. At 32 MiB on Emerald Rapids, six probes take .9 of the time bit by
// bit, and eight .86: bit by bit, six stores of one line wait for it. At 16 KiB they take 1.7 times as long. AMD's
// processors hold fewer instructions that wait, and are not measured.
func (k *Kernel) addsBlockAtOnce() bool {
	far := isFar(k.body)
	return k.form == form512 && (!far || addsFarAtOnce512) || k.form == form256 && far && addsFarAtOnce256
}

var addsFarAtOnce512, addsFarAtOnce256 = !cpu.IsZen4(), cpu.IsIntel()

// currentLevel is cpu.Current in assembly.
var currentLevel cpu.Level

func init() { cpu.Follow(&currentLevel) }

func formOf(probes int) form {
	switch cpu.Current() {
	case cpu.AVX512:
		return min(form512+form(probes-1)/8, form512by32)
	case cpu.AVX2:
		return form256 + min(1, form(probes-1)/8)
	default:
		return formGeneric
	}
}

// legacyForm is formOf, but more than 16 probes have kernels only in AVX2.
func legacyForm(probes int) form {
	if f := formOf(probes); f != form512by32 {
		return f
	}
	return form256by32
}
