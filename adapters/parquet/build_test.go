package parquet_test

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

func TestNewFilter(t *testing.T) {
	for _, n := range []int{0, 1, 2, 25, 1000, 6000, 50000} {
		for _, fpr := range []float64{0.9, 0.1, 0.01, 0.0001} {
			values := make([]int64, 0, 3*n)
			for i := range 3 * n {
				values = append(values, int64(i%max(n, 1)))
			}
			hashes := parquet.AppendHashes(nil, values)
			f, err := parquet.NewFilter(hashes, fpr)
			if err != nil {
				t.Fatal(err)
			}
			size := f.SizeBytes()
			if rate := f.EstimatedFPR(); rate > fpr || size&(size-1) != 0 || size < 32 || size > 2*parquet.FilterBytes(n, fpr) || 2*size < parquet.FilterBytes(n, fpr) {
				t.Errorf("%d values, rate %v: %d bytes, rate %v", n, fpr, size, rate)
			}
			b, err := splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(size))
			if err != nil {
				t.Fatal(err)
			}
			b.AddHashes(hashes)
			if built, err := b.Finish(); err != nil || n > 0 && !bytes.Equal(built, f.Bytes()) {
				t.Errorf("%d values, rate %v: other bits than a builder's, %v", n, fpr, err)
			}
		}
	}
	for _, fpr := range []float64{0, 1, -1} {
		if _, err := parquet.NewFilter(nil, fpr); err == nil {
			t.Errorf("a rate of %v is no error", fpr)
		}
	}
	if size := parquet.FilterBytes(1000, 1e-30); size != 16384 {
		t.Errorf("%d bytes", size)
	}
}

// TestFolded reads a filter as Arrow C++ writes it if it turned out too large: neighbouring blocks are joined.
func TestFolded(t *testing.T) {
	values := make([]int64, 100)
	for i := range values {
		values[i] = int64(i) * 7
	}
	b, err := splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(8192))
	if err != nil {
		t.Fatal(err)
	}
	b.AddHashes(parquet.AppendHashes(nil, values))
	large, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	const joined, block = 32, 32 // blocks that become one, and its bytes
	bits := make([]byte, len(large)/joined)
	for i, set := range large {
		bits[i/(joined*block)*block+i%block] |= set
	}
	file := append(splitblock.AppendHeader([]byte("PAR1"), len(bits)), bits...)
	chunk := footer.Chunk{FilterOffset: 4, FilterLength: len(file) - 4}
	f, err := parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], [][]footer.Chunk{{chunk}}, parquet.WithUnusableAsErrors())
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for v := range int64(1000) {
		got, err := parquet.Prune(f, "id", []int64{v})
		if err != nil || len(got) == 0 && v < 700 && v%7 == 0 {
			t.Fatalf("%d: %v, %v", v, got, err)
		}
		hits += len(got)
	}
	if hits > 150 {
		t.Errorf("%d of 1,000 values, of which 100 are there", hits)
	}
}
