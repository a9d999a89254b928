package policy

import (
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/stored"
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
	batchBlocks    int // of Paired
	hash           keyhash.Hash
	recorded       string // the name that stores record
}

var (
	fastLocalXX64    = newKind(simdbloom.FastLocal, 0, keyhash.XX64, asm.FastLocalMayContainKey, bloom.MayContainHash)
	fastLocalXXPH3   = newKind(simdbloom.FastLocal, 0, keyhash.XXPH3, rocksDBContains, rocksDBContainsHash)
	paired128XX64    = newKind(simdbloom.Paired, layout.PublishedBlocks, keyhash.XX64, asm.PairedMayContainKey, paired.MayContainHash)
	paired32XXPH3    = newKind(simdbloom.Paired, layout.SpeedbBlocks, keyhash.XXPH3, pairedXXPH3Contains, paired.MayContainHash)
	linearXX64       = newKind(simdbloom.Linear, 0, keyhash.XX64, linearXX64Contains, linear.MayContainHash)
	ribbonXX64       = newKind(simdbloom.Ribbon, 0, keyhash.XX64, ribbonXX64Contains, ribbon.MayContainHash)
	ribbonXXPH3      = newKind(simdbloom.Ribbon, 0, keyhash.XXPH3, rocksDBContains, rocksDBContainsHash)
	legacyRocksDB32  = newKind(simdbloom.Legacy, 0, keyhash.RocksDB32, legacyContains, legacy.MayContainHash)
	splitBlockXX64   = newKind(simdbloom.SplitBlock, 0, keyhash.XX64, asm.SplitBlockMayContainKey, splitblock.MayContainHash)
	levelDBLevelDB32 = newKind(simdbloom.LevelDB, 0, keyhash.LevelDB32, leveldb.MayContain, leveldb.MayContainHash)

	kinds = [...]kind{
		fastLocalXX64, paired128XX64, linearXX64, ribbonXX64, fastLocalXXPH3, ribbonXXPH3, legacyRocksDB32,
		levelDBLevelDB32, paired32XXPH3, splitBlockXX64,
	}
)

func newKind(
	format simdbloom.Format, batchBlocks int, hash keyhash.Hash,
	mayContain func(data, key []byte) bool, mayContainHash func(data []byte, hash uint64) bool,
) kind {
	return kind{mayContain, mayContainHash, format, batchBlocks, hash, stored.Name(asm.Format(format), batchBlocks, hash)}
}

// functions are functions of a format's package, with options where they matter.
type functions struct {
	predictedFPR func(n int, bitsPerKey float64, options ...simdbloom.Option) float64
	keysFor      func(bytes int, bitsPerKey float64, options ...simdbloom.Option) int
}

var functionsOf = [...]functions{
	simdbloom.FastLocal: {bloom.PredictedFPR, withoutOptions(bloom.KeysFor)},
	simdbloom.Paired:    {paired.PredictedFPR, paired.KeysFor},
	simdbloom.Linear:    {linearFPR, withoutOptions(linear.KeysFor)},
	simdbloom.Ribbon:    {ribbon.PredictedFPR, withoutOptions(ribbon.KeysFor)},
	simdbloom.Legacy:    {legacy.PredictedFPR, withoutOptions(legacy.KeysFor)},
	simdbloom.LevelDB:   {leveldb.PredictedFPR, withoutOptions(leveldb.KeysFor)},

	simdbloom.SplitBlock: {splitblock.PredictedFPR, withoutOptions(splitblock.KeysFor)},
}

// linearFPR is linear's PredictedFPR of filters that may have a limit.
func linearFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	if limit := applied(options).Limit; limit != (building.Limit{}) {
		return linear.PredictedFPRWithin(n, bitsPerKey, limit.Within(math.MaxInt))
	}
	return linear.PredictedFPR(n, bitsPerKey)
}

func withoutOptions(keysFor func(bytes int, bitsPerKey float64) int) func(int, float64, ...simdbloom.Option) int {
	return func(bytes int, bitsPerKey float64, _ ...simdbloom.Option) int { return keysFor(bytes, bitsPerKey) }
}

// WithLevel gives the level of the database that a filter's table belongs to: -1 for a table that is
// flushed from memory. A policy such as "ribbonfilter:10:2" builds FastLocal filters below level 2
// and Ribbon filters from there on, as RocksDB's option bloom_before_level has it. Without
// WithLevel the level is unknown, which counts as 2147483646: these policies build Ribbon filters,
// unless their level is 2147483647. It changes no other policies' filters, and only policies have it.
//
// RocksDB counts the level as unknown in tables of databases with FIFO compaction or none.
func WithLevel(n int) simdbloom.Option {
	return func(o *building.Options) { o.Level = n; o.Given |= building.GivenLevel }
}

// unknownLevel counts as the last but one (RibbonFilterPolicy::GetBuilderWithContext in RocksDB's
// table/block_based/filter_policy.cc).
const unknownLevel = math.MaxInt32 - 1

// bloom_before_level, where a policy's name does not say it.
const (
	flushedOnly = 0             // RocksDB's default: only flushed tables have FastLocal filters
	noLevel     = math.MinInt32 // no table has one
)

// applied returns the settings that the options make.
func applied(options []simdbloom.Option) building.Options {
	return *building.Apply(append([]simdbloom.Option{WithLevel(unknownLevel)}, options...))
}

// choose returns the format that the policy builds, and the options as one option.
func (p *Policy) choose(options []simdbloom.Option) (simdbloom.Format, simdbloom.Option) {
	o, format := applied(options), p.format
	if format == simdbloom.Ribbon && o.Level < p.bloomBefore {
		format = simdbloom.FastLocal
	}
	o.Given &^= building.GivenLevel
	if format == simdbloom.Paired {
		o.BatchBlocks = p.batchBlocks
		o.Given |= building.GivenBatchBlocks
	} else {
		o.Given &^= building.GivenRoundDown
	}
	return format, func(all *building.Options) { *all = o }
}
