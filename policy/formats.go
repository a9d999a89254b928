// Package policy builds and reads filters by name, as databases configure them. One
// string gives the format, the bits per key and the key hash, so a filter's builder
// and its readers cannot disagree. It builds the filters of packages [bloom], [paired],
// [linear], [ribbon], [legacy], [leveldb], [splitblock] and [blobloom].
//
//	p, err := policy.Parse("speedb.PairedBloomFilter:23.4")
//	b := p.NewBuilder()
//	b.Add(key)               // ... every key of a table
//	data, err := b.Finish()  // the bytes to store in the table
//
//	p.MayContain(data, key)  // before reading the table
//
// The names, where B is bits per key, a decimal number:
//
//	simdbloom.FastLocal:B                    FastLocal, XX64
//	simdbloom.Paired:B                       Paired, XX64; FastLocal below 4 KiB
//	simdbloom.Linear:B                       Linear, XX64
//	simdbloom.Ribbon:B                       Ribbon, XX64
//	simdbloom.SplitBlock:B                   Parquet's split-block filter, XX64
//	simdbloom.Blobloom:B                     blobloom's, XX64
//	rocksdb.BloomFilter:B, bloomfilter:B     RocksDB's filter: FastLocal, XXPH3
//	    (also with ":false" or ":true" at the end, as in old option files)
//	rocksdb.internal.FastLocalBloomFilter:B  the same
//	rocksdb.RibbonFilter:B, ribbonfilter:B   RocksDB's Ribbon filter, and FastLocal for flushed
//	                                         tables: see WithLevel; XXPH3
//	    (also with a level at the end, such as ":2": FastLocal below it, Ribbon from there on)
//	rocksdb.internal.Standard128RibbonFilter:B
//	                                         Ribbon in every level
//	rocksdb.internal.LegacyBloomFilter:B     RocksDB's filter before format_version 5, which
//	                                         Pebble writes: legacy, with a hash of 32 bits
//	leveldb.BuiltinBloomFilter2:B            LevelDB's filter, with a hash of 32 bits
//	speedb.PairedBloomFilter:B               Speedb's filter: Paired in
//	speedb_paired_bloom_filter:B             32-block batches, XXPH3
//
// The name that is recorded for a filter's format and key hash, such as simdbloom.Paired32.XXPH3 or
// simdbloom.Linear.XXPH3, can stand for these, too. [Parse] also reads objects as RocksDB's OPTIONS files have them.
//
// For new filters that no other program reads, take simdbloom.Linear, which needs the least memory: see
// [linear.BitsPerKeyFor]. Where building must be fast, use simdbloom.FastLocal up to 12 bits per key, and
// simdbloom.Paired above.
package policy

import (
	"cmp"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// kind is a policy without its bits per key. Stored bytes depend on it for ever: another kind
// needs another name.
type kind struct {
	mayContain     func(data, key []byte) bool // first: a lookup reads it
	mayContainHash func(data []byte, hash uint64) bool
	format         simdbloom.Format
	batchBlocks    int // of Paired, or 0 if the size decides
	hash           keyhash.Hash
	recorded       string // the name that stores record
	speedbs        bool   // reads Speedb's filters, whose bytes tell the batches
}

var (
	fastLocalXX64    = newKind(simdbloom.FastLocal, keyhash.XX64, asm.FastLocalMayContainKey, bloom.MayContainHash)
	fastLocalXXPH3   = newKind(simdbloom.FastLocal, keyhash.XXPH3, rocksDBContains, rocksDBContainsHash)
	pairedXX64       = newKind(simdbloom.Paired, keyhash.XX64, asm.PairedBySizeMayContainKey, asm.PairedBySizeMayContain)
	paired128XX64    = newKind(simdbloom.Paired, keyhash.XX64, asm.PairedBySizeMayContainKey, asm.PairedBySizeMayContain).inBatches(128)
	paired32XXPH3    = newKind(simdbloom.Paired, keyhash.XXPH3, asm.PairedMayContainKeyXXPH3, asm.PairedMayContain).inBatches(32)
	linearXX64       = newKind(simdbloom.Linear, keyhash.XX64, linearXX64Contains, linear.MayContainHash)
	ribbonXX64       = newKind(simdbloom.Ribbon, keyhash.XX64, ribbonXX64Contains, ribbon.MayContainHash)
	ribbonXXPH3      = newKind(simdbloom.Ribbon, keyhash.XXPH3, rocksDBContains, rocksDBContainsHash)
	legacyRocksDB32  = newKind(simdbloom.Legacy, keyhash.RocksDB32, legacyContains, legacy.MayContainHash)
	splitBlockXX64   = newKind(simdbloom.SplitBlock, keyhash.XX64, asm.SplitBlockMayContainKey, splitblock.MayContainHash)
	levelDBLevelDB32 = newKind(simdbloom.LevelDB, keyhash.LevelDB32, leveldb.MayContain, leveldb.MayContainHash)

	// kinds are the formats and key hashes of the names in the overview. Any other pair of a format and a key hash has
	// no lookups of its own: see kindOf.
	kinds = [...]kind{
		fastLocalXX64, paired128XX64, linearXX64, ribbonXX64, fastLocalXXPH3, ribbonXXPH3, legacyRocksDB32,
		levelDBLevelDB32, paired32XXPH3, splitBlockXX64,
	}

	// speedbXXPH3 builds and records filters as paired32XXPH3 does.
	speedbXXPH3 = func() kind {
		k := paired32XXPH3
		k.mayContain, k.mayContainHash, k.speedbs = asm.SpeedbMayContainKeyXXPH3, asm.SpeedbMayContain, true
		return k
	}()
)

func newKind(
	format simdbloom.Format, hash keyhash.Hash,
	mayContain func(data, key []byte) bool, mayContainHash func(data []byte, hash uint64) bool,
) kind {
	k := kind{mayContain: mayContain, mayContainHash: mayContainHash, format: format, hash: hash}
	return k.inBatches(k.batchBlocks)
}

// inBatches returns the kind with the given number of blocks in a batch of Paired.
func (k kind) inBatches(blocks int) kind {
	k.batchBlocks, k.recorded = blocks, formats.RecordedName(asm.Format(k.format), blocks, k.hash)
	return k
}

// kindOf returns the kind whose filters are recorded under a name: any format that a Builder makes with the key hash.
func kindOf(recorded string) (k kind, ok bool) {
	for _, k := range kinds {
		if k.recorded == recorded {
			return k, true
		}
	}
	format, hash, err := formats.ParseName(recorded, keyhash.Hash{})
	of, known := rowOf(simdbloom.Format(format))
	if err != nil || !known {
		return kind{}, false
	}
	if _, err := simdbloom.NewBuilder(simdbloom.Format(format), building.LeastBitsPerKey, hash); err != nil {
		return kind{}, false // a hash of 32 bits in a format of 64
	}
	mayContainHash := of.mayContainHash
	if formats.BatchBlocksOf(recorded) != 0 {
		mayContainHash = asm.PairedMayContain
	}
	mayContain := func(data, key []byte) bool { return mayContainHash(data, hash.Sum64(key)) }
	batchBlocks := cmp.Or(formats.BatchBlocksOf(recorded), 128) // the names of other formats than Paired have none
	return newKind(simdbloom.Format(format), hash, mayContain, mayContainHash).inBatches(batchBlocks), true
}

// A row has the name of a format's policies that WithFPR returns, and functions of the format's package, with options
// where they matter.
type row struct {
	name           string
	predictedFPR   func(n int, bitsPerKey float64, options ...simdbloom.Option) float64
	keysFor        func(bytes int, bitsPerKey float64, options ...simdbloom.Option) int
	mayContainHash func(data []byte, hash uint64) bool
}

var rows = [...]row{
	simdbloom.FastLocal:  {"simdbloom.FastLocal", bloom.PredictedFPR, withoutOptions(bloom.KeysFor), bloom.MayContainHash},
	simdbloom.Paired:     {"simdbloom.Paired", paired.PredictedFPR, paired.KeysFor, paired.MayContainHash},
	simdbloom.Linear:     {"simdbloom.Linear", linear.PredictedFPR, linear.KeysFor, linear.MayContainHash},
	simdbloom.Ribbon:     {"simdbloom.Ribbon", ribbon.PredictedFPR, withoutOptions(ribbon.KeysFor), ribbon.MayContainHash},
	simdbloom.Legacy:     {"rocksdb.internal.LegacyBloomFilter", legacy.PredictedFPR, withoutOptions(legacy.KeysFor), legacy.MayContainHash},
	simdbloom.LevelDB:    {"leveldb.BuiltinBloomFilter2", leveldb.PredictedFPR, withoutOptions(leveldb.KeysFor), leveldb.MayContainHash},
	simdbloom.SplitBlock: {"simdbloom.SplitBlock", splitblock.PredictedFPR, withoutOptions(splitblock.KeysFor), splitblock.MayContainHash},
	simdbloom.Blobloom:   {"simdbloom.Blobloom", blobloom.PredictedFPR, withoutOptions(blobloom.KeysFor), blobloom.MayContainHash},
}

// rowOf reports whether policies have the format.
func rowOf(format simdbloom.Format) (of row, ok bool) {
	if int(format) < len(rows) {
		of = rows[format]
	}
	return of, of.mayContainHash != nil
}

func withoutOptions(keysFor func(bytes int, bitsPerKey float64) int) func(int, float64, ...simdbloom.Option) int {
	return func(bytes int, bitsPerKey float64, _ ...simdbloom.Option) int { return keysFor(bytes, bitsPerKey) }
}

// lookUp returns the name that Parse reads.
func lookUp(text string) (name, bool) {
	for _, k := range known {
		if k.name == text {
			return k, true
		}
	}
	recorded := text
	for format, of := range rows {
		if of.name == text && text != "" { // of a format that has no kind
			recorded = formats.RecordedName(asm.Format(format), 0, keyhash.XX64)
		}
	}
	k, ok := kindOf(recorded)
	return name{text, k, nothing, noLevel}, ok
}

// known are the names of the overview, and those that these kinds record, without the bits per key.
var known = func() (all []name) {
	all = []name{
		{"simdbloom.FastLocal", fastLocalXX64, nothing, noLevel},
		{"simdbloom.Paired", pairedXX64, nothing, noLevel},
		{"simdbloom.Linear", linearXX64, nothing, noLevel},
		{"simdbloom.Ribbon", ribbonXX64, nothing, noLevel},
		{"simdbloom.SplitBlock", splitBlockXX64, nothing, noLevel},
		{"rocksdb.BloomFilter", fastLocalXXPH3, colonBool, noLevel},
		{"bloomfilter", fastLocalXXPH3, colonBool, noLevel},
		{"rocksdb.internal.FastLocalBloomFilter", fastLocalXXPH3, nothing, noLevel},
		{"rocksdb.RibbonFilter", ribbonXXPH3, level, flushedOnly},
		{"ribbonfilter", ribbonXXPH3, level, flushedOnly},
		{"rocksdb.internal.Standard128RibbonFilter", ribbonXXPH3, nothing, noLevel},
		{"rocksdb.internal.LegacyBloomFilter", legacyRocksDB32, nothing, noLevel},
		{"leveldb.BuiltinBloomFilter2", levelDBLevelDB32, nothing, noLevel},
		{"speedb.PairedBloomFilter", speedbXXPH3, nothing, noLevel},
		{"speedb_paired_bloom_filter", speedbXXPH3, nothing, noLevel},
	}
	for _, k := range kinds {
		all = append(all, name{k.recorded, k, nothing, noLevel})
	}
	return all
}()

type name struct {
	name        string
	kind        kind
	may         ending
	bloomBefore int // a level: see Policy
}

// ending is the text that may follow the bits per key.
type ending int

const (
	nothing   ending = iota
	colonBool        // ":false", or ":true", which older RocksDBs took for the block-based filter
	level            // a colon and a level
)

// FastLocal returns the policy "simdbloom.FastLocal:B" for B bits per key: the fastest
// lookups. It panics on NaN and infinities, as the other formats' functions do.
func FastLocal(bitsPerKey float64) *Policy { return must(simdbloom.FastLocal, bitsPerKey) }

// Paired returns the policy "simdbloom.Paired:B" for B bits per key. Use it above 12 bits per key, where it has fewer
// false positives than FastLocal. Filters of few keys are FastLocal's: see package [paired].
func Paired(bitsPerKey float64) *Policy { return must(simdbloom.Paired, bitsPerKey) }

// Linear returns the policy "simdbloom.Linear:B" for B bits per key: the least memory for a
// false-positive rate, and more time to build, some tens of nanoseconds a key.
func Linear(bitsPerKey float64) *Policy { return must(simdbloom.Linear, bitsPerKey) }

// Ribbon returns the policy "simdbloom.Ribbon:B", whose filters have the rate of a Bloom filter of B
// bits per key.
func Ribbon(bitsPerKey float64) *Policy { return must(simdbloom.Ribbon, bitsPerKey) }

// Legacy returns the policy "rocksdb.internal.LegacyBloomFilter:B", for B bits per key: Pebble's filter.
func Legacy(bitsPerKey float64) *Policy { return must(simdbloom.Legacy, bitsPerKey) }

// LevelDB returns the policy "leveldb.BuiltinBloomFilter2:B", for B bits per key: LevelDB's filter.
func LevelDB(bitsPerKey float64) *Policy { return must(simdbloom.LevelDB, bitsPerKey) }

// SplitBlock returns the policy "simdbloom.SplitBlock:B" for B bits per key: Parquet's filter.
func SplitBlock(bitsPerKey float64) *Policy { return must(simdbloom.SplitBlock, bitsPerKey) }
