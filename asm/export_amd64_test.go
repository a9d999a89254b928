//go:build !purego

package asm

// SetFar makes bodies far from so many bytes on, until restore is called.
func SetFar(bytes int) (restore func()) {
	before := farFrom
	farFrom = bytes
	return func() { farFrom = before }
}
