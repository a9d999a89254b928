// Package contract tests the promises of all filters, whatever their format. Only tests import it.
package contract

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// emulated is set where everything is many times slower.
var emulated = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// Slow is set there, and with the race detector, with which pools drop memory.
var Slow = emulated || program.Raced

// Test runs every test of the contract but those of TestArguments.
func Test(t *testing.T, f Format) {
	TestQueries(t, f)
	t.Run("filters are stored again", f.testBytes)
	t.Run("names", f.testNames)
	t.Run("builders are reused", f.testReuse)
	t.Run("ways to add", f.testWaysToAdd)
	t.Run("a Builder's Filter", f.testBuildersFilter)
	t.Run("adding many keys allocates nothing", f.testAddingAllocatesNothing)
	t.Run("a builder used again allocates nothing", f.testUsedAgain)
	t.Run("concurrency changes no byte", f.testConcurrency)
	t.Run("concurrent use panics", f.testConcurrentUse)
	t.Run("many filters", func(t *testing.T) { TestMany(t, f) })
	t.Run("any alignment", f.testAlignment)
	if program.Raced {
		return // what follows uses one goroutine, and reads and writes as the tests above and those of Mutable and Concurrent do
	}
	t.Run("stored filters", f.testStored)
	t.Run("collected keys take little memory", f.testMemory)
	t.Run("filters of 4 GiB", f.testFourGiB)
	t.Run("predicted rate is that of the bits", f.testPredictedRateIsThatOfTheBits)
	t.Run("rate that the hash bounds", f.testRateThatTheHashBounds)
	t.Run("predicted rate at the edges", f.testPredictedRateAtTheEdges)
	t.Run("more keys than fit", f.testMoreKeysThanFit)
	t.Run("BitsPerKeyFor is the least", f.testBitsPerKeyForIsTheLeast)
	t.Run("BitsPerKeyFor a wanted rate", f.testBitsPerKeyForAWantedRate)
}

// TestArguments has builders with arguments of every kind.
func TestArguments(t *testing.T, f Format) {
	t.Run("refused arguments", f.testRefusals)
	t.Run("options", f.testOptions)
	t.Run("lists", f.testLists)
	t.Run("limits", f.testLimits)
	t.Run("exact sizes", f.testExactSizes)
	t.Run("KeysFor", f.testKeysFor)
}

// TestQueries runs the tests that the Filter of a Mutable and of a Concurrent passes, too.
func TestQueries(t *testing.T, f Format) {
	t.Run("every setting contains what was added", f.testEverySetting)
	t.Run("all queries agree", f.testQueriesAgree)
	t.Run("keys with any key hash", f.testKeyHashes)
	t.Run("columns", f.testColumns)
	t.Run("columns that panic", f.testColumnPanics)
	t.Run("short answers panic", f.testShortAnswersPanic)
	t.Run("queries allocate nothing", f.testAllocations)
	t.Run("AppendHits makes room once", f.testRoomForHits)
	t.Run("readers in parallel", f.testParallelReaders)
}

// Hashes returns random hashes of the format.
func (f Format) Hashes(seed uint64, n int) []uint64 {
	hashes := vectors.Hashes(seed, n)
	if f.Narrow {
		for i := range hashes {
			hashes[i] >>= 32
		}
	}
	return hashes
}

// prefix is that of the builders' errors.
func (f Format) prefix() string { return fmt.Sprintf("simdbloom: %v: ", f.Format) }

// Builder returns a new builder.
func (f Format) Builder(t testing.TB, bitsPerKey float64, options ...simdbloom.Option) *simdbloom.Builder {
	t.Helper()
	b, err := f.builder(bitsPerKey, f.Hash, options...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (f Format) builder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return f.NewBuilder(bitsPerKey, hash, append(f.Options[:len(f.Options):len(f.Options)], options...)...)
}

// Build returns the bytes of a filter of hashes.
func (f Format) Build(t testing.TB, bitsPerKey float64, hashes []uint64, options ...simdbloom.Option) []byte {
	t.Helper()
	b := f.Builder(t, bitsPerKey, options...)
	b.AddHashes(hashes)
	return f.Finish(t, b)
}

// Finish returns the results of SizeBytes and Finish.
func (f Format) Finish(t testing.TB, b *simdbloom.Builder) []byte {
	t.Helper()
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > size || len(data) != size && !f.SizeIsMost {
		t.Fatalf("SizeBytes was %d, Finish gave %d bytes", size, len(data))
	}
	if len(data) > 0 && uintptr(unsafe.Pointer(&data[0]))%64 != 0 {
		t.Fatal("Finish's memory does not begin at a multiple of 64")
	}
	if b.Len() != 0 {
		t.Fatalf("%d keys left after Finish", b.Len())
	}
	return data
}

// Opened returns the filter of some bytes.
func (f Format) Opened(t testing.TB, data []byte) *simdbloom.Filter {
	t.Helper()
	opened, err := f.Open(data, f.Hash)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// Must returns a value that comes without an error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Panic returns the text of a function's panic, or nothing.
func Panic(misuse func()) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprint(r)
		}
	}()
	misuse()
	return ""
}

func (f Format) testEverySetting(t *testing.T) {
	absent := f.Hashes(vectors.NegativeSeed, 20_000)
	settings := []float64{0.5, 0.75, 0.9996, 1, 1.009, 1.0135, 1.014}
	for bpk := 1.5; bpk <= 45; bpk += 1.7 {
		settings = append(settings, bpk)
	}
	settings = append(settings, 50, 50.001, 77.7, 99.999, 100, 1000)
	if !f.NoMost {
		settings = append(settings, math.MaxFloat64)
	}
	for i, bpk := range settings {
		for j, n := range []int{1, 2, 63, 500, 3000} {
			if Slow && i%5 != j {
				continue // each setting with one number
			}
			hashes := f.Hashes(uint64(n), n)
			opened := f.Opened(t, f.Build(t, bpk, hashes))
			if hits := opened.AppendHits(nil, hashes); len(hits) != n {
				t.Errorf("%v bits/key, %d keys: %d found", bpk, n, len(hits))
			}
			if n == 3000 {
				measured := float64(len(opened.AppendHits(nil, absent))) / float64(len(absent))
				estimated := opened.EstimatedFPR()
				if d := math.Abs(measured - estimated); d > 0.05*estimated+4*math.Sqrt(estimated/float64(len(absent)))+1e-4 {
					t.Errorf("%v bits/key: estimated rate %.3g, measured %.3g", bpk, estimated, measured)
				}
			}
		}
	}
}

func (f Format) testRefusals(t *testing.T) {
	for _, bpk := range []float64{0, 0.4999, -1, -1e300, math.NaN(), math.Inf(1), math.Inf(-1)} {
		b, err := f.builder(bpk, f.Hash)
		if err == nil || b != nil || !strings.HasPrefix(err.Error(), f.prefix()) {
			t.Errorf("%v bits per key: %v", bpk, err)
		}
		if math.IsNaN(bpk) && !strings.Contains(err.Error(), "no setting has that rate") {
			t.Errorf("%v bits per key, which BitsPerKeyFor returns: %v", bpk, err)
		}
		if n := f.KeysFor(1<<20, bpk); n != 0 {
			t.Errorf("%v bits per key: KeysFor %d", bpk, n)
		}
	}
	b, err := f.builder(10, keyhash.Hash{})
	if f.Narrow != (err == nil) || f.Narrow && Must(b.Filter()).Hash() != f.Hash {
		t.Errorf("NewBuilder with the zero Hash: %v", err)
	}
	if _, err := f.NewBuilder(10, keyhash.RocksDB32); (err == nil) != f.Narrow {
		t.Errorf("NewBuilder with a hash of 32 bits: %v", err)
	}
	opened, err := f.Open(nil, keyhash.Hash{})
	if f.Narrow != (err == nil) || errors.Is(err, simdbloom.ErrCorrupt) || f.Narrow && opened.Hash() != f.Hash {
		t.Errorf("Open with the zero Hash: %v", err)
	}
	for n := 1; n <= max(len(f.Trailer(f.UnitBytes)), 1); n++ {
		for _, fill := range []byte{0, 1, 6, 0x7f, 0xfe, 0xff} {
			if f.Format == simdbloom.Legacy && n == 5 && fill == 0 {
				continue // Pebble's filter without keys
			}
			data := bytes.Repeat([]byte{fill}, n)
			if _, err := f.Open(data, f.Hash); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.HasPrefix(err.Error(), f.prefix()+"corrupt filter: ") {
				t.Errorf("%d bytes of %#x: %v", n, fill, err)
			}
			if !f.MayContainHash(data, 1) {
				t.Errorf("%d bytes of %#x: MayContainHash said no", n, fill)
			}
		}
	}
	for _, empty := range [][]byte{nil, {}} {
		opened := f.Opened(t, empty)
		if opened.Contains([]byte("key")) || f.MayContainHash(empty, 1) || opened.EstimatedFPR() != 0 ||
			opened.SizeBytes() != 0 || opened.Format() != simdbloom.Empty {
			t.Error("an empty filter contains something")
		}
	}
}
