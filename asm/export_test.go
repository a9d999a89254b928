//go:build (amd64 || arm64) && !purego

package asm

// SetDistances sets the sizes from which bodies are far, and in memory, and the most keys
// of a far one that are few, until restore is called.
func SetDistances(far, inMemory, fewMax int) (restore func()) {
	oldFar, oldAVX2, oldRibbon, oldHeaders, oldAdd, oldMemory, oldFew, oldKeys, oldWords, oldAdd256 := farFrom, farFromAVX2, ribbonFarFrom, headersFarFrom, addFarFrom, memoryFrom, fewMaxFar, keysFarFrom, wordsFarFrom, addFarFromAVX2
	farFrom, farFromAVX2, ribbonFarFrom, headersFarFrom, addFarFrom, memoryFrom, fewMaxFar, keysFarFrom, wordsFarFrom, addFarFromAVX2 = far, far, far, inMemory, far, inMemory, uint8(fewMax), far, far, far
	return func() {
		farFrom, farFromAVX2, ribbonFarFrom, headersFarFrom, addFarFrom, memoryFrom, fewMaxFar, keysFarFrom, wordsFarFrom, addFarFromAVX2 = oldFar, oldAVX2, oldRibbon, oldHeaders, oldAdd, oldMemory, oldFew, oldKeys, oldWords, oldAdd256
	}
}

// SetPairedNear sets the largest size of near paired filters until restore is called.
func SetPairedNear(bytes int) (restore func()) {
	old := pairedNear
	pairedNear = bytes
	return func() { pairedNear = old }
}

// Hidden returns a pointer as kernels get it.
func Hidden[T any](p *T) *T { return hidden(p) }
