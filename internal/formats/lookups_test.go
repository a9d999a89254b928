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
	"github.com/simdbloom/simdbloom/policy"
)

// TestLookupsOfRanges: queries that read ranges have the answers of the filter, and find the ranges from the filter's
// length, first and last bytes alone. In a filter whose other bytes are changed, an answer is the same.
func TestLookupsOfRanges(t *testing.T) {
	const keys = 40_000
	hashes := vectors.Hashes(3, keys)
	all := append(hashes[:4000:4000], vectors.Hashes(4, 20_000)...)
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
		for _, tail := range []uint64{least, more, length} {
			l := formats.LookupOf(named, formats.BatchBlocksOf(f.Name()), f.Hash(), length, data[:head], data[length-tail:])
			if l == nil {
				t.Errorf("%s: no ranges, by the last %d bytes", name, tail)
				continue
			}
			for _, hash := range all {
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
		if more > least && named != asm.Linear {
			t.Errorf("%s: %d last bytes, and %d", name, least, more)
		}
	}
}
