package shared

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// Entries defines the table of the functions that look one key up in a format, one for each of
// asm's forms: in Go, in AVX2, and in AVX-512 for up to 8 probes and for more.
func Entries(f *kernel.File, name, generic, avx2, eight, more string) {
	f.Addresses(name, generic, avx2, eight, more, more)
}

// Contains is the signature of the kernels that look one key up in a prepared filter. The first result is
// unused: where it is, functions that are given a key have its length, so that both kinds answer at the same place.
const Contains = "func(k *Kernel, hash uint64) (_ uint64, found bool)"

// Keyed is the signature of the functions that hash a key and look it up, and FewKeys that of a few keys.
const (
	Keyed   = "func(k *Kernel, key *byte, n int) (found bool)"
	FewKeys = "func(k *Kernel, keys *[]byte, hits *bool, n int)"
)

// Prepared is the filter in the kernels for one key: the function that jumps to them has loaded it.
// They test no level, because the filter has the address of the one that fits.
var Prepared = reg.RAX

// FieldOf returns where the fields of a filter are.
func FieldOf(fn *kernel.Function, filter reg.Register) func(name string) Mem {
	return func(name string) Mem { return fn.Field(filter, "Kernel", name) }
}

// HashedKey is the hash in the kernels of AVX-512 for one key.
var HashedKey = reg.RDX
