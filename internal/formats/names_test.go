package formats_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestNames has the recorded names, which never change, and the key hashes that are found for them.
func TestNames(t *testing.T) {
	own := keyhash.New("its.own", keyhash.XX64.Sum64)
	for _, c := range []struct {
		format asm.Format
		batch  int
		hash   keyhash.Hash
		name   string
	}{
		{asm.FastLocal, 0, keyhash.XX64, "simdbloom.FastLocal.XX64"},
		{asm.FastLocal, 0, keyhash.XXPH3, "simdbloom.FastLocal.XXPH3"},
		{asm.FastLocal, 0, own, "simdbloom.FastLocal.its.own"},
		{asm.Paired, 32, keyhash.XX64, "simdbloom.Paired32.XX64"},
		{asm.Paired, 128, keyhash.XX64, "simdbloom.Paired128.XX64"},
		{asm.Paired, 0, keyhash.XXPH3, "simdbloom.Paired128.XXPH3"},
		{asm.Linear, 0, keyhash.XX64, "simdbloom.Linear.XX64"},
		{asm.Ribbon, 0, keyhash.XXPH3, "simdbloom.Ribbon.XXPH3"},
		{asm.Legacy, 0, keyhash.RocksDB32, "simdbloom.Legacy.RocksDB32"},
		{asm.LevelDB, 0, keyhash.LevelDB32, "simdbloom.LevelDB.LevelDB32"},
		{asm.LevelDB, 0, keyhash.RocksDB32, "simdbloom.LevelDB.LevelDB32Signed"},
		{asm.SplitBlock, 0, keyhash.XX64, "simdbloom.SplitBlock.XX64"},
		{asm.Blobloom, 0, keyhash.XX64, "simdbloom.Blobloom.XX64"},
	} {
		if got := formats.RecordedName(c.format, c.batch, c.hash); got != c.name {
			t.Errorf("%s, want %s", got, c.name)
		}
		if got := formats.BatchBlocksOf(c.name); got != c.batch%128 { // Paired128 has filters of any batches
			t.Errorf("%s: batches of %d blocks", c.name, got)
		}
		file, err := stored.New(c.name, []byte("filter"), stored.PieceBytes)
		if err != nil || file.Format != c.name || !strings.HasSuffix(c.name, "."+file.Hash) {
			t.Errorf("%s: the file's format is %s, its hash %s, %v", c.name, file.Format, file.Hash, err)
		}
		for _, want := range []keyhash.Hash{{}, c.hash, keyhash.LevelDB32, keyhash.New(c.hash.Name()+"2", c.hash.Sum64)} {
			format, hash, err := formats.ParseName(c.name, want)
			known := want == c.hash || want.IsZero() && c.hash != own
			if known && (err != nil || format != c.format || hash != c.hash) || !known && !errors.Is(err, contents.ErrUnknown) {
				t.Errorf("%s with another hash: %v, %v", c.name, format, err)
			}
		}
	}
	for _, name := range []string{"", "simdbloom", "simdbloom.FastLocal", "simdbloom.FastLocal.", "simdbloom.Bloom.XX64", "FastLocal.XX64", "simdbloom.Paired.XX64", "simdbloom.Linear.its.own"} {
		if _, _, err := formats.ParseName(name, keyhash.Hash{}); !errors.Is(err, contents.ErrUnknown) {
			t.Errorf("%q: %v", name, err)
		}
	}
	const unknown = "simdbloom.Bloom.XX64"
	if format, _, err := formats.ParseName(unknown, keyhash.Hash{}); format != asm.Reserved || !strings.Contains(err.Error(), "the format \""+unknown+"\"") {
		t.Errorf("%s: the format %d, %v", unknown, format, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a format that readers do not know has a name")
		}
	}()
	formats.RecordedName(asm.Reserved, 0, keyhash.XX64)
}
