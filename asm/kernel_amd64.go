//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/race"
)

// An entry is the address of a function that looks one key up. Contains jumps there with the Kernel
// in AX and the hash in DX, so it is no Go function's value. Its first result is unused: ContainsKey's
// parameters reach there.
type entry = uintptr

// entries are the entries of a format, for each form.
type entries [form512by32 + 1]entry

func (e *entries) of(f form) entry { return e[f] }

// The assembly files define these.
var (
	reservedEntries, emptyEntries   entries // kernel_amd64.s
	fastLocalEntries, sharedEntries entries // fastlocal_amd64.s
	pairedEntries                   entries // paired_amd64.s
	linearEntries                   entries // linear_amd64.s
	ribbonEntries                   entries // ribbon_amd64.s
	legacyEntries                   entries // legacy_amd64.s
	levelDBEntries                  entries // leveldb_amd64.s

	splitBlockEntries, sharedSplitBlockEntries entries // splitblock_amd64.s
	blobloomEntries, sharedBlobloomEntries     entries // blobloom_amd64.s
)

func level() cpu.Level { return cpu.Current() }

func formOf(probes int) form {
	switch cpu.Current() {
	case cpu.AVX512:
		return min(form512+form(probes-1)/8, form512by32)
	case cpu.AVX2:
		return form256
	default:
		return formGeneric
	}
}

// legacyForm is formOf, but more than 16 probes have kernels only in AVX2.
func legacyForm(probes int) form {
	if f := formOf(probes); f != form512by32 {
		return f
	}
	return form256
}

func fastLocalContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.FastLocalContains(k.body, k.probes, hash)
}

// Contains reports whether the filter may contain a hash.
func (k *Kernel) Contains(hash uint64) bool {
	k.looksUp(hash)
	_, found := contains(k, hash)
	return found
}

// HashesKeys reports whether ContainsKey has assembly. The race detector would not see what that reads.
const HashesKeys = !race.Enabled

// ContainsKey is Contains of a key's hash.
func (k *Kernel) ContainsKey(key []byte) bool {
	return containsKey(k, unsafe.SliceData(key), len(key))
}

// Assembly decides whether the kernels for a few keys take a batch, or one for one key takes it key by
// key, and otherwise continues in Go. Deciding here would cost FastLocal's commonest form another call, 11 % for 8
// keys and 7 % for 32. Other forms and formats would gain 5 to 10 % and 1 to 5 %, because they would
// not pass through assembly (Zen 4, 16 KiB).

// ContainsBits sets bit i%64 of hits[i/64] to Contains(hashes[i]) for every hash, and the bits
// beyond the last one in its word to zero. hits shares no memory with the hashes. Words beyond
// those are left alone.
func (k *Kernel) ContainsBits(hashes, hits []uint64) {
	k.looksUpBits(hashes, hits)
	fastLocalContainsFewBits(k, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (k *Kernel) ContainsBools(hashes []uint64, hits []bool) {
	k.looksUpBools(hashes, hits)
	fastLocalContainsFewBools(k, hashes, hits)
}

// containsBools is where ContainsBools continues.
func containsBools(k *Kernel, hashes []uint64, hits []bool) {
	checkBools(hashes, hits)
	switch {
	case k.form == formGeneric || len(hashes) == 0:
		k.boolsOfBits(hashes, hits)
	case k.isUneven(len(hashes)):
		whole := len(hashes) &^ (octet - 1)
		containsBools(k, hashes[:whole], hits)
		containsBoolsOneByOne(k, hashes[whole:], hits[whole:])
	case k.format == FastLocal && k.form == form256 && k.isNear(hashes): // two calls less than inBlocks
		fastLocalContainsBatchAVX2(k, &hashes[0], nil, &hits[0], len(hashes), 0)
	case k.format == FastLocal, k.format == SplitBlock, k.format == Blobloom:
		k.inBlocks(hashes, answers{bools: &hits[0]})
	case k.format == Paired:
		k.inPairs(hashes, answers{bools: &hits[0]})
	case k.format == Legacy:
		k.widened(hashes, answers{bools: &hits[0]})
	default:
		k.boolsOfBits(hashes, hits)
	}
}

// oneByOne returns the most keys of a batch that are looked up one by one. More are faster together, by the
// medians of bloom's BenchmarkCalls, at 16 KiB, 1 MiB and 32 MiB.
func oneByOne(format Format, f form, body []byte) uint32 {
	generic := f == formGeneric
	switch {
	case format == LevelDB && generic:
		return 3
	case format == LevelDB:
		return 5
	case format == Legacy && generic:
		return 31
	case format == Paired && !generic, format == FastLocal && generic, format == Ribbon && f >= form512 && isFar(body):
		return 15
	case format == Linear && f >= form512: // the kernel for a few takes as long for any number up to eight
		return 5
	case format == Legacy, format == Linear && !isFar(body):
		return 11
	default:
		return 7
	}
}
