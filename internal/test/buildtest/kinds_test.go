package buildtest

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// kind is a filter that a builder builds, with plain code for comparison.
type kind struct {
	name       string
	bitsPerKey float64
	batch      int    // blocks; 0 for FastLocal, which has no batches, or one of those below
	probes     string // the name of their table in package vectors
	maxBytes   int    // 0 if there is no limit
	listsFrom  uint64 // the option, or 0
}

// These stand for a batch where the filter is linear, Ribbon, Parquet's, or blobloom's.
const (
	inLines = -1 - iota
	inColumns
	inSplitBlocks
	inBlobloom
)

var kinds = []kind{
	{"FastLocal", 10, 0, "rocksdb_fastlocal", 0, 0},
	{"Paired, batches of 128", 23.4, 128, "speedb_paired_b128", 0, 0},
	{"Paired, batches of 32", 23.4, 32, "speedb_paired_b32", 0, 0},
	{"SplitBlock", 10, inSplitBlocks, "", 0, 0},
	{"Blobloom", 10, inBlobloom, "rocksdb_fastlocal", 0, 0},
	{"Ribbon", 10, inColumns, "", 0, 0},
	{"Linear", 23.4, inLines, "", 0, 0},
}

// An emulator takes minutes to solve lines. Package linear's own tests run there, and the
// digests.
func init() {
	if emulated {
		kinds = kinds[:len(kinds)-1]
	}
}

// at returns the kind with other bits per key.
func (k kind) at(bitsPerKey float64) kind {
	k.bitsPerKey = bitsPerKey
	return k
}

// within returns the kind with a limit.
func (k kind) within(maxBytes int) kind {
	k.maxBytes = maxBytes
	return k
}

// inParts returns the kind with builders that build smaller filters than usual in parts.
func (k kind) inParts() kind {
	k.listsFrom = listsFrom
	return k
}

// manyHashes returns the number of hashes of a filter that several goroutines build in
// parts: one of more than a mebibyte, or of less where time is short.
func (k kind) manyHashes() int { return k.hashesBeyond(unlessSlow(1<<20, listsFrom)) }

// hashesBeyond returns the number of hashes of a filter that is larger than the given size.
func (k kind) hashesBeyond(bytes int) int {
	n := int(float64(bytes) * 1.2 * 8 / k.bitsPerKey)
	if k.batch == inColumns { // building takes long
		n = min(n, bytes)
	}
	return n
}

func (k kind) builder(t testing.TB, concurrency int) *simdbloom.Builder {
	t.Helper()
	b, err := k.newBuilder(concurrency, false)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// verifying returns a builder that looks up what it has built.
func (k kind) verifying(t testing.TB, concurrency int) *simdbloom.Builder {
	t.Helper()
	b, err := k.newBuilder(concurrency, true)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (k kind) newBuilder(concurrency int, verify bool) (*simdbloom.Builder, error) {
	options := []simdbloom.Option{simdbloom.WithConcurrency(concurrency), building.WithListsFrom(k.listsFrom)}
	if verify {
		options = append(options, simdbloom.WithVerification())
	}
	if k.maxBytes != 0 {
		options = append(options, simdbloom.WithMaxBytes(k.maxBytes))
	}
	newBuilder := bloom.NewBuilder
	switch k.batch {
	case inLines:
		newBuilder = linear.NewBuilder
	case inColumns:
		newBuilder = ribbon.NewBuilder
	case inSplitBlocks:
		newBuilder = splitblock.NewBuilder
	case inBlobloom:
		newBuilder = blobloom.NewBuilder
	case 32, 128:
		newBuilder = paired.NewBuilder
		options = append(options, paired.WithBatchBlocks(k.batch))
	}
	return newBuilder(k.bitsPerKey, keyhash.XX64, options...)
}

func (k kind) millibits() int { return int(math.Round(k.bitsPerKey * 1000)) }

func (k kind) numProbes() int {
	probes := 0
	for _, step := range vectors.NumProbes(k.probes) {
		if step[0] <= k.millibits() {
			probes = step[1]
		}
	}
	if k.batch > 0 {
		return max(2, probes) // where the table has Speedb's 0
	}
	return probes
}

// naive builds the filter hash by hash. No hash is equal to the one before.
func (k kind) naive(hashes []uint64) []byte {
	switch k.batch {
	case inLines:
		return naive.Linear(hashes, uint64(k.millibits())).Bytes()
	case inColumns:
		return k.naiveRibbon(hashes)
	case inSplitBlocks:
		return naive.SplitBlock(k.splitBlocks(hashes), hashes)
	case inBlobloom:
		if len(hashes) == 0 {
			return nil
		}
		data, probes := k.emptyBlobloom(hashes)
		return append(data[:64], naive.Blobloom(len(data)/64-1, probes+1, hashes)...)
	case 0:
		return naive.FastLocal(hashes, k.millibits(), k.numProbes())
	}
	return naive.Paired(hashes, k.millibits(), k.numProbes(), k.batch, false)
}

// plain builds the same with the kernels of package fallback, each of them called
// once for all hashes and the whole body.
func (k kind) plain(hashes []uint64) []byte {
	if len(hashes) == 0 {
		return k.naive(nil)
	}
	switch k.batch {
	case inLines:
		return k.plainLinear(hashes)
	case inColumns:
		return k.plainRibbon(hashes)
	case inSplitBlocks:
		body := make([]byte, k.splitBlocks(hashes)*fallback.SplitBlockBytes)
		fallback.SplitBlockAdd(body, hashes)
		return body
	case inBlobloom:
		data, probes := k.emptyBlobloom(hashes)
		fallback.BlobloomAdd(data[64:], probes, hashes)
		return data
	}
	unit, bits := uint64(k.unitBytes()), uint64(len(hashes))*uint64(k.millibits())
	bytes := (bits + 7999) / 8000
	if k.batch != 0 {
		bytes = bits / 8000
	}
	body := make([]byte, max(1, (bytes+unit-1)/unit)*unit)
	trailer := k.naive(hashes[:1])
	k.fill(body, k.numProbes(), hashes)
	return append(body, trailer[len(trailer)-k.trailerBytes():]...)
}

// splitBlocks returns the number of a filter's split blocks.
func (k kind) splitBlocks(hashes []uint64) int {
	return int((int64(len(hashes))*int64(k.millibits()) + 255_999) / 256_000)
}

// emptyBlobloom returns the filter without the hashes, and its number of probes.
func (k kind) emptyBlobloom(hashes []uint64) (data []byte, probes int) {
	blocks, probes := int((int64(len(hashes))*int64(k.millibits())+511_999)/512_000), k.numProbes()
	return append(contract.BlobloomHeader(uint64(blocks), uint32(probes)+1), make([]byte, 64*blocks)...), probes
}

// fill does the same for a body of any size.
func (k kind) fill(body []byte, probes int, hashes []uint64) {
	if k.batch == 0 {
		fallback.FastLocalAdd(body, probes, hashes)
		return
	}
	counts := make([]uint16, len(body)/fallback.BlockBytes)
	fallback.PairedCount(counts, 0, uint32(len(counts)), hashes)
	fallback.PairedSetPairs(body, k.batch, counts)
	fallback.PairedAdd(body, k.batch, probes, hashes)
}

func (k kind) unitBytes() int { return fallback.BlockBytes * max(1, k.batch) }

func (k kind) trailerBytes() int {
	if k.batch == 0 {
		return 5
	}
	return 4
}

func finish(t testing.TB, b *simdbloom.Builder) []byte {
	t.Helper()
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// same reports whether the bytes are the wanted ones, and fails the test if not.
func same(t testing.TB, got, want []byte, what string, about ...any) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	t.Errorf(what+": %d bytes, want %d, the first other one at %d", append(about, len(got), len(want), at)...)
}

// TestPlainIsNaive compares plain, which other tests compare with, with naive code.
func TestPlainIsNaive(t *testing.T) {
	for _, k := range kinds {
		for _, bitsPerKey := range []float64{1, k.bitsPerKey, 100} {
			for _, n := range []int{0, 1, 2, 500, unlessSlow(10_000, 5000)} {
				hashes := vectors.Hashes(uint64(n), n)
				same(t, k.at(bitsPerKey).plain(hashes), k.at(bitsPerKey).naive(hashes), "%s at %v, %d hashes", k.name, bitsPerKey, n)
			}
		}
	}
}
