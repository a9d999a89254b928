package simdbloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
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
				simdbloom.Paired: paired.BatchBlocks(f),
				simdbloom.Linear: linear.FingerprintBits(f) * len(linear.Layers(f)),
				simdbloom.Ribbon: ribbon.NumBlocks(f),
				simdbloom.Legacy: legacy.NumLines(f),
			} {
				if (number > 0) != (of == format && reader == format) {
					t.Errorf("%v, read as %v: %d as if it were %v", format, reader, number, of)
				}
			}
		}
	}
}
