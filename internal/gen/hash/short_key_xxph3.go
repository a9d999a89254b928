package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// xxph3 hashes 4 to 32 bytes by XXPH3, and looks the key up. Package xxph3 has it in Go.
func (k *ShortKey) xxph3() {
	fn := k.fn
	lengths := func(from, to uint8, otherwise string) {
		beyond := fn.GP64()
		fn.LEAQ(Mem{Base: k.N, Disp: -int(from)}, beyond)
		fn.CMPQ(beyond, U8(to-from))
		fn.JHI(LabelRef(otherwise))
	}
	lengths(9, 16, "not16")
	both := fn.GP64()
	k.foldedProduct(Mem{Base: k.Key}, xxph3Secrets[0], k.fromEnd(8), xxph3Secrets[1], both)
	fn.ADDQ(both, k.sum)
	fn.ADDQ(k.N, k.sum)
	k.avalanche()

	fn.Label("not16")
	lengths(17, 32, "not32")
	sum := fn.GP64()
	fn.MOVQ(fn.Words("xxPrime1", xxPrime1), sum)
	fn.IMULQ(k.N, sum)
	k.foldedProduct(Mem{Base: k.Key}, xxph3Secrets[0], Mem{Base: k.Key, Disp: 8}, xxph3Secrets[1], nil)
	fn.ADDQ(k.sum, sum)
	k.foldedProduct(k.fromEnd(16), xxph3Secrets[2], k.fromEnd(8), xxph3Secrets[3], nil)
	fn.ADDQ(sum, k.sum)
	k.avalanche()

	fn.Label("not32")
	if k.Long != "" {
		lengths(4, 8, k.Long)
	}
	end := fn.GP64()
	fn.MOVL(k.fromEnd(4), end.As32())
	fn.SHLQ(U8(32), end)
	fn.MOVL(Mem{Base: k.Key}, k.sum.As32())
	fn.ORQ(end, k.sum)
	fn.XORQ(fn.Words("xxph3Secret0", xxph3Secrets[0]), k.sum)
	k.fold(51)
	fn.IMULQ(fn.Words("xxph3Prime32", xxph3Prime32), k.sum)
	fn.ADDQ(k.N, k.sum)
	k.fold(47)
	fn.IMULQ(fn.Words("xxPrime2", xxPrime2), k.sum)
	k.avalanche()
}

// fromEnd returns the address of the key's last bytes.
func (k *ShortKey) fromEnd(bytes int) Mem {
	return Mem{Base: k.Key, Index: k.N, Scale: 1, Disp: -bytes}
}

// foldedProduct sets the sum to both halves of a product in one. It is of two words of the key, each mixed with
// one of the secret, whose sum is stored, too, unless both is nil.
func (k *ShortKey) foldedProduct(a Mem, secretA uint64, b Mem, secretB uint64, both reg.Register) {
	fn, second := k.fn, k.fn.GP64()
	fn.MOVQ(fn.Words("xxph3Secret", secretA), reg.RAX)
	fn.XORQ(a, reg.RAX)
	fn.MOVQ(fn.Words("xxph3Secret", secretB), second)
	fn.XORQ(b, second)
	if both != nil {
		fn.LEAQ(Mem{Base: reg.RAX, Index: second, Scale: 1}, both)
	}
	fn.MULQ(second)
	fn.XORQ(reg.RAX, k.sum)
}

// avalanche is XXPH3's last step, and looks the hash up.
func (k *ShortKey) avalanche() {
	k.fold(37)
	k.fn.IMULQ(k.fn.Words("xxPrime3", xxPrime3), k.sum)
	k.foldHalves()
}
