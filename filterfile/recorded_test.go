package filterfile_test

import (
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestNamesOfHashes: the longest name of a key hash that a file records is 1,003 bytes.
func TestNamesOfHashes(t *testing.T) {
	const longest = 1003
	for _, n := range []int{longest, longest + 1} {
		hash := keyhash.New(strings.Repeat("n", n), keyhash.XX64.Sum64)
		b := must(bloom.NewBuilder(10, hash))
		b.AddString("key")
		f := must(b.Filter())
		made, newErr := filterfile.New(f)
		data, appendErr := filterfile.Append(nil, f)
		path := filepath.Join(t.TempDir(), "file")
		for i, err := range []error{newErr, appendErr, filterfile.Write(io.Discard, f), filterfile.WriteFile(path, f)} {
			if (err == nil) != (n == longest) {
				t.Errorf("%d, a name of %d bytes: %v", i, n, err)
			}
		}
		if n > longest {
			if made != nil || data != nil {
				t.Error("a file, and an error")
			}
			continue
		}
		for _, opened := range []*filterfile.File{must(filterfile.OpenBytes(data, filterfile.WithHash(hash))), must(filterfile.Open(path, filterfile.WithHash(hash)))} {
			if opened.Info().Hash != hash.Name() || !opened.ContainsString("key") {
				t.Error("another filter")
			}
		}
	}
}

// TestFiniteBitsPerKey: any bits per key above 0 that are finite can be recorded.
func TestFiniteBitsPerKey(t *testing.T) {
	for _, bits := range []float64{1e-9, 0.5, 1, math.MaxFloat64} {
		f, err := filterfile.New(fastLocal(t, 12).filter, filterfile.WithBitsPerKey(bits))
		if err != nil || f.Info().BitsPerKey != bits {
			t.Errorf("%v bits per key: %v", bits, err)
		}
	}
}
