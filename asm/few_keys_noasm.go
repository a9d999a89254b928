//go:build !amd64 || purego

package asm

func (*Kernel) takesKeys() {}

func containsFewKeys(k *Kernel, keys *[]byte, hits *bool, n int) { refuseFewKeys(k, keys, hits, n) }

func addKey(*Kernel, *byte, int) {}
