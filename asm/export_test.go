//go:build (amd64 || arm64) && !purego

package asm

// SetFar makes bodies far from so many bytes on, and in memory, until restore is
// called.
func SetFar(bytes, inMemory int) (restore func()) {
	far, memory := farFrom, memoryFrom
	farFrom, memoryFrom = bytes, inMemory
	return func() { farFrom, memoryFrom = far, memory }
}
