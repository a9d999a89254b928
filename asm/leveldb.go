package asm

import "github.com/simdbloom/simdbloom/fallback"

// LevelDB is a LevelDB filter's body, prepared for lookups. A key's bits are anywhere in it.
// There are no kernels for it: package fallback runs everywhere.
type LevelDB struct {
	body    []byte
	modulus fallback.Modulus
	probes  int
}

// NewLevelDB prepares a body. It panics if the body is empty, or if there are more than
// MaxProbes probes. Without probes, the filter contains every hash.
func NewLevelDB(body []byte, probes int) LevelDB {
	checkLevelDB(body, probes)
	return LevelDB{body, fallback.LevelDBModulus(body), probes}
}

// Contains is [fallback.LevelDBContains].
func (f *LevelDB) Contains(hash uint32) bool {
	return fallback.LevelDBContains(f.body, f.modulus, f.probes, hash)
}

// LevelDBContains is [fallback.LevelDBContainsOnce]: Contains for a body that is not prepared. It
// panics as NewLevelDB does.
func LevelDBContains(body []byte, probes int, hash uint32) bool {
	checkLevelDB(body, probes)
	return fallback.LevelDBContainsOnce(body, probes, hash)
}

// ContainsBits is [fallback.LevelDBContainsBatch].
func (f *LevelDB) ContainsBits(hashes []uint32, hits []uint64) {
	checkBits(hashes, hits)
	fallback.LevelDBContainsBatch(f.body, f.modulus, f.probes, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *LevelDB) ContainsBools(hashes []uint32, hits []bool) { f.boolsOfBits(hashes, hits) }

// LevelDBAdd is [fallback.LevelDBAdd].
func LevelDBAdd(body []byte, probes int, hashes []uint32) {
	checkLevelDB(body, probes)
	fallback.LevelDBAdd(body, fallback.LevelDBModulus(body), probes, hashes)
}

func checkLevelDB(body []byte, probes int) {
	if len(body) == 0 {
		panic("asm: the body must not be empty")
	}
	checkProbes(probes, 0)
}
