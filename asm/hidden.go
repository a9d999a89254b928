package asm

import "unsafe"

// hidden is its argument. Escape analysis does not see that: it takes it that a function that is called by its value keeps
// its arguments, which would escape to the heap.
//
//go:nocheckptr
func hidden[T any](p *T) *T { return (*T)(unsafe.Add(nil, uintptr(unsafe.Pointer(p)))) }

func hiddenSlice[T any](s []T) []T { return unsafe.Slice(hidden(unsafe.SliceData(s)), len(s)) }
