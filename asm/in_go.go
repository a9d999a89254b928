package asm

// A formatInGo is the functions of a format without kernels. Its Kernel has the form formGeneric, and uses
// inGoFunctions; if its filters grow, formatAdders has inGoAdders and noAdders. Assembly and Go call these functions by
// the two tables below.
type formatInGo struct {
	contains func(k *Kernel, hash uint64) bool
	bits     func(k *Kernel, hashes, hits []uint64)
	add      func(k *Kernel, hash uint64) (set bool) // if the filters grow: reports whether it set any bit
}

var formatsInGo = [...]formatInGo{
	Reserved: {bits: everythingInGo},
	Empty:    {bits: nothingInGo},
	lazily:   {}, // CheckLazily's, which would be a cycle here
}

func containsByFormat(k *Kernel, hash uint64) (_ uint64, found bool) {
	if k.body == nil { // NewConstant's: a call would take another 1.5 ns (processor not recorded)
		return 0, k.everything
	}
	return 0, formatsInGo[k.format].contains(hidden(k), hash)
}

func bitsByFormat(k *Kernel, hashes, hits []uint64) {
	formatsInGo[k.format].bits(hidden(k), hiddenSlice(hashes), hiddenSlice(hits))
}

func addByFormat(k *Kernel, hash uint64) { addIfAbsentByFormat(k, hash) }

func addIfAbsentByFormat(k *Kernel, hash uint64) bool {
	return formatsInGo[k.format].add(hidden(k), hash)
}
