package hash

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A ShortHash is a hash of short keys.
type ShortHash struct {
	Name      string
	Begin     func(k *ShortKey) // loads what Emit takes, for any number of keys
	Emit      func(k *ShortKey) // hashes a key
	Long      string            // the function for one long key
	ChangesAX bool              // where the filter is
}

// anyKey is the function for a key of any length and hash.
const anyKey = "containsKeyInGo"

// The hashes that have assembly.
var (
	ShortXX64  = ShortHash{Name: "XX64", Begin: (*ShortKey).primes, Emit: (*ShortKey).xx64, Long: "containsLongKeyXX64"}
	ShortXXPH3 = ShortHash{Name: "XXPH3", Begin: func(*ShortKey) {}, Emit: (*ShortKey).xxph3, Long: anyKey, ChangesAX: true}
)

// ShortHashes are these. A filter's keyHash is the number of its hash here, and one more.
var ShortHashes = []ShortHash{ShortXX64, ShortXXPH3}

// A ShortKey is a key that is hashed and looked up.
type ShortKey struct {
	fn     *kernel.Function
	Key, N reg.GPVirtual
	sum    reg.GPPhysical // becomes the hash, where kernels take it
	high   reg.GPVirtual  // becomes its high half
	halves bool           // the hash needs no high half of its own
	lookUp func()         // emits what continues with the hash
	Long   string         // the label for keys that are not hashed, or nothing if there are none

	prime1, prime2, prime4 reg.GPVirtual // of XX64
}

// NewShortKey returns a key that is looked up by what emit emits. That is where the hash of the first length ends,
// which is the commonest. The others jump there.
func NewShortKey(fn *kernel.Function, emit func()) *ShortKey {
	k := &ShortKey{fn: fn, Key: fn.GP64(), N: fn.GP64(), sum: shared.HashedKey, high: fn.GP64(), Long: "long"}
	k.lookUp = func() {
		fn.Label("hashed")
		k.lookUp = func() { fn.JMP(LabelRef("hashed")) }
		emit()
	}
	return k
}

// Load loads the arguments.
func (k *ShortKey) Load() {
	k.fn.Load(k.fn.Param("key"), k.Key)
	k.fn.Load(k.fn.Param("n"), k.N)
}

// ByAny hashes the key by the filter's hash, and goes on at the label for long keys with those that have no assembly.
func (k *ShortKey) ByAny() {
	for i, h := range ShortHashes {
		other := "not" + h.Name
		k.fn.CMPB(k.fn.Field(shared.Prepared, "Kernel", "keyHash"), U8(uint8(i+1)))
		k.fn.JNE(LabelRef(other))
		h.Begin(k)
		h.Emit(k)
		k.fn.Label(other)
	}
	k.fn.Label(k.Long)
}

// Short hashes a key into the register, and looks it up. There are no keys of other lengths than the hash has.
func Short(fn *kernel.Function, h ShortHash, lookUp func()) {
	k := NewShortKey(fn, lookUp)
	k.Long = ""
	k.Load()
	h.Begin(k)
	h.Emit(k)
}

// primes loads what is an operand more than once. With operands in memory, a key of 16 bytes takes 1.1 times as long
// (16 KiB, Emerald Rapids).
func (k *ShortKey) primes() {
	k.prime1, k.prime2, k.prime4 = k.fn.GP64(), k.fn.GP64(), k.fn.GP64()
	k.fn.MOVQ(U64(xxPrime1), k.prime1)
	k.fn.MOVQ(U64(xxPrime2), k.prime2)
	k.fn.MOVQ(U64(xxPrime4), k.prime4)
}

// xx64 hashes up to 31 bytes by XXH64, and looks the key up. One to three words take no loop.
func (k *ShortKey) xx64() {
	fn := k.fn
	for _, words := range []int{2, 1, 3} {
		next := fmt.Sprint("not", words)
		fn.CMPQ(k.N, U8(uint8(shared.HashBytes*words)))
		fn.JNE(LabelRef(next))
		var products []reg.GPVirtual
		for i := range words {
			products = append(products, k.product(Mem{Base: k.Key, Disp: shared.HashBytes * i}))
		}
		fn.MOVQ(U64(xxPrime5+shared.HashBytes*words), k.sum)
		for _, product := range products {
			k.addWord(product)
		}
		k.finish()
		fn.Label(next)
	}
	if k.Long != "" {
		fn.CMPQ(k.N, U8(32))
		fn.JCC(LabelRef(k.Long))
	}
	k.anyBytes()
	k.finish()
}

// anyBytes adds words, four bytes, and single bytes.
func (k *ShortKey) anyBytes() {
	fn := k.fn
	fn.MOVQ(fn.Words("xxPrime5", xxPrime5), k.sum)
	fn.ADDQ(k.N, k.sum)
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
	fn.IMULQ(k.prime1, half)
	k.step(half, 23, k.prime2)
	fn.ADDQ(fn.Words("xxPrime3", xxPrime3), k.sum)
	fn.ADDQ(U8(shared.HashBytes/2), k.Key)
	fn.SUBQ(U8(shared.HashBytes/2), k.N)
	fn.Label("bytes")
	fn.ADDQ(U8(shared.HashBytes/2), k.N)
	fn.JEQ(LabelRef("added"))
	fn.Label("byte")
	one := fn.GP64()
	fn.MOVBLZX(Mem{Base: k.Key}, one.As32())
	fn.IMULQ(fn.Words("xxPrime5", xxPrime5), one)
	k.step(one, 11, k.prime1)
	fn.INCQ(k.Key)
	fn.DECQ(k.N)
	fn.JNZ(LabelRef("byte"))
	fn.Label("added")
}

// product mixes a word before it is added to the sum.
func (k *ShortKey) product(word Mem) reg.GPVirtual {
	product := k.fn.GP64()
	k.fn.MOVQ(word, product)
	k.fn.IMULQ(k.prime2, product)
	k.fn.ROLQ(U8(31), product)
	k.fn.IMULQ(k.prime1, product)
	return product
}

func (k *ShortKey) addWord(product reg.GPVirtual) {
	k.step(product, 27, k.prime1)
	k.fn.ADDQ(k.prime4, k.sum)
}

// step adds to the sum, and mixes it.
func (k *ShortKey) step(added reg.GPVirtual, left uint8, prime reg.Register) {
	k.fn.XORQ(added, k.sum)
	k.fn.ROLQ(U8(left), k.sum)
	k.fn.IMULQ(prime, k.sum)
}

// finish is XXH64's avalanche, and looks the hash up.
func (k *ShortKey) finish() {
	k.fold(33)
	k.fn.IMULQ(k.prime2, k.sum)
	k.fold(29)
	k.fn.IMULQ(k.fn.Words("xxPrime3", xxPrime3), k.sum)
	k.foldHalves()
}

// foldHalves is the last fold of both hashes, and looks the hash up.
func (k *ShortKey) foldHalves() {
	k.fn.MOVQ(k.sum, k.high)
	k.fn.SHRQ(U8(32), k.high)
	if k.halves {
		k.fn.XORL(k.high.As32(), k.sum.As32())
	} else {
		k.fn.XORQ(k.high, k.sum)
	}
	k.lookUp()
}

// fold adds the sum's upper bits to the lower ones.
func (k *ShortKey) fold(right uint8) {
	x := k.fn.GP64()
	k.fn.MOVQ(k.sum, x)
	k.fn.SHRQ(U8(right), x)
	k.fn.XORQ(x, k.sum)
}
