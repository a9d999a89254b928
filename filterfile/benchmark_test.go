package filterfile_test

import (
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// large returns a FastLocal filter of 32 MiB, whose bits do not matter.
func large(b *testing.B) *simdbloom.Filter {
	const size = 32 << 20
	data := make([]byte, size, size+5)
	for i, hash := range vectors.Hashes(1, size/8) {
		data[8*i] = byte(hash)
	}
	return must(bloom.Open(append(data, 0xff, 0, 6, 0, 0), keyhash.XX64))
}

// BenchmarkOpen opens a file of 32 MiB that the system has in memory, and looks up one key.
func BenchmarkOpen(b *testing.B) {
	f := large(b)
	path := filepath.Join(b.TempDir(), "filter")
	if err := filterfile.WriteFile(path, f); err != nil {
		b.Fatal(err)
	}
	for name, options := range map[string][]filterfile.OpenOption{
		"mapped": nil, "lazily": {filterfile.WithLazyCheck()},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(f.SizeBytes()))
			for i := range b.N {
				f, err := filterfile.Open(path, options...)
				if err != nil {
					b.Fatal(err)
				}
				f.ContainsHash(uint64(i) << 20)
				f.Close()
			}
		})
	}
}

func BenchmarkContainsHash(b *testing.B) {
	f := large(b)
	data := must(filterfile.Append(nil, f))
	hashes := vectors.Hashes(2, 1<<16)
	for name, f := range map[string]interface{ ContainsHash(hash uint64) bool }{
		"bloom":          f,
		"OpenBytes":      must(filterfile.OpenBytes(data)),
		"lazily, sound":  checkedFile(b, data),
		"lazily, broken": brokenFile(b, data),
	} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				f.ContainsHash(hashes[i%len(hashes)])
			}
		})
	}
}

func checkedFile(b *testing.B, data []byte) *filterfile.File {
	f := must(filterfile.OpenBytes(data, filterfile.WithLazyCheck()))
	if err := f.Check(); err != nil {
		b.Fatal(err)
	}
	return f
}

// brokenFile is one of which a piece stays wrong, so that every lookup asks whether its own is.
func brokenFile(b *testing.B, data []byte) *filterfile.File {
	data = append([]byte(nil), data...)
	data[len(data)/2] ^= 1
	f := must(filterfile.OpenBytes(data, filterfile.WithLazyCheck()))
	if f.Check() == nil {
		b.Fatal("no error")
	}
	return f
}
