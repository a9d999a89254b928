package policy

import (
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Policy builds and reads filters of one format with one key hash. [Parse] returns it, and so do
// [ForName], the functions of the formats' names, and [New] for a filter of your own. Any number of goroutines may use
// it at once.
type Policy struct {
	kind        kind
	text        string
	bitsPerKey  float64
	bloomBefore int     // of Ribbon: tables of a level below this have FastLocal filters
	fpr         float64 // of all filters, in place of bitsPerKey, or 0
	own         *Own    // of New
}

// Name returns the name that a store should record beside the filters: the format, the
// batch and the hash, without the bits per key. Policies of one name read
// each other's filters.
func (p *Policy) Name() string { return p.kind.recorded }

// String is the text that [Parse] was given.
func (p *Policy) String() string { return p.text }

// Hash is the key hash that filters are built and queried with.
func (p *Policy) Hash() keyhash.Hash { return p.kind.hash }

// Format is the format of the filters that the policy builds. RocksDB's Ribbon policy builds FastLocal
// filters in some levels, and for few keys. It is [simdbloom.Reserved] for policies of [New].
func (p *Policy) Format() simdbloom.Format { return p.kind.format }

// BitsPerKey returns the bits per key that the policy's text gives, 1000 at most. Those of [ForName] and [Readers]
// are 10. Of a policy with a rate they are those of a filter of a million keys: see [WithFPR].
func (p *Policy) BitsPerKey() float64 { return p.bitsPerKey }

// NewBuilder returns an empty builder. Below 0.5 bits per key, which RocksDB's
// users write for "no filter", it builds RocksDB's six zero bytes, which may
// contain every key; that builder keeps no keys, so Len counts repeated ones too.
//
// It panics if an option is invalid (WithConcurrency below 1, WithMaxBytes below the
// smallest filter's size, one that the format does not have), even below 0.5 bits per key. The batches of
// Paired are the policy's own.
func (p *Policy) NewBuilder(options ...simdbloom.Option) *simdbloom.Builder {
	b, err := p.builder(p.choose(options))
	if err != nil {
		panic(err.Error())
	}
	return b
}

// builder returns a builder, or an error for invalid options: Parse has checked everything else.
func (p *Policy) builder(format simdbloom.Format, o simdbloom.Option) (*simdbloom.Builder, error) {
	if p.own != nil {
		own := building.Own{SizeBytes: p.own.SizeBytes, Build: p.own.Build, MayContain: p.own.MayContain}
		return simdbloom.NewBuilder(format, p.bitsPerKey, p.kind.hash, o, func(o *building.Options) { o.Own = &own })
	}
	return simdbloom.NewBuilder(format, max(p.bitsPerKey, building.LeastBitsPerKey), p.kind.hash, o, func(o *building.Options) { o.AlwaysTrue = p.alwaysTrue() })
}

// alwaysTrue reports whether there are too few bits for a filter.
func (p *Policy) alwaysTrue() bool { return p.own == nil && p.bitsPerKey < building.LeastBitsPerKey }

// PredictedFPR returns the expected false-positive rate of a filter of n different
// keys that is built with the same options. Below 0.5 bits per key it is 1, and
// NaN if an option is invalid, and for policies of [New]. See PredictedFPR of the format's package.
func (p *Policy) PredictedFPR(n int, options ...simdbloom.Option) float64 {
	format, o := p.choose(options)
	if _, err := p.builder(format, o); err != nil || p.own != nil {
		return math.NaN()
	}
	if p.alwaysTrue() {
		return 1
	}
	return rows[format].predictedFPR(n, p.bitsFor(format, n, o), o)
}

// KeysFor returns the number of keys for which a filter of the given number of bytes has room, if it is
// built with the same options. Package filterblock, and RocksDB, cut a table's filter into partitions of
// so many keys. It is 0 if no filter is that small, and if an option is invalid. Below 0.5
// bits per key there is room for any number. It costs microseconds at most, with [WithFPR] milliseconds.
func (p *Policy) KeysFor(bytes int, options ...simdbloom.Option) int {
	format, o := p.choose(options)
	if _, err := p.builder(format, o); err != nil {
		return 0
	}
	limit := applied(options).Limit
	if limit.Exact() && bytes < limit.Within(math.MaxInt) {
		return 0
	}
	bytes = limit.Within(bytes)
	switch {
	case p.own != nil:
		return p.own.keysFor(bytes)
	case p.fpr != 0:
		return p.keysForRate(format, bytes, o)
	case !p.alwaysTrue():
		return rows[format].keysFor(bytes, p.bitsPerKey, o)
	case bytes < len(contents.AlwaysTrue):
		return 0
	}
	return math.MaxInt
}

// SizeBytes returns the size of a filter of n different keys that is built with the same options, as
// [simdbloom.Builder.SizeBytes] does, without a builder. It is 0 if an option is invalid, and math.MaxInt if no filter
// has so many keys. It costs less than a microsecond, with [WithFPR] up to milliseconds.
func (p *Policy) SizeBytes(n int, options ...simdbloom.Option) int {
	format, o := p.choose(options)
	if _, err := p.builder(format, o); err != nil {
		return 0
	}
	switch {
	case p.own != nil:
		return p.own.sizeBytes(n)
	case p.alwaysTrue():
		return len(contents.AlwaysTrue)
	}
	scheme, err := formats.SchemeOf(asm.Format(format), p.bitsPerKey, building.Apply([]simdbloom.Option{o}))
	if err != nil {
		return 0
	}
	log := hashlog.Counted(max(n, 0))
	bytes, allowed := scheme.Size(&log)
	if !allowed {
		return math.MaxInt
	}
	return int(min(bytes, math.MaxInt))
}

// Open returns the filter whose bytes are data, without copying them. It accepts
// any bytes. Its error wraps [simdbloom.ErrCorrupt]. See [simdbloom.OpenNamed], and [paired.Open] for policies of
// Speedb's names, which read the filters of all its versions. Filters of a policy of [New] have no [simdbloom.Filter]:
// the error wraps [simdbloom.ErrUnknown], and MayContain looks keys up.
func (p *Policy) Open(data []byte) (*simdbloom.Filter, error) {
	if p.kind.speedbs && asm.PairedInDoubt(data) {
		return simdbloom.Open(p.kind.format, data, p.kind.hash)
	}
	return simdbloom.OpenNamed(p.kind.recorded, data, p.kind.hash)
}

// MayContain is Open and Contains in one call, which allocates nothing. Use it where
// every lookup finds the bytes anew, as in a block cache. It answers true for bytes
// that Open refuses and for filters of other formats. It costs the key's hash and a few
// nanoseconds if the filter's lines are cached, otherwise a cache miss for each; by Speedb's names more: see
// [paired.MayContainHash].
func (p *Policy) MayContain(data, key []byte) bool { return p.kind.mayContain(data, key) }

// MayContainHash is MayContain of a key by its hash, which must be computed by Hash. Use
// it to look up a key in many tables and hash it once. It answers true if the filter was
// built with another key hash: see HashApplies.
func (p *Policy) MayContainHash(data []byte, hash uint64) bool {
	return p.kind.mayContainHash(data, hash)
}

// HashApplies reports whether the bytes are a filter of the policy's key hash. Old
// tables of RocksDB have legacy filters, which have another key hash than its newer
// filters, FastLocal and Ribbon. Their policies' Open and MayContain look up keys in all three,
// by their bytes, but a hash can be looked up only in filters of its own kind. Others may
// contain every hash. It looks at one byte.
func (p *Policy) HashApplies(data []byte) bool {
	is := simdbloom.Format(rocksdb.FormatOf(data))
	switch {
	case p.kind.hash == keyhash.XXPH3 && (p.kind.format == simdbloom.FastLocal || p.kind.format == simdbloom.Ribbon):
		return is != simdbloom.Legacy
	case p.kind.hash == keyhash.RocksDB32 && p.kind.format == simdbloom.Legacy:
		return is != simdbloom.FastLocal && is != simdbloom.Ribbon
	}
	return true
}

// AppendFilter is b.AppendFinish for databases whose interface returns no error. If
// the filter cannot be built (too many keys for the format, or verification failed)
// it appends RocksDB's six zero bytes, an always-true filter, and empties the builder. It panics if b is nil.
func AppendFilter(dst []byte, b *simdbloom.Builder) []byte {
	if b == nil {
		panic("policy: AppendFilter's Builder must not be nil")
	}
	data, err := b.AppendFinish(dst)
	if err != nil {
		b.Reset()
		return append(dst, contents.AlwaysTrue[:]...)
	}
	return data
}
