package ranges_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ranges"
)

var ctx = context.Background()

// TestFilesOfEveryFormat: a file that is read by ranges has the answers of the filter, whatever its pieces, the memory,
// and whether it is checked.
func TestFilesOfEveryFormat(t *testing.T) {
	present, absent := vectors.Hashes(1, 150_000), vectors.Hashes(2, 3000) // some for each of 46 pieces
	hashes := append(present[:3000:3000], absent...)
	var filters []*simdbloom.Filter
	for _, text := range []string{
		"simdbloom.FastLocal:10", "simdbloom.Paired:16", "speedb.PairedBloomFilter:12", "simdbloom.Linear:9", "simdbloom.Linear:20", "simdbloom.Ribbon:10",
		"simdbloom.SplitBlock:10", "rocksdb.BloomFilter:10", "rocksdb.RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10", "leveldb.BuiltinBloomFilter2:10",
	} {
		for _, n := range []int{0, 1, 1000, len(present)} {
			b := contract.Must(policy.Parse(text)).NewBuilder()
			b.AddHashes(present[:n])
			filters = append(filters, contract.Must(b.Filter()))
		}
	}
	b := contract.Must(blobloom.NewBuilder(10, keyhash.XX64))
	b.AddHashes(present)
	filters = append(filters, contract.Must(b.Filter()))
	for _, f := range filters {
		for _, pieceBytes := range []int{4 << 10, 64 << 10} {
			s := &store{files: map[string][]byte{"x/f": contract.Must(filterfile.Append(nil, f, filterfile.WithPieceBytes(pieceBytes)))}}
			for name, options := range map[string][]filterfile.OpenOption{
				"checked":   nil,
				"little":    {filterfile.WithMemory(2 << 20), filterfile.WithReadCost(0)},
				"unchecked": {filterfile.WithoutChecks(), filterfile.WithConcurrency(3)},
			} {
				name := fmt.Sprintf("%s of %d bytes in pieces of %d, %s", f.Name(), f.SizeBytes(), pieceBytes, name)
				r, err := filterfile.OpenAt(ctx, s, "x/f", options...)
				if err != nil {
					t.Fatal(name, err)
				}
				if r.Hash() != f.Hash() {
					t.Errorf("%s: the hash %s", name, r.Hash().Name())
				}
				check(t, name, r, hashes, f.ContainsHash)
				if n := r.Counters(); n.Errors != 0 || n.Requests == 0 || n.Bytes == 0 {
					t.Errorf("%s: %+v", name, n)
				}
			}
		}
	}
}

// TestLinearHeadersInPieces: a Linear filter whose headers are too many for the memory.
func TestLinearHeadersInPieces(t *testing.T) {
	present, absent := vectors.Hashes(1, 6_000_000), vectors.Hashes(2, 3000)
	b := policy.Linear(14).NewBuilder()
	b.AddHashes(present)
	f := contract.Must(b.Filter())
	if headers := f.SizeBytes() / 65; headers < 128<<10 {
		t.Fatalf("%d headers fit", headers)
	}
	s := &store{files: map[string][]byte{"f": contract.Must(filterfile.Append(nil, f, filterfile.WithPieceBytes(4<<10)))}}
	for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithoutChecks()}} {
		r := contract.Must(filterfile.OpenAt(ctx, s, "f", append(options, filterfile.WithMemory(1<<20))...))
		check(t, "Linear", r, append(present[:3000:3000], absent...), f.ContainsHash)
	}
}

func TestSetsOfEveryFormat(t *testing.T) {
	present, more, absent := vectors.Hashes(1, 200_000), vectors.Hashes(3, 30_000), vectors.Hashes(2, 20_000)
	hashes := append(append(present[:10_000:10_000], more[:10_000]...), absent...)
	for _, p := range contract.Policies() {
		dir := filepath.Join(t.TempDir(), "set")
		addSet(t, dir, p, present, filterset.WithParts(4), filterset.WithPieceBytes(4<<10))
		addSet(t, dir, p, more, filterset.WithParts(8), filterset.WithLayer())
		set := contract.Must(filterset.Open(dir))
		defer set.Close()
		s := storeOf(t, dir)
		for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithMemory(1 << 20)}, {filterfile.WithoutChecks()}} {
			r := contract.Must(filterset.OpenAt(ctx, s, "", options...))
			check(t, p.String(), r, hashes, set.ContainsHash)
		}
		r := contract.Must(filterset.OpenAt(ctx, ranges.FS(os.DirFS(filepath.Dir(dir))), "set"))
		check(t, p.String()+" in files", r, hashes, set.ContainsHash)
	}
}

// TestKeys: keys are looked up by the file's hash.
func TestKeys(t *testing.T) {
	b := policy.Linear(16).NewBuilder()
	keys := make([][]byte, 50_000)
	for i := range keys {
		keys[i] = fmt.Append(nil, "key ", i)
	}
	b.AddKeys(keys[:25_000])
	f := contract.Must(b.Filter())
	s := &store{files: map[string][]byte{"f": contract.Must(filterfile.Append(nil, f))}}
	r := contract.Must(filterfile.OpenAt(ctx, s, "f", filterfile.WithHash(keyhash.XX64)))
	hits := make([]bool, len(keys))
	if err := r.ContainsKeys(ctx, keys, hits); err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		if hits[i] != f.Contains(key) {
			t.Fatalf("key %d: %v", i, hits[i])
		}
	}
	if hit, err := r.Contains(ctx, keys[7]); !hit || err != nil {
		t.Error(hit, err)
	}
	if _, err := filterfile.OpenAt(ctx, s, "f", filterfile.WithHash(keyhash.XXPH3)); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Errorf("another hash: %v", err)
	}
}
