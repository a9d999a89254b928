//go:build !purego

package asm

// addBlobloom adds hashes to blobloom's blocks.
func (k *Kernel) addBlobloom(hashes []uint64) {
	if k.form == formGeneric || k.probes > mostAddedProbes || len(hashes) < octet {
		k.addAllInGo(hashes)
		return
	}
	k.addsAll(hashes)
	far := k.isFarForAdding()
	for len(hashes) > 0 {
		n := addedAtOnce(len(hashes))
		blobloomAddAVX2(k, &hashes[0], n, far)
		hashes = hashes[n:]
	}
}
