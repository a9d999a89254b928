package policy

import (
	"math"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
)

// format is what a policy's name stands for, apart from the bits per key. Stored bytes
// depend on it for ever: another format needs another name.
type format struct {
	recorded       string
	hash           keyhash.Hash
	kind           kind
	mayContain     Lookup
	mayContainHash func(data []byte, hash uint64) bool
}

var (
	fastLocalXX64 = &format{
		"simdbloom.FastLocal.XX64", keyhash.XX64, fastLocal{}, fastLocalXX64Contains, bloom.MayContainHash,
	}
	fastLocalXXPH3 = &format{
		"simdbloom.FastLocal.XXPH3", keyhash.XXPH3,
		rocksDB{fastLocal{}},
		rocksDBContains, rocksDBContainsHash,
	}
	legacyRocksDB32 = &format{
		"simdbloom.Legacy.RocksDB32", rocksDB32,
		rocksDB{lines{}},
		legacyContains, legacyContainsHash,
	}
	ribbonXXPH3     = ribbonFrom(notFlushed)
	ribbonOnlyXXPH3 = ribbonFrom(everyLevel)
	paired128XX64   = &format{
		"simdbloom.Paired128.XX64", keyhash.XX64, pairedIn{128}, pairedXX64Contains, paired.MayContainHash,
	}
	paired32XXPH3 = &format{
		"simdbloom.Paired32.XXPH3", keyhash.XXPH3, pairedIn{32}, pairedXXPH3Contains, paired.MayContainHash,
	}
	levelDBLevelDB32 = &format{
		"simdbloom.LevelDB.LevelDB32", levelDB32, anywhere{}, leveldb.MayContain, levelDBContainsHash,
	}
	linearXX64 = &format{
		"simdbloom.Linear.XX64", keyhash.XX64, inLines{}, linearXX64Contains, linear.MayContainHash,
	}
)

// kind is a filter's package, with the options that its name in RocksDB or Speedb
// implies.
type kind interface {
	newBuilder(bitsPerKey float64, hash keyhash.Hash, o builderOptions) (Builder, error)
	predictedFPR(n int, bitsPerKey float64, o builderOptions) float64
	entriesFor(bytes int, bitsPerKey float64, o builderOptions) int
	open(data []byte, hash keyhash.Hash) (Filter, error)
}

// parsed is a Policy as Parse makes it.
type parsed struct {
	*format
	text       string
	bitsPerKey float64
}

func (p *parsed) Name() string { return p.recorded }

func (p *parsed) String() string { return p.text }

func (p *parsed) Hash() keyhash.Hash { return p.hash }

func (p *parsed) NewBuilder(options ...BuilderOption) Builder {
	b, err := p.builder(chosen(options))
	if err != nil {
		panic("policy: " + err.Error())
	}
	return b
}

func (p *parsed) PredictedFPR(n int, options ...BuilderOption) float64 {
	o := chosen(options)
	if _, err := p.builder(o); err != nil {
		return math.NaN()
	}
	if !p.filters() {
		return 1
	}
	return p.kind.predictedFPR(n, p.bitsPerKey, o)
}

func (p *parsed) EntriesFor(bytes int, options ...BuilderOption) int {
	o := chosen(options)
	if _, err := p.builder(o); err != nil {
		return 0
	}
	if o.limited {
		bytes = min(bytes, o.maxBytes)
	}
	switch {
	case p.filters():
		return p.kind.entriesFor(bytes, p.bitsPerKey, o)
	case bytes < alwaysTrueBytes:
		return 0
	}
	return math.MaxInt
}

// builder returns a builder, or an error for invalid options. Parse has checked
// everything else. Whether an option is invalid does not depend on the bits per key.
func (p *parsed) builder(o builderOptions) (Builder, error) {
	b, err := p.kind.newBuilder(max(p.bitsPerKey, building.LeastBitsPerKey), p.hash, o)
	if err == nil && !p.filters() {
		b = new(alwaysTrueBuilder)
	}
	return b, err
}

// filters reports whether there are enough bits for a real filter.
func (p *parsed) filters() bool { return p.bitsPerKey >= building.LeastBitsPerKey }

func (p *parsed) Open(data []byte) (Filter, error) { return p.kind.open(data, p.hash) }

func (p *parsed) MayContain(data, key []byte) bool { return p.mayContain(data, key) }

func (p *parsed) MayContainHash(data []byte, hash uint64) bool { return p.mayContainHash(data, hash) }

func (p *parsed) HashApplies(data []byte) bool {
	k, several := p.kind.(rocksDB)
	if !several {
		return true
	}
	_, hash := k.reader(data, p.hash)
	return hash == p.hash
}
