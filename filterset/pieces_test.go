package filterset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/policy"
)

// TestWithPieceBytes: a Builder and BuildPart write parts in such pieces, which answer as others do.
func TestWithPieceBytes(t *testing.T) {
	hashes, absent := someHashes(1, 100_000), someHashes(2, 10_000)
	for _, p := range contract.Policies() {
		usual, small := filepath.Join(t.TempDir(), "usual"), filepath.Join(t.TempDir(), "small")
		buildSet(t, usual, p, hashes, filterset.WithParts(1), filterset.WithDistinct())
		buildSet(t, small, p, hashes, filterset.WithParts(1), filterset.WithDistinct(), filterset.WithPieceBytes(4096))
		layer := infoOf(t, small).Layers[0]
		built := must(os.ReadFile(filepath.Join(small, layer.Folder(), filterset.PartFile(0))))
		if info := must(filterfile.ReadInfo(bytes.NewReader(built))); info.PieceBytes != 4096 {
			t.Errorf("%v: %+v", p, info)
		}
		if data, part, err := filterset.BuildPart(p, append([]uint64(nil), hashes...), filterset.WithPieceBytes(4096)); err != nil || part != layer.Parts[0] || !bytes.Equal(data, built) {
			t.Errorf("%v: BuildPart returns other bytes, or %v", p, err)
		}
		want := openSet(t, usual)
		for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
			got := openSet(t, small, options...)
			for _, hash := range append(hashes[:1000:1000], absent...) {
				if got.ContainsHash(hash) != want.ContainsHash(hash) {
					t.Fatalf("%v: hash %#x has another answer in small pieces", p, hash)
				}
			}
			if err := got.Err(); err != nil {
				t.Error(p, err)
			}
		}
	}
	for _, n := range []int{-1, 0, 1, 2048, 12 << 10, 128 << 10} {
		if b, err := filterset.NewBuilder(filepath.Join(t.TempDir(), "set"), policy.Linear(10), 1, setMemory, filterset.WithPieceBytes(n)); err == nil {
			b.Close()
			t.Errorf("pieces of %d bytes are no error", n)
		}
	}
}
