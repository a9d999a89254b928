package policy

import (
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestEveryFormatHasARow: every format has policies, by its name, by a rate, and by the name that is recorded.
func TestEveryFormatHasARow(t *testing.T) {
	for _, format := range formats.All() {
		of, ok := rowOf(simdbloom.Format(format))
		if !ok || of.name == "" || of.keysFor == nil || of.predictedFPR == nil {
			t.Errorf("rows has no line for %s", formats.NameOf(format))
			continue
		}
		p, err := Parse(of.name + ":10")
		if err != nil || p.Format() != simdbloom.Format(format) || p.String() != of.name+":10" {
			t.Errorf("%s: %v, %v", of.name, p, err)
			continue
		}
		if p, err := WithFPR(simdbloom.Format(format), 0.01); err != nil || p.PredictedFPR(10_000) > 0.01 {
			t.Errorf("%s by a rate: %v, %v", of.name, p, err)
		}
		hashes := []keyhash.Hash{keyhash.XX64, keyhash.XXPH3}
		if formats.Of(format).Narrow {
			hashes = []keyhash.Hash{keyhash.RocksDB32, keyhash.LevelDB32}
		}
		for _, hash := range hashes {
			reader, err := ForName(formats.RecordedName(format, 0, hash))
			if err != nil {
				t.Error(err)
				continue
			}
			b := reader.NewBuilder()
			b.Add([]byte("key"))
			if data, err := b.Finish(); err != nil || !reader.MayContain(data, []byte("key")) || !reader.MayContainHash(data, hash.Sum64([]byte("key"))) {
				t.Errorf("%s: the key is missing, %v", reader.Name(), err)
			}
			if keys, rate := reader.KeysFor(1<<20), reader.PredictedFPR(10_000); keys == 0 || !(rate > 0 && rate < 0.1) {
				t.Errorf("%s: %d keys, a rate of %v", reader.Name(), keys, rate)
			}
		}
	}
}

// TestFormatWithoutRow: a format that has no line is not known, and nothing panics.
func TestFormatWithoutRow(t *testing.T) {
	old := rows[simdbloom.Blobloom]
	defer func() { rows[simdbloom.Blobloom] = old }()
	rows[simdbloom.Blobloom] = row{}
	for _, format := range []simdbloom.Format{simdbloom.Blobloom, simdbloom.Reserved, simdbloom.Empty, simdbloom.Format(len(rows)), 99} {
		if p, err := WithFPR(format, 0.01); !errors.Is(err, simdbloom.ErrUnknown) {
			t.Errorf("WithFPR of %v: %v, %v", format, p, err)
		}
	}
	const recorded = "simdbloom.Blobloom.XX64"
	if p, err := ForName(recorded); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Errorf("ForName: %v, %v", p, err)
	}
	for _, name := range []string{"", recorded, "simdbloom.Blobloom"} {
		if p, err := Parse(name + ":10"); err == nil {
			t.Errorf("%q: %v", name, p)
		}
	}
}
