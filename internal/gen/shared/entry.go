package shared

import (
	"cmp"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// Functions are the names of a format's functions, which package asm's table of the format has the addresses of.
type Functions struct {
	Go, AVX2, Eight, More string // look one key up: in Go, in AVX2, and in AVX-512 for up to 8 probes and for more
	Eight256              string // does so in AVX2 for up to 8 probes, if that is another one

	Batch             string // looks up a batch by kernels
	FewBits, FewBools string // look up a few keys in AVX-512, if any do
	InGo              string // looks up a batch in Go, in bits
}

// Define defines the table.
func (of Functions) Define(f *kernel.File, name string) {
	f.Addresses(name, of.Go, cmp.Or(of.Eight256, of.AVX2), of.AVX2, of.Eight, of.More, of.More,
		"batchInGo", "", "", of.InGo,
		of.Batch, of.FewBits, of.FewBools, of.InGo)
}

// Adder has the names of the functions that add keys to a filter.
type Adder struct {
	Add, AddIfAbsent string
	MissingBits      string // of shared bodies of blocks, if there is a kernel
}

// Adders are those of a format: in Go, in AVX2 for any number of probes, and, if they are others, for six, for eight,
// and for up to six and eight in far bodies; and in AVX-512 for up to six and for up to eight.
type Adders struct{ Go, AVX2, Six256, Eight256, FarSix256, FarEight256, Six512, Eight512 Adder }

// Define defines the format's table of them.
func (a Adders) Define(f *kernel.File, name string) {
	six, eight := cmp.Or(a.Six256, a.AVX2), cmp.Or(a.Eight256, a.AVX2)
	var names []string
	for _, of := range []Adder{
		a.Go, a.AVX2, six, eight, cmp.Or(a.FarSix256, six), cmp.Or(a.FarEight256, eight), a.Six512, a.Eight512,
	} {
		names = append(names, of.Add, of.AddIfAbsent, of.MissingBits)
	}
	f.Addresses(name, names...)
}

// Contains is the signature of the kernels that look one key up in a prepared filter. The first result is
// unused: where it is, functions that are given a key have its length, so that both kinds answer at the same place.
const Contains = "func(k *Kernel, hash uint64) (_ uint64, found bool)"

// Keyed is the signature of the functions that hash a key and look it up, and ContainsKeys of those for several keys.
const (
	Keyed        = "func(k *Kernel, key *byte, n int) (found bool)"
	ContainsKeys = "func(k *Kernel, keys [][]byte, hits []bool)"
)

// Prepared is the filter in the kernels for one key: the function that jumps to them has loaded it.
// They test no level, because the filter has the address of the one that fits.
var Prepared = reg.RAX

// FieldOf returns where the fields of a filter are.
func FieldOf(fn *kernel.Function, filter reg.Register) func(name string) Mem {
	return func(name string) Mem { return fn.Field(filter, "Kernel", name) }
}

// InEight returns where the fields of a structure are that a format has where others have their first multipliers.
func InEight(fn *kernel.Function, filter reg.Register, structure string) func(name string) Mem {
	eight := fn.Field(filter, "Kernel", "eight")
	return func(name string) Mem { return eight.Offset(fn.Field(filter, structure, name).Disp) }
}

// OwnOf loads the address of the format's own data, over that of the filter, and returns where its fields
// are.
func OwnOf(fn *kernel.Function, filter reg.Register, structure string) func(name string) Mem {
	fn.MOVQ(fn.Field(filter, "Kernel", "own"), filter)
	return func(name string) Mem { return fn.Field(filter, structure, name) }
}

// OwnOfArgument does so in an argument.
func OwnOfArgument(fn *kernel.Function, filter Mem) {
	own := fn.GP64()
	fn.MOVQ(filter, own)
	fn.MOVQ(fn.Field(own, "Kernel", "own"), own)
	fn.MOVQ(own, filter)
}

// HashedKey is the hash in the kernels for one key. Some load it from the stack instead, where functions in Go take it.
var HashedKey = reg.RDX
