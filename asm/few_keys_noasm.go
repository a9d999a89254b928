//go:build !amd64 || purego

package asm

func (*Kernel) takesKeys() {}

func containsKeys(*Kernel, [][]byte, []bool) {}

func addKey(*Kernel, *byte, int) {}

func (*Kernel) containsAlike([][]byte, []bool) (done int) { return 0 }
