package blocks

import (
	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// newKeyBytes begins a kernel that hashes a key of up to 31 bytes by XX64, and looks it up in a filter's bytes: the hash is
// in the register. So a store calls assembly once for a key, not a hash function and a lookup.
func newKeyBytes(f *kernel.File, name, doc string) *Single {
	fn := f.Function(kernel.AVX512, name, shared.KeyOfAnyBytes, name+" is "+doc)
	hash.Short(fn)
	shared.UnlessLevel(fn, kernel.AVX512)
	return &Single{Fn: fn, Hash: Hashed{fn: fn, inRegister: true}}
}
