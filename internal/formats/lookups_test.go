package formats_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// TestLookupsOfRanges: queries that read ranges have the answers of the filter, and find the ranges from the filter's
// length, first and last bytes alone. In a filter whose other bytes are changed, an answer is the same.
func TestLookupsOfRanges(t *testing.T) {
	const keys = 40_000
	hashes := vectors.Hashes(3, keys)
	all := append(hashes[:4000:4000], vectors.Hashes(4, 3000)...)
	filters := map[string]*simdbloom.Filter{}
	for _, text := range []string{
		"simdbloom.FastLocal:10", "rocksdb.BloomFilter:10", "simdbloom.Paired:16", "simdbloom.Paired:3", "speedb.PairedBloomFilter:16",
		"simdbloom.Linear:7.5", "simdbloom.Linear:12", "simdbloom.Linear:30", "simdbloom.Ribbon:7", "simdbloom.Ribbon:21.5", "rocksdb.RibbonFilter:10",
		"simdbloom.SplitBlock:10", "rocksdb.internal.LegacyBloomFilter:10",
	} {
		b := contract.Must(policy.Parse(text)).NewBuilder()
		b.AddHashes(hashes)
		filters[text] = contract.Must(b.Filter())
	}
	b := policy.Linear(10).NewBuilder(simdbloom.WithMaxBytes(20_000)) // too few lines: hashes fall off the last layer
	b.AddHashes(hashes)
	filters["linear of few lines"] = contract.Must(b.Filter())
	for _, k := range []float64{10, 90} {
		b := contract.Must(blobloom.NewBuilder(k, keyhash.XX64))
		b.AddHashes(hashes)
		filters[fmt.Sprint("blobloom ", k)] = contract.Must(b.Filter())
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, line := range []int{16, 512, 1 << 17} { // of a legacy filter
		body := make([]byte, 1<<18)
		for i := range body {
			body[i] = byte(random.Uint32() | random.Uint32())
		}
		data := append(body, 2, byte(len(body)/line), byte(len(body)/line>>8), 0, 0)
		filters[fmt.Sprint("legacy lines of ", line)] = contract.Must(simdbloom.OpenNamed("simdbloom.Legacy.RocksDB32", data, keyhash.RocksDB32))
	}
	for name, f := range filters {
		data := f.Bytes()
		named, _, err := formats.ParseName(f.Name(), f.Hash())
		if err != nil {
			t.Fatal(err)
		}
		length := uint64(len(data))
		head, least, more := formats.EndsOf(named, length)
		for _, tail := range []uint64{least, more, length - 1, length} {
			l := formats.LookupOf(named, formats.BatchBlocksOf(f.Name()), f.Hash(), length, data[:head], data[length-tail:])
			if l == nil {
				t.Errorf("%s: no ranges, by the last %d bytes", name, tail)
				continue
			}
			checkRanges(t, name, l, f, all)
		}
		if named != asm.Linear && (least != 6 || more != least) { // the trailer, and a byte that tells it from a whole filter
			t.Errorf("%s: %d last bytes, and %d", name, least, more)
		}
	}
}

// checkRanges compares a filter's answers with those that are found by ranges of its bytes.
func checkRanges(t *testing.T, name string, l contents.Lookup, f *simdbloom.Filter, hashes []uint64) {
	t.Helper()
	data := f.Bytes()
	for _, hash := range hashes {
		ranges, answer := 0, contents.More
		for q := l.Begin(hash); answer == contents.More; ranges++ {
			last := q.Last
			if answer = l.Next(&q, data[q.At:][:q.Bytes:q.Bytes]); last != (answer != contents.More) && f.Format() != simdbloom.Linear {
				t.Fatalf("%s: a last range without an answer", name)
			}
		}
		if answer != contents.AnswerOf(f.ContainsHash(hash)) {
			t.Fatalf("%s: hash %#x has another answer by %d ranges", name, hash, ranges)
		}
		if ranges > 1 && f.Format() != simdbloom.Linear {
			t.Fatalf("%s: %d ranges", name, ranges)
		}
	}
}

// TestLookupsOfWhatTheNameDoesNotTell: bytes of another format than the name's, or in batches of either size, are
// looked up by ranges as a filter of that name does it, if their last bytes tell how, and not by ranges otherwise.
func TestLookupsOfWhatTheNameDoesNotTell(t *testing.T) {
	hashes := vectors.Hashes(3, 20_000)
	built := func(format simdbloom.Format, options ...simdbloom.Option) []byte {
		b := contract.Must(simdbloom.NewBuilder(format, 16, keyhash.XXPH3, options...))
		b.AddHashes(hashes)
		return contract.Must(b.Finish())
	}
	speedbs := built(simdbloom.Paired, paired.WithBatchBlocks(128)) // of version 2.1.0
	speedbs[len(speedbs)-2] = 0
	mixed := built(simdbloom.Paired, paired.WithBatchBlocks(32)) // the first blocks decide
	copy(mixed[128*64:], speedbs[128*64:])
	marked := func(marker byte) []byte { return append(make([]byte, 128), marker, 2, 0, 0, 0) }
	oneLayer := append(make([]byte, 2*65), contract.LinearTrailer(8, 2)...)
	oneLayer[2*64+1] = 0x80 // the second line holds half of its keys
	for _, c := range []struct {
		name          string
		data          []byte
		ends, byWhole bool
	}{
		{"simdbloom.FastLocal.XXPH3", built(simdbloom.Ribbon), true, true},
		{"simdbloom.Ribbon.XXPH3", built(simdbloom.FastLocal), true, true},
		{"simdbloom.FastLocal.XX64", built(simdbloom.Ribbon), false, false},
		{"simdbloom.Paired128.XXPH3", speedbs, false, true},
		{"simdbloom.Paired128.XXPH3", mixed, false, true},
		{"simdbloom.Paired128.XX64", speedbs, true, true},
		{"simdbloom.Linear.XX64", contract.LinearTrailer(8), false, false},
		{"simdbloom.Linear.XX64", oneLayer, true, true},
		{"simdbloom.Legacy.RocksDB32", marked(6), true, true},
		{"simdbloom.Legacy.RocksDB32", marked(0), false, false},
		{"simdbloom.Legacy.RocksDB32", marked(0x80), false, false},
	} {
		f := contract.Must(simdbloom.OpenNamed(c.name, c.data, keyhash.Hash{}))
		named, hash, err := formats.ParseName(c.name, keyhash.Hash{})
		if err != nil {
			t.Fatal(err)
		}
		length := uint64(len(c.data))
		_, least, _ := formats.EndsOf(named, length)
		for tail, want := range map[uint64]bool{least: c.ends, length - 1: c.ends, length: c.byWhole} {
			l := formats.LookupOf(named, formats.BatchBlocksOf(c.name), hash, length, nil, c.data[length-tail:])
			if (l != nil) != want {
				t.Errorf("%s, %d bytes, by the last %d: ranges are %v", c.name, length, tail, l != nil)
			} else if l != nil {
				checkRanges(t, c.name, l, f, hashes)
			}
		}
	}
}

// TestLookupsOfLargestFilters: the largest filters of a format are looked up by ranges, longer ones are not. None of
// their bytes but the last are needed.
func TestLookupsOfLargestFilters(t *testing.T) {
	fastLocal, batches := []byte{0, 0xff, 0, 6, 0, 0}, []byte{0, 0, 1, 6, 7, 0}
	for _, c := range []struct {
		format asm.Format
		tail   []byte
		length uint64
		ranges bool
	}{
		{asm.FastLocal, fastLocal, asm.MaxBodyBytes + 5, true},
		{asm.FastLocal, fastLocal, asm.MaxBodyBytes + 64 + 5, false},
		{asm.FastLocal, fastLocal, 1<<62 + 5, false},
		{asm.Paired, batches, 1<<32 - 128*64 + 4, true},
		{asm.Paired, batches, 1<<32 + 4, false},
		{asm.SplitBlock, make([]byte, 6), asm.MaxSplitBlockBytes, true},
		{asm.SplitBlock, make([]byte, 6), asm.MaxSplitBlockBytes + 32, false},
		{asm.SplitBlock, make([]byte, 6), 33, false},
	} {
		if l := formats.LookupOf(c.format, 0, keyhash.XX64, c.length, nil, c.tail); (l != nil) != c.ranges {
			t.Errorf("%s, %d bytes: ranges are %v", formats.NameOf(c.format), c.length, l != nil)
		}
	}
}
