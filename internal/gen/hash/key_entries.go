package hash

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// KeyEntries emits the functions that hash a short key and look it up in a kind of filter, and the table that has them
// by the number of the hash. lookUp has the filter and the hash where kernels have them: beyond the base level, only
// the hash's low half, and its high half in the given register.
func KeyEntries(f *kernel.File, table, name string, level kernel.Level, lookUp func(fn *kernel.Function, high reg.GPVirtual)) {
	functions := []string{anyKey}
	for _, h := range ShortHashes {
		fn := f.Entry(level, name+h.Name, shared.Keyed)
		var k *ShortKey
		k = NewShortKey(fn, func() {
			if h.ChangesAX {
				fn.Load(fn.Param("k"), shared.Prepared)
			}
			lookUp(fn, k.high)
		})
		k.halves = level != kernel.Base
		k.Load()
		h.Begin(k)
		h.Emit(k)
		fn.Label(k.Long)
		fn.TailCall(h.Long)
		functions = append(functions, name+h.Name)
	}
	f.Addresses(table, functions...)
}

// OneByOne is the function for keys of any length and hash.
const OneByOne = "containsKeysOneByOne"

// mostFewest is the most keys of KeysEntries' functions.
const mostFewest = shared.Octet - 1

// KeysEntries emits the functions that hash 1 to 7 short keys and then look them up in a kind of filter, and the table
// that has them by the number of the hash. From a key on that is not short, OneByOne continues. That all are hashed
// first makes these chains of instructions overlap: key after key, two took 1.1 times as long as two calls for one key
// (processor not recorded).
//
// lookUps emits the lookups of hashes in a room, and returns where their number is afterwards.
func KeysEntries(f *kernel.File, table, name string, level kernel.Level, lookUps func(fn *kernel.Function, r Room) (done Op)) {
	functions := []string{OneByOne}
	for _, h := range ShortHashes {
		fn := f.Function(level, name+h.Name, shared.ContainsKeys, name+h.Name+" is containsKeys of 1 to 7 keys.")
		fn.Attributes(attr.NOSPLIT)
		r := Room{Arguments: NewArguments(fn), Hashes: fn.AllocLocal(mostFewest * shared.HashBytes), N: fn.GP64()}
		keys, n := fn.GP64(), fn.GP64()
		fn.Load(fn.Param("keys").Base(), keys)
		fn.Load(fn.Param("keys").Len(), n)
		fn.XORL(r.N.As32(), r.N.As32())
		k := NewShortKey(fn, func() {
			fn.MOVQ(shared.HashedKey, r.Hashes.Idx(r.N, shared.HashBytes))
			fn.ADDQ(U8(SliceBytes), keys)
			fn.INCQ(r.N)
			fn.CMPQ(r.N, n)
			fn.JB(LabelRef("key"))
			fn.JMP(LabelRef("lookUp"))
		})
		h.Begin(k)
		fn.Label("key")
		fn.MOVQ(Mem{Base: keys}, k.Key)
		fn.MOVQ(Mem{Base: keys, Disp: shared.HashBytes}, k.N)
		h.Emit(k)
		fn.Label(k.Long)
		fn.TESTQ(r.N, r.N)
		fn.JZ(LabelRef("left"))
		fn.Label("lookUp")
		if done := lookUps(fn, r); done != r.N {
			fn.MOVQ(done, r.N)
		}
		fn.CMPQ(r.N, fn.Address(fn.Param("keys").Len()))
		fn.JNE(LabelRef("left"))
		fn.RET()
		fn.Label("left")
		r.Arguments.CallForRest(fn, OneByOne, r.N)
		functions = append(functions, name+h.Name)
	}
	f.Addresses(table, functions...)
}

// A Room has hashes on the stack, whose number is in a register.
type Room struct {
	Arguments Arguments
	Hashes    Mem
	N         reg.GPVirtual
}

// Arguments are the arguments and results of a call, at the end of the stack.
type Arguments [7]Mem

// NewArguments begins the function's stack with them.
func NewArguments(fn *kernel.Function) (a Arguments) {
	fn.Calls()
	for i := range a {
		a[i] = fn.AllocLocal(8)
	}
	return a
}

// CallForRest calls a function of few keys for those behind the first n, and returns. Without a name it is the filter's
// for 1 to 7 keys.
func (a Arguments) CallForRest(fn *kernel.Function, name string, n reg.GPVirtual) {
	filter, keys, hits := fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("k"), filter)
	fn.IMUL3Q(U8(SliceBytes), n, keys)
	fn.ADDQ(fn.Address(fn.Param("keys").Base()), keys)
	fn.MOVQ(n, hits)
	fn.ADDQ(fn.Address(fn.Param("hits").Base()), hits)
	fn.NEGQ(n)
	fn.ADDQ(fn.Address(fn.Param("keys").Len()), n)
	for i, argument := range []reg.GPVirtual{filter, keys, n, n, hits, n, n} {
		fn.MOVQ(argument, a[i])
	}
	if name == "" {
		fn.MOVQ(fn.Field(filter, "Kernel", "keysEntry"), reg.RCX)
		fn.CallAt(reg.RCX)
	} else {
		fn.Call(name)
	}
	fn.RET()
}
