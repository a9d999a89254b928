//go:build !amd64 || purego

package asm

func (*Kernel) takesKeys() {}

func containsKeys(*Kernel, [][]byte, []bool) {}

func addKey(*Kernel, *byte, int) {}

func (*Kernel) containsAlike([][]byte, []bool) (done int) { return 0 }

// ContainsWords looks up none of these words: there is no kernel.
func (*Kernel) ContainsWords([]uint64, []bool) (done int) { return 0 }
