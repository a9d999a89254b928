package parquet_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/internal/test/opened"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// TestFileOfAnyFilters is one file with bytes of every kind as filters: as they are, and as the bits behind a header;
// with the right length in the footer, with none and with a wrong one. All ways to read them agree with split-block's
// own, and what is no filter may have every value.
func TestFileOfAnyFilters(t *testing.T) {
	values := []int64{1, 2, 3, -1 << 63}
	hashes := parquet.AppendHashes(nil, values)
	file := []byte("PAR1")
	var chunks [][]footer.Chunk
	var bits [][]byte // of filters, by row group: nil for what is none
	add := func(data, of []byte) {
		at := int64(len(file))
		file = append(file, data...)
		for _, c := range []struct {
			length int
			bits   []byte
		}{{len(data), of}, {0, of}, {len(data) + 1, nil}} {
			chunks = append(chunks, []footer.Chunk{{Values: 1, FilterOffset: at, FilterLength: c.length}})
			bits = append(bits, c.bits)
		}
	}
	for _, data := range opened.Bytes(t) {
		if len(data) == 0 {
			continue
		}
		add(data, nil) // none begins with a header
		of := append(slices.Clip(data), make([]byte, 31-(len(data)+31)%32)...)
		add(append(splitblock.AppendHeader(nil, len(of)), of...), of)
	}
	file = append(file, 0)

	want := make(map[int64][]int)
	for _, value := range values {
		for g := range bits {
			if bits[g] == nil || splitblock.MayContainHash(bits[g], hashes[slices.Index(values, value)]) {
				want[value] = append(want[value], g)
			}
		}
	}
	options := [][]parquet.Option{nil, {parquet.WithReadCost(0)}, {parquet.WithReadCost(1 << 20)}, {parquet.WithAnyWriter()}}
	for _, given := range options {
		open := func() *parquet.File {
			return must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], chunks, given...))
		}
		once, kept := open(), open()
		filters := must(kept.Filters("id"))
		for g, f := range filters {
			if (f == nil) != (bits[g] == nil) || f != nil && !bytes.Equal(f.Bytes(), bits[g]) {
				t.Fatalf("row group %d: another filter than the bits %x", g, bits[g])
			}
		}
		for _, f := range []*parquet.File{once, kept} {
			for _, value := range values {
				if got, err := parquet.Prune(f, "id", []int64{value}); err != nil || !slices.Equal(got, want[value]) {
					t.Errorf("%d: %d of %d row groups, want %d; %v", value, len(got), len(bits), len(want[value]), err)
				}
			}
		}
		err := open().EachFilter(0, func(g int, f *simdbloom.Filter) error {
			if !bytes.Equal(f.Bytes(), bits[g]) {
				t.Errorf("row group %d: another filter", g)
			}
			return nil
		})
		if refused := len(kept.Unusable()); err != nil || refused != count(bits) {
			t.Errorf("%d are unusable, want %d; %v", refused, count(bits), err)
		}
		strict := must(parquet.New(bytes.NewReader(file), int64(len(file)), columns[:1], chunks, append(given, parquet.WithUnusableAsErrors())...))
		if _, err := strict.Filters("id"); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Error(err)
		}
	}
	t.Logf("%d row groups, %d without a filter", len(bits), count(bits))
}

// count returns how many have no bits.
func count(bits [][]byte) (n int) {
	for _, of := range bits {
		if of == nil {
			n++
		}
	}
	return n
}

// TestAnyFilterIsWritten: what is written of a filter is read again, and filters of other formats or hashes are
// refused, but those of zero bytes, which contain nothing.
func TestAnyFilterIsWritten(t *testing.T) {
	without := image(columns[:2], 1)
	for what, f := range opened.Filters(t) {
		opened.NotPanicking(t, what, func() {
			var written bytes.Buffer
			err := parquet.WriteWithFilters(&written, bytes.NewReader(without), int64(len(without)), parquet.Filters{"id": {f}})
			if can := f.Hash() == keyhash.XX64 && (f.Format() == simdbloom.SplitBlock || f.SizeBytes() == 0); can != (err == nil) {
				t.Errorf("%s: %v", what, err)
			}
			if err != nil {
				return
			}
			read := must(must(parquet.OpenBytes(written.Bytes())).Filters("id"))[0]
			for _, hash := range opened.Hashes {
				if read.ContainsHash(hash) != f.ContainsHash(hash) {
					t.Errorf("%s is read as another one", what)
				}
			}
		})
	}
}
