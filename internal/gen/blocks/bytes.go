package blocks

import (
	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// keyInBytes emits a function that hashes a short key and looks it up in a filter's bytes by lookUp, which takes the
// hash in the register. So a store calls assembly once for a key, not a hash function and a lookup. It continues in
// another function without AVX-512, or where lookUp jumps to "other".
func keyInBytes(f *kernel.File, name, doc string, h hash.ShortHash, otherwise string, lookUp func(s *Single)) {
	fn := f.Function(kernel.AVX512, name, shared.KeyOfAnyBytes, name+" is "+doc)
	s := &Single{Fn: fn, Hash: inRegister(fn)}
	hash.Short(fn, h, func() {
		shared.UnlessLevel(fn, kernel.AVX512)
		lookUp(s)
	})
	s.Otherwise(otherwise)
}
