package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// The values of a filter's keyHash.
const (
	hashesByXX64  = 1
	hashesByXXPH3 = 2
)

// keyLookups emits the functions that hash a short key and look it up in a prepared filter of any format. Other keys
// continue in Go. A call less, and the hash in a register, save a fifth of a lookup in the caches (Zen 4).
func keyLookups(f *kernel.File) {
	fn := f.Function(kernel.Base, "containsKey", keyed, "containsKey is ContainsKey.")
	k := newShortKey(fn)
	k.load()
	fn.CMPB(fn.Field(prepared, "Kernel", "keyHash"), U8(hashesByXX64))
	fn.JNE(LabelRef("other"))
	k.xx64()
	fn.Label("other")
	fn.TailCall("containsKeyXXPH3")

	fn = f.Function(kernel.Base, "containsKeyXXPH3", keyed, "where containsKey continues with another hash than XX64.")
	k = newShortKey(fn)
	k.load()
	fn.CMPB(fn.Field(prepared, "Kernel", "keyHash"), U8(hashesByXXPH3))
	fn.JNE(LabelRef("inGo"))
	k.xxph3()
	fn.Label("inGo")
	fn.TailCall("containsKeyInGo")
}

// A shortKey is a key that is hashed and looked up.
type shortKey struct {
	fn     *kernel.Function
	key, n reg.GPVirtual
	sum    reg.GPPhysical // becomes the hash, where kernels take it
	lookUp func()         // emits what continues with the hash
	long   string         // the label for keys that xx64 does not hash, or nothing if there are none
}

// newShortKey returns a key that is looked up by the filter's function for one key.
func newShortKey(fn *kernel.Function) *shortKey {
	k := &shortKey{fn: fn, key: fn.GP64(), n: fn.GP64(), sum: hashedKey, long: "other"}
	k.lookUp = k.leave
	return k
}

// load loads the arguments.
func (k *shortKey) load() {
	k.fn.Load(k.fn.Param("k"), prepared)
	k.fn.Load(k.fn.Param("key"), k.key)
	k.fn.Load(k.fn.Param("n"), k.n)
}

// leave continues with the kernel, which may be a function in Go: that takes the hash in memory.
func (k *shortKey) leave() {
	k.fn.MOVQ(k.sum, k.fn.Address(k.fn.Param("key")))
	k.fn.MOVQ(k.fn.Field(prepared, "Kernel", "entry"), reg.RCX)
	k.fn.TailCallAt(reg.RCX)
}

// xx64 hashes up to 31 bytes by XXH64, and looks the key up. One to three words take no loop.
func (k *shortKey) xx64() {
	fn := k.fn
	for _, words := range []int{2, 1, 3} {
		next := fmt.Sprint("not", words)
		fn.CMPQ(k.n, U8(uint8(hashBytes*words)))
		fn.JNE(LabelRef(next))
		var products []reg.GPVirtual
		for i := range words {
			products = append(products, k.product(Mem{Base: k.key, Disp: hashBytes * i}))
		}
		fn.MOVQ(fn.Words(fmt.Sprint("xxStart", words), uint64(xxPrime5+hashBytes*words)), k.sum)
		for _, product := range products {
			k.addWord(product)
		}
		k.finish()
		fn.Label(next)
	}
	if k.long != "" {
		fn.CMPQ(k.n, U8(32))
		fn.JCC(LabelRef(k.long))
	}
	k.anyBytes()
	k.finish()
}

// anyBytes adds words, four bytes, and single bytes.
func (k *shortKey) anyBytes() {
	fn := k.fn
	fn.MOVQ(fn.Words("xxPrime5", xxPrime5), k.sum)
	fn.ADDQ(k.n, k.sum)
	fn.SUBQ(U8(hashBytes), k.n)
	fn.JCS(LabelRef("half"))
	fn.Label("word")
	k.addWord(k.product(Mem{Base: k.key}))
	fn.ADDQ(U8(hashBytes), k.key)
	fn.SUBQ(U8(hashBytes), k.n)
	fn.JCC(LabelRef("word"))
	fn.Label("half")
	fn.ADDQ(U8(hashBytes/2), k.n)
	fn.JNC(LabelRef("bytes"))
	half := fn.GP64()
	fn.MOVL(Mem{Base: k.key}, half.As32())
	fn.IMULQ(fn.Words("xxPrime1", xxPrime1), half)
	k.step(half, 23, fn.Words("xxPrime2", xxPrime2))
	fn.ADDQ(fn.Words("xxPrime3", xxPrime3), k.sum)
	fn.ADDQ(U8(hashBytes/2), k.key)
	fn.SUBQ(U8(hashBytes/2), k.n)
	fn.Label("bytes")
	fn.ADDQ(U8(hashBytes/2), k.n)
	fn.JEQ(LabelRef("added"))
	fn.Label("byte")
	one := fn.GP64()
	fn.MOVBLZX(Mem{Base: k.key}, one.As32())
	fn.IMULQ(fn.Words("xxPrime5", xxPrime5), one)
	k.step(one, 11, fn.Words("xxPrime1", xxPrime1))
	fn.INCQ(k.key)
	fn.DECQ(k.n)
	fn.JNZ(LabelRef("byte"))
	fn.Label("added")
}

// product is what XXH64 adds of a word.
func (k *shortKey) product(word Mem) reg.GPVirtual {
	product := k.fn.GP64()
	k.fn.MOVQ(k.fn.Words("xxPrime2", xxPrime2), product)
	k.fn.IMULQ(word, product)
	k.fn.ROLQ(U8(31), product)
	k.fn.IMULQ(k.fn.Words("xxPrime1", xxPrime1), product)
	return product
}

func (k *shortKey) addWord(product reg.GPVirtual) {
	k.step(product, 27, k.fn.Words("xxPrime1", xxPrime1))
	k.fn.ADDQ(k.fn.Words("xxPrime4", xxPrime4), k.sum)
}

// step adds to the sum, and mixes it.
func (k *shortKey) step(added reg.GPVirtual, left uint8, prime Mem) {
	k.fn.XORQ(added, k.sum)
	k.fn.ROLQ(U8(left), k.sum)
	k.fn.IMULQ(prime, k.sum)
}

// finish is XXH64's avalanche, and looks the hash up.
func (k *shortKey) finish() {
	k.fold(33)
	k.fn.IMULQ(k.fn.Words("xxPrime2", xxPrime2), k.sum)
	k.fold(29)
	k.fn.IMULQ(k.fn.Words("xxPrime3", xxPrime3), k.sum)
	k.fold(32)
	k.lookUp()
}

// fold adds the sum's upper bits to the lower ones.
func (k *shortKey) fold(right uint8) {
	x := k.fn.GP64()
	k.fn.MOVQ(k.sum, x)
	k.fn.SHRQ(U8(right), x)
	k.fn.XORQ(x, k.sum)
}
