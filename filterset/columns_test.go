package filterset_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// testColumns returns columns of n values of every kind, with nulls and without.
func testColumns(n int) map[string]keyhash.Column {
	words := someHashes(9, n)
	halves, floats := make([]int32, n), make([]float64, n)
	small, large, data := []int32{0}, []int64{0}, []byte(nil)
	for i, word := range words {
		halves[i], floats[i] = int32(word), float64(int64(word))
		data = fmt.Append(data, word>>(word%60))
		small, large = append(small, int32(len(data))), append(large, int64(len(data)))
	}
	validity := make([]byte, n/8+2)
	for i, word := range someHashes(10, len(validity)) {
		validity[i] = byte(word)
	}
	columns := map[string]keyhash.Column{
		"uint64": keyhash.Values(words), "int32": keyhash.Values(halves), "float64": keyhash.Values(floats),
		"strings": must(keyhash.Strings(small, data)), "large strings": must(keyhash.Strings(large, data)),
	}
	for name, column := range columns {
		columns[name+" with nulls"] = column.WithValidity(validity, 3)
		columns[name+" that are null"] = column.WithValidity(make([]byte, n/8+1), 0)
	}
	return columns
}

// TestColumnsAreAsAFilters: a set of one part is a single filter. Its builder adds a column as that filter's does, byte
// for byte, and the set has that filter's answers.
func TestColumnsAreAsAFilters(t *testing.T) {
	for _, p := range contract.Policies() {
		for _, n := range []int{1, 5000} { // one adds no keys
			for name, column := range testColumns(n) {
				dir := filepath.Join(t.TempDir(), "set")
				b := must(filterset.NewBuilder(dir, p, int64(n), setMemory, filterset.WithParts(1)))
				single := p.NewBuilder()
				b.AddColumn(column.Slice(0, n/2))
				single.AddColumn(column.Slice(0, n/2))
				if b.Len() != int64(single.Len()) {
					t.Errorf("%s, %d of %s: %d keys, want %d", p.Name(), n, name, b.Len(), single.Len())
				}
				if err := b.Finish(t.Context()); err != nil {
					t.Fatal(err)
				}
				want := must(single.Filter())
				s := openSet(t, dir)
				hits, wantHits := make([]uint64, n/64+2), make([]uint64, n/64+2)
				for i := range hits {
					hits[i], wantHits[i] = 7, 7
				}
				s.ContainsColumn(column, hits)
				want.ContainsColumn(column, wantHits)
				if p.Format() == simdbloom.Ribbon { // the order of keys differs, and so do false positives
					want = must(simdbloom.Open(simdbloom.Ribbon, partOf(t, dir), p.Hash()))
					want.ContainsColumn(column, wantHits)
				} else if !slices.Equal(partOf(t, dir), want.Bytes()) {
					t.Errorf("%s, %d of %s: the part has other bytes than the filter", p.Name(), n, name)
				}
				if !slices.Equal(hits, wantHits) {
					t.Errorf("%s, %d of %s: ContainsColumn differs from the filter's", p.Name(), n, name)
				}
				if got := s.AppendColumnHits([]int32{-1}, column); !slices.Equal(got, want.AppendColumnHits([]int32{-1}, column)) {
					t.Errorf("%s, %d of %s: AppendColumnHits differs from the filter's", p.Name(), n, name)
				}
				s.Close()
			}
		}
	}
}

// partOf returns the filter of a set of one part.
func partOf(t *testing.T, dir string) []byte {
	f := must(filterfile.Open(filepath.Join(dir, infoOf(t, dir).Layers[0].Folder(), filterset.PartFile(0))))
	defer f.Close()
	return slices.Clone(f.Bytes())
}

// TestShortHits of a column, even if there is room behind them, panic before anything is written.
func TestShortHits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	p := policy.FastLocal(10)
	buildSet(t, dir, p, []uint64{1, p.Hash().SumUint64(1)}, filterset.WithParts(4))
	s := openSet(t, dir)
	for i, look := range []func(bits []uint64, hits []bool){
		func(bits []uint64, _ []bool) { s.ContainsColumn(keyhash.Values(make([]uint64, 65)), bits) },
		func(bits []uint64, _ []bool) { s.ContainsHashBits(make([]uint64, 65), bits) },
		func(_ []uint64, hits []bool) { s.ContainsHashes([]uint64{1, 1}, hits) },
		func(_ []uint64, hits []bool) { s.ContainsUint64s([]uint64{1, 1}, hits) },
	} {
		bits, hits := []uint64{7, 7}, make([]bool, 2)
		func() {
			defer func() {
				if recover() == nil || bits[0] != 7 || bits[1] != 7 || hits[0] || hits[1] {
					t.Errorf("lookup %d: %v, %v", i, bits, hits)
				}
			}()
			look(bits[:1], hits[:1])
		}()
	}
}

// TestOrderOfKeys: a part's bytes do not depend on it.
func TestOrderOfKeys(t *testing.T) {
	hashes := someHashes(1, 2000)
	for _, p := range []*policy.Policy{policy.Ribbon(10), policy.FastLocal(10)} {
		var parts [2]filterset.Part
		for i := range parts {
			dir := filepath.Join(t.TempDir(), "set")
			buildSet(t, dir, p, hashes)
			parts[i] = infoOf(t, dir).Layers[0].Parts[0]
			slices.Reverse(hashes)
		}
		if parts[0] != parts[1] {
			t.Errorf("%s: %+v and %+v", p.Name(), parts[0], parts[1])
		}
	}
}

// TestColumnsInManyParts: the answers for a column are those of single lookups, in sets of several layers and parts,
// and of more values than a set sorts at a time, 2^18.
func TestColumnsInManyParts(t *testing.T) {
	const n = 1<<18 + 100
	dir := filepath.Join(t.TempDir(), "set")
	values := someHashes(1, n)
	for i, options := range [][]filterset.Option{{filterset.WithParts(4)}, {filterset.WithParts(64), filterset.WithLayer()}} {
		b := must(filterset.NewBuilder(dir, policy.FastLocal(10), n/4, setMemory, options...))
		b.AddColumn(keyhash.Values(values[i*n/4 : (i+1)*n/4]))
		if err := b.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	validity := make([]byte, n/8+1)
	for i, word := range someHashes(2, len(validity)) {
		validity[i] = byte(word)
	}
	s := openSet(t, dir)
	for _, length := range []int{0, 1, 5, 63, 65, 4000, n} { // the first few are not sorted
		var indexes []int32
		words := make([]uint64, (length+63)/64)
		for i, value := range values[:length] {
			valid := validity[(i+1)/8]>>((i+1)%8)&1 == 1
			if has := s.ContainsUint64(value); i < n/2 && !has {
				t.Fatalf("value %d is missing", i)
			} else if valid && has {
				indexes = append(indexes, int32(i))
				words[i/64] |= 1 << (i % 64)
			}
		}
		column := keyhash.Values(values[:length]).WithValidity(validity, 1)
		got := make([]uint64, len(words))
		for i := range got {
			got[i] = math.MaxUint64
		}
		if s.ContainsColumn(column, got); !slices.Equal(got, words) {
			t.Errorf("%d values: ContainsColumn differs from single lookups", length)
		}
		if !slices.Equal(s.AppendColumnHits(nil, column), indexes) {
			t.Errorf("%d values: AppendColumnHits differs from single lookups", length)
		}
	}
	hits := []uint64{1, 2, 3}
	mustPanic(t, "short hits", func() { s.ContainsColumn(keyhash.Values(values[:193]), hits) })
	if !slices.Equal(hits, []uint64{1, 2, 3}) {
		t.Error("something was written before the panic about short hits")
	}
	s.Close()
	mustPanic(t, "closed", func() { s.ContainsColumn(keyhash.Column{}, nil) })
	mustPanic(t, "closed", func() { s.AppendColumnHits(nil, keyhash.Column{}) })
}

func mustPanic(t *testing.T, name string, do func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	do()
}

// TestColumnsInWrongParts: values of a part that cannot be read may be contained, and nulls read nothing.
func TestColumnsInWrongParts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), someHashes(1, 1000), filterset.WithParts(2))
	for part := range 2 {
		path := filepath.Join(dir, infoOf(t, dir).Layers[0].Folder(), filterset.PartFile(part))
		data := must(os.ReadFile(path))
		data[len(data)-100] ^= 1
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const n = 200
	s := openSet(t, dir)
	column := keyhash.Values(someHashes(2, n))
	if hits := s.AppendColumnHits(nil, column.WithValidity(make([]byte, n/8), 0)); hits != nil || s.Err() != nil {
		t.Errorf("%d hits of nulls, %v", len(hits), s.Err())
	}
	if hits := s.AppendColumnHits(nil, column); len(hits) != n || s.Err() == nil {
		t.Errorf("%d hits of %d values in wrong parts, %v", len(hits), n, s.Err())
	}
}
