package hash

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A ShortKey is a key that is hashed and looked up.
type ShortKey struct {
	fn     *kernel.Function
	Key, N reg.GPVirtual
	Sum    reg.GPPhysical // becomes the hash, where kernels take it
	LookUp func()         // emits what continues with the hash
	long   string         // the label for keys that xx64 does not hash, or nothing if there are none
}

// NewShortKey returns a key that is looked up by the filter's function for one key.
func NewShortKey(fn *kernel.Function) *ShortKey {
	k := &ShortKey{fn: fn, Key: fn.GP64(), N: fn.GP64(), Sum: shared.HashedKey, long: "other"}
	k.LookUp = k.leave
	return k
}

// Load loads the arguments.
func (k *ShortKey) Load() {
	k.fn.Load(k.fn.Param("k"), shared.Prepared)
	k.fn.Load(k.fn.Param("key"), k.Key)
	k.fn.Load(k.fn.Param("n"), k.N)
}

// leave continues with the kernel, which may be a function in Go: that takes the hash in memory.
func (k *ShortKey) leave() {
	k.fn.MOVQ(k.Sum, k.fn.Address(k.fn.Param("key")))
	k.fn.MOVQ(k.fn.Field(shared.Prepared, "Kernel", "entry"), reg.RCX)
	k.fn.TailCallAt(reg.RCX)
}

// XX64 hashes up to 31 bytes by XXH64, and looks the key up. One to three words take no loop.
func (k *ShortKey) XX64() {
	fn := k.fn
	for _, words := range []int{2, 1, 3} {
		next := fmt.Sprint("not", words)
		fn.CMPQ(k.N, U8(uint8(shared.HashBytes*words)))
		fn.JNE(LabelRef(next))
		var products []reg.GPVirtual
		for i := range words {
			products = append(products, k.product(Mem{Base: k.Key, Disp: shared.HashBytes * i}))
		}
		fn.MOVQ(fn.Words(fmt.Sprint("xxStart", words), uint64(xxPrime5+shared.HashBytes*words)), k.Sum)
		for _, product := range products {
			k.addWord(product)
		}
		k.finish()
		fn.Label(next)
	}
	if k.long != "" {
		fn.CMPQ(k.N, U8(32))
		fn.JCC(LabelRef(k.long))
	}
	k.anyBytes()
	k.finish()
}

// anyBytes adds words, four bytes, and single bytes.
func (k *ShortKey) anyBytes() {
	fn := k.fn
	fn.MOVQ(fn.Words("xxPrime5", xxPrime5), k.Sum)
	fn.ADDQ(k.N, k.Sum)
	fn.SUBQ(U8(shared.HashBytes), k.N)
	fn.JCS(LabelRef("half"))
	fn.Label("word")
	k.addWord(k.product(Mem{Base: k.Key}))
	fn.ADDQ(U8(shared.HashBytes), k.Key)
	fn.SUBQ(U8(shared.HashBytes), k.N)
	fn.JCC(LabelRef("word"))
	fn.Label("half")
	fn.ADDQ(U8(shared.HashBytes/2), k.N)
	fn.JNC(LabelRef("bytes"))
	half := fn.GP64()
	fn.MOVL(Mem{Base: k.Key}, half.As32())
	fn.IMULQ(fn.Words("xxPrime1", xxPrime1), half)
	k.step(half, 23, fn.Words("xxPrime2", xxPrime2))
	fn.ADDQ(fn.Words("xxPrime3", xxPrime3), k.Sum)
	fn.ADDQ(U8(shared.HashBytes/2), k.Key)
	fn.SUBQ(U8(shared.HashBytes/2), k.N)
	fn.Label("bytes")
	fn.ADDQ(U8(shared.HashBytes/2), k.N)
	fn.JEQ(LabelRef("added"))
	fn.Label("byte")
	one := fn.GP64()
	fn.MOVBLZX(Mem{Base: k.Key}, one.As32())
	fn.IMULQ(fn.Words("xxPrime5", xxPrime5), one)
	k.step(one, 11, fn.Words("xxPrime1", xxPrime1))
	fn.INCQ(k.Key)
	fn.DECQ(k.N)
	fn.JNZ(LabelRef("byte"))
	fn.Label("added")
}

// product is what XXH64 adds of a word.
func (k *ShortKey) product(word Mem) reg.GPVirtual {
	product := k.fn.GP64()
	k.fn.MOVQ(k.fn.Words("xxPrime2", xxPrime2), product)
	k.fn.IMULQ(word, product)
	k.fn.ROLQ(U8(31), product)
	k.fn.IMULQ(k.fn.Words("xxPrime1", xxPrime1), product)
	return product
}

func (k *ShortKey) addWord(product reg.GPVirtual) {
	k.step(product, 27, k.fn.Words("xxPrime1", xxPrime1))
	k.fn.ADDQ(k.fn.Words("xxPrime4", xxPrime4), k.Sum)
}

// step adds to the sum, and mixes it.
func (k *ShortKey) step(added reg.GPVirtual, left uint8, prime Mem) {
	k.fn.XORQ(added, k.Sum)
	k.fn.ROLQ(U8(left), k.Sum)
	k.fn.IMULQ(prime, k.Sum)
}

// finish is XXH64's avalanche, and looks the hash up.
func (k *ShortKey) finish() {
	k.fold(33)
	k.fn.IMULQ(k.fn.Words("xxPrime2", xxPrime2), k.Sum)
	k.fold(29)
	k.fn.IMULQ(k.fn.Words("xxPrime3", xxPrime3), k.Sum)
	k.fold(32)
	k.LookUp()
}

// fold adds the sum's upper bits to the lower ones.
func (k *ShortKey) fold(right uint8) {
	x := k.fn.GP64()
	k.fn.MOVQ(k.Sum, x)
	k.fn.SHRQ(U8(right), x)
	k.fn.XORQ(x, k.Sum)
}

// Short hashes a key into the register.
func Short(fn *kernel.Function) {
	k := NewShortKey(fn)
	k.long = ""
	k.LookUp = func() { fn.JMP(LabelRef("hashed")) }
	fn.Load(fn.Param("key"), k.Key)
	fn.Load(fn.Param("n"), k.N)
	k.XX64()
	fn.Label("hashed")
}
