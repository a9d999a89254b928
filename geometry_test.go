package simdbloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestGeometry has bytes that are read as their own format and as LevelDB's, which takes any.
func TestGeometry(t *testing.T) {
	hashes := vectors.Hashes(1, 1000)
	for format, data := range map[simdbloom.Format][]byte{
		simdbloom.Paired: contract.Paired32.Build(t, 10, hashes),
		simdbloom.Linear: contract.Linear.Build(t, 10, hashes),
		simdbloom.Ribbon: contract.Ribbon.Build(t, 10, hashes),
		simdbloom.Legacy: contract.Legacy.Build(t, 10, hashes),
	} {
		for _, reader := range []simdbloom.Format{format, simdbloom.LevelDB} {
			f, err := simdbloom.Open(reader, data, keyhash.RocksDB32)
			if err != nil {
				t.Fatal(err)
			}
			for of, number := range map[simdbloom.Format]int{
				simdbloom.Paired: geometry.Of(f).BatchBlocks,
				simdbloom.Linear: geometry.FingerprintBits(f) * len(geometry.Layers(f)),
				simdbloom.Ribbon: int(geometry.Of(f).Blocks),
				simdbloom.Legacy: int(geometry.Of(f).Lines),
			} {
				if (number > 0) != (of == format && reader == format) {
					t.Errorf("%v, read as %v: %d as if it were %v", format, reader, number, of)
				}
			}
		}
	}
}
