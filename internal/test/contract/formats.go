package contract

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// Format is a format with the functions of its package, and with one choice of options.
type Format struct {
	Name      string
	Format    simdbloom.Format
	Family    string         // what recorded names begin with
	Hash      keyhash.Hash   // of keys, in most tests
	KeyHashes []keyhash.Hash // all that are tested
	Narrow    bool           // hashes have 32 bits, and the zero Hash stands for Hash

	Options        []simdbloom.Option // of every builder
	NewBuilder     func(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error)
	Open           func(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error)
	MayContainHash func(data []byte, hash uint64) bool
	PredictedFPR   func(n int, bitsPerKey float64, options ...simdbloom.Option) float64
	BitsPerKeyFor  func(n int, fpr float64) float64
	KeysFor        func(bytes int, bitsPerKey float64) int

	Naive    func(data []byte) func(hash uint64) bool // the naive lookup in a filter that has blocks
	NaiveAdd func(data []byte) func(hash uint64)      // likewise, of formats whose filters accept keys

	Has        []string              // the options that not all formats have
	Exact      sizes                 // that WithSizeBytes may have; none without the option
	LeastBytes int                   // of a filter with keys
	UnitBytes  int                   // divides the body's size
	Lines      int                   // that a key has bits in, from 32 of its hash; 0 if the rate does not depend on them
	Trailer    func(body int) []byte // of a filter whose body has the given size and may have any content
	Header     func(body int) []byte // likewise, before the body; nil if there is none
	AlwaysTrue []byte                // a filter that may contain everything
	Strict     bool                  // other formats' bytes are an error
	SizeIsMost bool                  // SizeBytes is the largest size that the filter may have
	Shared     bool                  // the Filter of a Concurrent, whose Bytes are a copy
	Unlimited  bool                  // filters may have more than 4 GiB
	NoMost     bool                  // no number of bits per key counts as a smaller one
	KeepsEqual bool                  // a hash that follows itself is kept
	OwnRates   bool                  // the package's own tests compare rates
	Sampled    bool                  // EstimatedFPR looks up millions of hashes
	Least      float64               // the least bits per key that 100 keys or more never need to exceed
}

// Recorded returns the name that is recorded for filters with a key hash.
func (f Format) Recorded(hash keyhash.Hash) string {
	if f.Format == simdbloom.LevelDB && hash == keyhash.RocksDB32 {
		return f.Family + "LevelDB32Signed"
	}
	return f.Family + hash.Name()
}

// OwnHash is a key hash that only the tests have.
var OwnHash = keyhash.New("own.hash", func(key []byte) uint64 { return keyhash.XX64.Sum64(key) * 0x9e3779b97f4a7c15 })

var wide = []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, OwnHash}

// FastLocal is package bloom.
var FastLocal = Format{
	Naive: naiveFastLocal, NaiveAdd: naiveFastLocalAdd,
	Name: "FastLocal", Format: simdbloom.FastLocal, Family: "simdbloom.FastLocal.", Hash: keyhash.XX64, KeyHashes: wide,
	NewBuilder: bloom.NewBuilder, Open: bloom.Open, MayContainHash: bloom.MayContainHash,
	PredictedFPR:  bloom.PredictedFPR,
	BitsPerKeyFor: bloom.BitsPerKeyFor, KeysFor: bloom.KeysFor,
	Exact:      sizes{64, 5, 1<<32 - 64 + 5},
	LeastBytes: 69, UnitBytes: 64, Lines: 1,
	Trailer:    func(int) []byte { return []byte{0xff, 0, 6, 0, 0} },
	AlwaysTrue: make([]byte, 6),
	Least:      1,
}

// The four choices of package paired.
var (
	Paired128     = pairedOf("Paired128", 128, 7)
	Paired128Down = pairedOf("Paired128, rounded down", 128, 7, building.WithRoundDown)
	Paired32      = pairedOf("Paired32", 32, 0)
	Paired32Down  = pairedOf("Paired32, rounded down", 32, 0, building.WithRoundDown)
)

func pairedOf(name string, batch int, mark byte, more ...simdbloom.Option) Format {
	options := append([]simdbloom.Option{paired.WithBatchBlocks(batch)}, more...)
	return Format{
		Name: name, Format: simdbloom.Paired, Family: fmt.Sprintf("simdbloom.Paired%d.", batch),
		Hash: keyhash.XX64, KeyHashes: wide, Naive: naivePaired,
		Options: options, NewBuilder: paired.NewBuilder, Open: paired.Open, MayContainHash: paired.MayContainHash,
		PredictedFPR: func(n int, bpk float64, more ...simdbloom.Option) float64 {
			return paired.PredictedFPR(n, bpk, append(slices.Clip(options), more...)...)
		},
		BitsPerKeyFor: func(n int, fpr float64) float64 { return paired.BitsPerKeyFor(n, fpr, options...) },
		KeysFor:       func(bytes int, bpk float64) int { return paired.KeysFor(bytes, bpk, options...) },
		Has:           []string{"WithBatchBlocks", "WithRoundDown"},
		Exact:         sizes{64 * batch, 4, 1<<32 - 64*uint64(batch) + 4},
		LeastBytes:    64*batch + 4, UnitBytes: 64 * batch, Lines: 2,
		Trailer:    func(int) []byte { return []byte{1, 16, mark, 0} },
		AlwaysTrue: make([]byte, 6),
		Least:      1,
	}
}

// Linear is package linear.
var Linear = Format{
	Naive: func(data []byte) func(hash uint64) bool { return naive.ReadLinear(data).Contains },
	Name:  "Linear", Format: simdbloom.Linear, Family: "simdbloom.Linear.", Hash: keyhash.XX64, KeyHashes: wide,
	NewBuilder: linear.NewBuilder, Open: linear.Open, MayContainHash: linear.MayContainHash,
	PredictedFPR:  linear.PredictedFPR,
	BitsPerKeyFor: without(linear.BitsPerKeyFor),
	KeysFor:       func(bytes int, bpk float64) int { return linear.KeysFor(bytes, bpk) },
	LeastBytes:    201, UnitBytes: 65,
	Trailer: func(body int) []byte {
		lines := uint32(body / 65)
		if lines < 4 {
			return LinearTrailer(7, lines)
		}
		return LinearTrailer(7, lines-lines/4, lines/4)
	},
	AlwaysTrue: append(append(make([]byte, 64), 63<<2), LinearTrailer(7, 1)...), // a line that no lookup ends at
	Has:        []string{"WithFasterLookups"},
	Strict:     true, SizeIsMost: true, Unlimited: true,
	OwnRates: true, // small filters have lower rates than their plans
}

// LinearTrailer returns the bytes behind the lines and headers of layers of one section.
func LinearTrailer(r int, layers ...uint32) []byte {
	var data []byte
	for _, lines := range layers {
		data = binary.LittleEndian.AppendUint64(data, uint64(lines)<<32)
	}
	return append(data, 0, byte(r), byte(len(layers)), 0x80, 'L', 'L', 'F', '2')
}

// Ribbon is package ribbon.
var Ribbon = Format{
	Naive: naiveRibbon,
	Name:  "Ribbon", Format: simdbloom.Ribbon, Family: "simdbloom.Ribbon.", Hash: keyhash.XX64, KeyHashes: wide,
	NewBuilder: ribbon.NewBuilder, Open: ribbon.Open, MayContainHash: ribbon.MayContainHash,
	PredictedFPR:  ribbon.PredictedFPR,
	BitsPerKeyFor: ribbon.BitsPerKeyFor, KeysFor: ribbon.KeysFor,
	Exact:      sizes{64, 5, 1<<32 - 64 + 5},
	LeastBytes: 69, UnitBytes: 16,
	Trailer: func(body int) []byte {
		blocks := max(2, body/100)
		return []byte{0xfe, 7, byte(blocks), byte(blocks >> 8), byte(blocks >> 16)}
	},
	AlwaysTrue: make([]byte, 69),
	Unlimited:  true,
	Least:      10,
}

// Legacy is package legacy.
var Legacy = Format{
	Naive: func(data []byte) func(hash uint64) bool {
		return func(hash uint64) bool { return naive.LegacyReads(data, uint32(hash)) }
	},
	Name: "Legacy", Format: simdbloom.Legacy, Family: "simdbloom.Legacy.",
	Hash: keyhash.RocksDB32, KeyHashes: []keyhash.Hash{keyhash.RocksDB32, OwnHash}, Narrow: true,
	NewBuilder: legacy.NewBuilder, Open: legacy.Open, MayContainHash: legacy.MayContainHash,
	PredictedFPR:  legacy.PredictedFPR,
	BitsPerKeyFor: legacy.BitsPerKeyFor, KeysFor: legacy.KeysFor,
	Has: []string{"WithPebble"}, Exact: sizes{128, 69, 8_388_481*64 + 5},
	LeastBytes: 69, UnitBytes: 64,
	Trailer: func(body int) []byte {
		return binary.LittleEndian.AppendUint32([]byte{6}, uint32(body/64))
	},
	AlwaysTrue: make([]byte, 6),
	Unlimited:  true, OwnRates: true, Sampled: true,
}

// LevelDB is package leveldb.
var LevelDB = Format{
	Naive: func(data []byte) func(hash uint64) bool {
		return func(hash uint64) bool { return naive.LevelDBContains(data, uint32(hash)) }
	},
	Name: "LevelDB", Format: simdbloom.LevelDB, Family: "simdbloom.LevelDB.",
	Hash: keyhash.LevelDB32, KeyHashes: []keyhash.Hash{keyhash.LevelDB32, keyhash.RocksDB32, OwnHash}, Narrow: true,
	NewBuilder: leveldb.NewBuilder, Open: leveldb.Open, MayContainHash: leveldb.MayContainHash,
	PredictedFPR:  leveldb.PredictedFPR,
	BitsPerKeyFor: leveldb.BitsPerKeyFor, KeysFor: leveldb.KeysFor,
	Exact:      sizes{1, 8, 1 << 29},
	LeastBytes: 9, UnitBytes: 64,
	Trailer:    func(int) []byte { return []byte{6} },
	AlwaysTrue: []byte{0, 31},
	Unlimited:  true, NoMost: true, KeepsEqual: true, OwnRates: true,
}

// SplitBlock is package splitblock.
var SplitBlock = Format{
	Naive: func(data []byte) func(hash uint64) bool {
		return func(hash uint64) bool { return naive.SplitBlockContains(data, hash) }
	},
	NaiveAdd: func(data []byte) func(hash uint64) {
		return func(hash uint64) { naive.SplitBlockAdd(data, hash) }
	},
	Name: "SplitBlock", Format: simdbloom.SplitBlock, Family: "simdbloom.SplitBlock.", Hash: keyhash.XX64, KeyHashes: wide,
	NewBuilder: splitblock.NewBuilder, Open: splitblock.Open, MayContainHash: splitblock.MayContainHash,
	PredictedFPR:  splitblock.PredictedFPR,
	BitsPerKeyFor: splitblock.BitsPerKeyFor, KeysFor: splitblock.KeysFor,
	Exact:      sizes{32, 0, 1<<32 - 32},
	LeastBytes: 32, UnitBytes: 32,
	Trailer:    func(int) []byte { return nil },
	AlwaysTrue: bytes.Repeat([]byte{0xff}, 32),
	Strict:     true,
	Least:      1,
}

// Blobloom is package blobloom.
var Blobloom = Format{
	Naive: naiveBlobloom, NaiveAdd: naiveBlobloomAdd,
	Name: "Blobloom", Format: simdbloom.Blobloom, Family: "simdbloom.Blobloom.", Hash: keyhash.XX64, KeyHashes: wide,
	NewBuilder: blobloom.NewBuilder, Open: blobloom.Open, MayContainHash: blobloom.MayContainHash,
	PredictedFPR:  blobloom.PredictedFPR,
	BitsPerKeyFor: blobloom.BitsPerKeyFor, KeysFor: blobloom.KeysFor,
	Exact:      sizes{64, 64, 1 << 32},
	LeastBytes: 128, UnitBytes: 64,
	Trailer:    func(int) []byte { return nil },
	Header:     func(body int) []byte { return BlobloomHeader(max(uint64(body)/64, 1), 7) },
	AlwaysTrue: append(BlobloomHeader(1, 7), bytes.Repeat([]byte{0xff}, 64)...),
	Strict:     true,
	Least:      1,
}

// BlobloomHeader returns the header of a number of blocks in a dump with the given k.
func BlobloomHeader(blocks uint64, k uint32) []byte {
	header := append([]byte("blobloom"), 0, 0, 0, 0)
	header = binary.LittleEndian.AppendUint32(header, uint32(blocks-1))
	header = binary.LittleEndian.AppendUint32(header, k)
	return append(header, make([]byte, 44)...)
}

// Framed returns the filter with the given body.
func (f Format) Framed(body []byte) []byte {
	return slices.Concat(f.header(len(body)), body, f.Trailer(len(body)))
}

func (f Format) header(body int) []byte {
	if f.Header == nil {
		return nil
	}
	return f.Header(body)
}

// Policies returns one of each format that sets of filter files have.
func Policies() []*policy.Policy {
	return []*policy.Policy{policy.FastLocal(10), policy.Paired(16), policy.Linear(12), policy.Ribbon(10), policy.SplitBlock(12)}
}

// Formats returns all of them.
func Formats() []Format {
	return []Format{FastLocal, Paired128, Paired128Down, Paired32, Paired32Down, Linear, Ribbon, Legacy, LevelDB, SplitBlock, Blobloom}
}

// With returns the format with another hash in most tests. Paired filters with Speedb's may be Speedb's.
func (f Format) With(hash keyhash.Hash) Format {
	if f.Hash = hash; f.Format == simdbloom.Paired && hash == keyhash.XXPH3 {
		f.Naive = NaiveSpeedb
	}
	return f
}

// Adders returns the formats whose filters accept keys.
func Adders() []Format {
	return slices.DeleteFunc(Formats(), func(f Format) bool { return !f.addsKeys() })
}

// addsKeys reports whether filters of the format accept keys.
func (f Format) addsKeys() bool { return f.NaiveAdd != nil }

// Adder returns the format, whose filters accept keys, with all filters that have room for keys in a Mutable, or in a
// Concurrent.
func (f Format) Adder(concurrent bool) Format {
	f.Shared = concurrent
	f.Open = func(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
		opened, err := simdbloom.Open(f.Format, data, hash)
		switch {
		case err != nil || opened.Format() != f.Format || len(data) < f.LeastBytes:
			return opened, err
		case concurrent:
			c, err := simdbloom.OpenConcurrent(f.Format, data, hash)
			if err != nil {
				return nil, err
			}
			return &c.Filter, nil
		}
		m, err := simdbloom.OpenMutable(f.Format, data, hash)
		if err != nil {
			return nil, err
		}
		return &m.Filter, nil
	}
	return f
}

// rareOptions are the options that not all formats have.
var rareOptions = map[string]simdbloom.Option{
	"WithSizeBytes":     simdbloom.WithSizeBytes(math.MaxInt32),
	"WithBatchBlocks":   paired.WithBatchBlocks(32),
	"WithRoundDown":     building.WithRoundDown,
	"WithPebble":        legacy.WithPebble(),
	"WithLevel":         policy.WithLevel(1),
	"WithFasterLookups": linear.WithFasterLookups(),
}

// has reports whether the format has a rare option.
func (f Format) has(option string) bool {
	return slices.Contains(f.Has, option) || option == "WithSizeBytes" && f.Exact != sizes{}
}

// sizes are those that WithSizeBytes may have: whole units and some bytes more, up to the largest.
type sizes struct {
	unit, more int
	most       uint64
}

func without(f func(n int, x float64, options ...simdbloom.Option) float64) func(n int, x float64) float64 {
	return func(n int, x float64) float64 { return f(n, x) }
}
