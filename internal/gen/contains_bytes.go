package main

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// newKeyBytes begins a kernel that hashes a key of up to 31 bytes by XX64, and looks it up in a filter's bytes: the hash is
// in the register. So a store calls assembly once for a key, not a hash function and a lookup.
func newKeyBytes(f *kernel.File, name, doc string) *single {
	fn := f.Function(kernel.AVX512, name, keyOfAnyBytes, name+" is "+doc)
	hashShort(fn)
	unlessLevel(fn, kernel.AVX512)
	return &single{fn: fn, hash: hashed{fn: fn, inRegister: true}}
}

// hashShort hashes a key into the register.
func hashShort(fn *kernel.Function) {
	k := newShortKey(fn)
	k.long = ""
	k.lookUp = func() { fn.JMP(LabelRef("hashed")) }
	fn.Load(fn.Param("key"), k.key)
	fn.Load(fn.Param("n"), k.n)
	k.xx64()
	fn.Label("hashed")
}

// keyInBytes emits a function that hashes a key and continues in another one, which takes the hash in memory.
func keyInBytes(f *kernel.File, name, doc, otherwise string) {
	fn := f.Function(kernel.Base, name, keyOfAnyBytes, name+" is "+doc)
	hashShort(fn)
	fn.MOVQ(hashedKey, fn.Address(fn.Param("key")))
	fn.TailCall(otherwise)
}
