package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// A Format is the format of a filter's bytes.
type Format uint8

const (
	// Reserved contains every hash.
	Reserved Format = iota
	// Empty contains no hash.
	Empty
	// FastLocal is RocksDB's Bloom filter, whose keys have all of their bits in one block.
	FastLocal
	// Paired is Speedb's, whose keys have half of their bits in each of two blocks.
	Paired
	// Linear is this module's own, of fingerprints.
	Linear
	// Ribbon is RocksDB's Ribbon filter.
	Ribbon
	// Legacy is RocksDB's older Bloom filter, by 32-bit hashes.
	Legacy
	// LevelDB is LevelDB's Bloom filter, by 32-bit hashes.
	LevelDB
	// SplitBlock is Parquet's, whose keys have a bit in each word of a 32-byte block.
	SplitBlock
	// Blobloom is the format of Go's blobloom, whose keys have all of their bits in one block.
	Blobloom
)

// Kernel is a filter of any format, prepared for lookups: NewX checks the arguments and chooses the functions, once.
// Any number of goroutines may look up in it, and it may be copied. Adding keys to a FastLocal, SplitBlock or
// Blobloom body does not change the Kernel. The zero Kernel panics.
//
// In formats of 32-bit hashes, the hash is the low half.
type Kernel struct { // internal/gen reads this declaration: kernels load these fields
	// Every lookup of one key reads the first cache line, and keys the second.
	body  []byte
	eight [8]uint32 // FastLocal, Paired, Blobloom: the first multipliers; others: a linearFirst, ribbonFirst, legacyFilter or levelDBFilter
	entry entry     // the function that looks one key up

	keyEntry    uintptr        // amd64: the address of the function that hashes and looks up one key
	keysEntry   uintptr        // amd64: the address of the one that hashes and looks up 1 to 7 keys
	own         unsafe.Pointer // a format's own data, such as a *pairedShape or *lazyFilter; or KeysOf's *Kernel
	row         *row           // the functions for batches
	multipliers *[32]uint32    // for the probes of one block
	adder       *adder         // the functions that add a key, after EnableAdd
	outside     OutsideKeyHash // hashes keys, if keyHash is OutsideHash

	probes       int
	format       Format
	form         form
	everything   bool    // Reserved: this is not the zero Kernel
	shared       bool    // FastLocal, SplitBlock, Blobloom: Go code reads the body by atomic loads
	blockHalf    uint8   // byte offset, 0 or 4, of the half of a hash that chooses the block
	keyHash      KeyHash // hashes keys
	restMax      uint8   // the most keys beyond whole eights of a batch that are looked up one by one
	fewKeysMax   uint8   // the most keys of a batch that containsKeys takes
	oneByOneMax  uint8   // the most hashes of a batch that are looked up one by one, up to 63
	fewMax       uint8   // FastLocal, SplitBlock, Linear: the most hashes of a batch that the kernels for a few take
	prefetchable bool    // hashes choose blocks, so that their lines can be prefetched
	inlined      inlined // the lookup in Lookup's closure
	onePartMax   uint16  // the most hashes of a batch that are one part
}

// A form selects the kernels that look up in a filter.
type form uint8

const (
	// Pure Go. It is zero so that the zero Kernel runs no instruction that may be missing.
	formGeneric form = iota
	// AVX2, for up to 8 and more probes of a block.
	form256
	form256by32
	// AVX-512, for up to 8, up to 16 and more probes of a block.
	form512
	form512by16
	form512by32
)

// NewConstant returns the filter that gives every hash the same answer.
func NewConstant(answer bool) Kernel {
	k := Kernel{format: Empty}
	if answer {
		k = Kernel{format: Reserved, everything: true}
	}
	k.use(&inGoFunctions)
	return k
}

func everythingInGo(_ *Kernel, hashes, hits []uint64) {
	for ; len(hashes) > 0; hashes, hits = hashes[min(64, len(hashes)):], hits[1:] {
		hits[0] = ^uint64(0) >> (64 - min(64, len(hashes)))
	}
}

func nothingInGo(_ *Kernel, hashes, hits []uint64) { clear(hits[:Words(len(hashes))]) }

// CanAdd reports whether EnableAdd was called.
func (k *Kernel) CanAdd() bool { return k.adder != nil }

// Body returns the filter's bytes without a trailer, nil if all hashes have the same answer.
func (k *Kernel) Body() []byte { return k.body }

// A Shape is everything that a filter's answers depend on, besides its body and hashes.
type Shape struct {
	Format      Format                 // of the bytes
	Shared      bool                   // goroutines may add to the body while others look up in it
	Probes      int                    // or a Ribbon filter's columns, or 0 if there are neither
	BatchBlocks int                    // Paired: the number of blocks in a batch
	Linear      *fallback.LinearLayers // Linear: where its lines are
	Ribbon      fallback.RibbonShape   // Ribbon: where its columns are
}

// Shape returns the filter's shape.
func (k *Kernel) Shape() Shape {
	if k.format == lazily {
		return k.lazy().unchecked.Shape()
	}
	s := Shape{Format: k.format, Shared: k.shared, Probes: k.probes}
	switch k.format {
	case Paired:
		s.BatchBlocks = k.paired().batchBlocks()
	case Linear:
		s.Linear = &k.linear().layers
	case Ribbon:
		s.Ribbon = k.ribbon().shape
	}
	return s
}

// CheckOpen panics if the Kernel is zero.
func (k *Kernel) CheckOpen() {
	if k.format == Reserved && !k.everything {
		notOpened(k, 0)
	}
}

// notOpened is where lookups in the zero Kernel end.
func notOpened(*Kernel, uint64) (_ uint64, found bool) {
	panic("simdbloom: zero Filter: use Open, UnmarshalBinary or ReadFrom (or its File was closed)")
}
