package asm

import "unsafe"

// hidden returns its argument, and escape analysis does not see that. It assumes that a function that is called by its
// value keeps the arguments: without hidden, they would escape to the heap.
//
// The address is a number for two instructions only. With unsafe.Add, the compiler kept a number across a call, and the
// runtime does not correct numbers when a stack moves: TestStacksMayMove. So there must be no call of what checks
// pointers, either, in programs with the race detector. That would also mark the stack's memory, which another
// goroutine had before.
//
//go:norace
//go:nocheckptr
func hidden[T any](p *T) *T {
	address := uintptr(unsafe.Pointer(p))
	return *(**T)(unsafe.Pointer(&address))
}

//go:norace
//go:nocheckptr
func hiddenSlice[T any](s []T) []T { return *hidden(&s) }
