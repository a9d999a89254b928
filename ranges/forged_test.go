package ranges_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// TestForgedFiles have right checksums, and anything in a filter's first and last bytes, and of any length: answers are
// those of the whole file, or "may contain" with an error. Nothing panics.
func TestForgedFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	hashes := vectors.Hashes(3, 300)
	var filters []*simdbloom.Filter
	for _, text := range []string{
		"simdbloom.FastLocal:10", "rocksdb.BloomFilter:10", "simdbloom.Paired:16", "speedb.PairedBloomFilter:16", "simdbloom.Linear:9",
		"simdbloom.Linear:20.5", "simdbloom.Ribbon:10", "rocksdb.RibbonFilter:10", "simdbloom.SplitBlock:10",
		"rocksdb.internal.LegacyBloomFilter:10", "leveldb.BuiltinBloomFilter2:10",
	} {
		b := contract.Must(policy.Parse(text)).NewBuilder()
		b.AddHashes(vectors.Hashes(3, 30_000))
		filters = append(filters, contract.Must(b.Filter()))
	}
	b := contract.Must(blobloom.NewBuilder(10, keyhash.XX64))
	b.AddHashes(vectors.Hashes(3, 30_000))
	filters = append(filters, contract.Must(b.Filter()))
	opened, same, rounds := 0, 0, 250
	if testing.Short() {
		rounds = 50
	}
	for _, f := range filters {
		for range rounds {
			body := append([]byte(nil), f.Bytes()...)
			switch random.IntN(4) {
			case 0:
				body = body[:len(body)-1-random.IntN(len(body)/2)]
			case 1:
				body = append(body, make([]byte, 1+random.IntN(10_000))...)
				copy(body[len(body)-140:], f.Bytes()[len(f.Bytes())-140:])
			}
			for range random.IntN(4) {
				last := []int{1, 3, 5, 8, 20, 140}[random.IntN(6)]
				body[len(body)-1-random.IntN(last)] = byte(random.Uint32() >> (8 * random.IntN(4)))
			}
			if random.IntN(3) == 0 {
				body[random.IntN(64)] = byte(random.Uint32())
			}
			file := contract.Must(stored.New(f.Name(), body, 4096))
			data := file.AppendTo(nil)
			s := &store{files: map[string][]byte{"f": data}}
			local, err := filterfile.OpenBytes(data)
			for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithoutChecks()}, {filterfile.WithMemory(1 << 20)}} {
				r, failed := filterfile.OpenAt(ctx, s, "f", options...)
				if failed != nil {
					continue
				}
				opened++
				hits := make([]bool, len(hashes))
				failed = r.ContainsHashes(ctx, hashes, hits)
				for i, hash := range hashes {
					if want := err != nil || local.ContainsHash(hash); hits[i] != want && !(hits[i] && failed != nil) {
						t.Fatalf("%s, %d bytes, the last %x: hash %d is %v, %v, and of the whole file %v, %v", f.Name(), len(body), body[len(body)-8:], i, hits[i], failed, want, err)
					}
				}
				if failed == nil && err == nil {
					same++
				}
			}
		}
	}
	if least := 12 * rounds; opened < least || same < least {
		t.Errorf("%d files were opened, of which %d have the answers of the whole", opened, same)
	}
}
