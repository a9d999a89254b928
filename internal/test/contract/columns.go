package contract

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// testColumns adds and queries columns of numbers and of strings, with nulls and without, with every kind
// of key hash.
func (f Format) testColumns(t *testing.T) {
	const n, added = 4609, 1500
	texts := vectors.Keys("user8", 0, n)
	numbers, halves, offsets := make([]int64, n), make([]int32, n), make([]int32, n+1)
	for i, value := range vectors.Hashes(6, n) {
		numbers[i], halves[i], offsets[i+1] = int64(value), int32(value), offsets[i]+int32(len(texts[i]))
	}
	validity := make([]byte, n/8+2)
	for i := range validity {
		validity[i] = byte(numbers[i])
	}
	for _, hash := range f.KeyHashes {
		for name, c := range map[string]keyhash.Column{
			"int64":   keyhash.Values(numbers),
			"int32":   keyhash.Values(halves),
			"strings": Must(keyhash.Strings(offsets, bytes.Join(texts, nil))),
		} {
			hashes := hash.AppendColumn(nil, c)
			for _, valid := range [][]byte{nil, validity} {
				c := c.WithValidity(valid, 7)
				isNull := func(i int) bool { return valid != nil && valid[(7+i)/8]>>((7+i)%8)&1 == 0 }
				b, byHash := Must(f.builder(3, hash)), Must(f.builder(3, hash))
				b.AddColumn(keyhash.Column{})
				b.AddColumn(c.Slice(0, added))
				for i := range added {
					if !isNull(i) {
						byHash.AddHash(hashes[i])
					}
				}
				data := f.Finish(t, b)
				if !bytes.Equal(data, f.Finish(t, byHash)) {
					t.Fatalf("%s of %s: AddColumn gives other bytes than AddHash", hash.Name(), name)
				}
				f.testColumn(t, Must(f.Open(data, hash)), c, hashes, isNull)
			}
		}
	}
}

// testColumn queries slices of a column with these hashes, null or not.
func (f Format) testColumn(t *testing.T, opened *simdbloom.Filter, c keyhash.Column, hashes []uint64, isNull func(i int) bool) {
	for _, n := range []int{0, 1, 63, 64, 65, 200, 1023, 1024, 1025, 2048, 4609} {
		from := (len(hashes) - n) / 3
		want, indexes := slices.Repeat([]uint64{0}, (n+63)/64+1), []int32{-5}
		want[len(want)-1] = 42
		for i := range n {
			if !isNull(from+i) && opened.ContainsHash(hashes[from+i]) {
				want[i/64] |= 1 << (i % 64)
				indexes = append(indexes, int32(i))
			}
		}
		got := slices.Repeat([]uint64{42}, len(want))
		if opened.ContainsColumn(c.Slice(from, from+n), got); !slices.Equal(got, want) {
			t.Fatalf("ContainsColumn of %d disagrees with single queries, or answers more", n)
		}
		if got := opened.AppendColumnHits([]int32{-5}, c.Slice(from, from+n)); !slices.Equal(got, indexes) {
			t.Fatalf("AppendColumnHits of %d disagrees with single queries", n)
		}
	}
}

// testColumnPanics has the zero Filter, too, whose queries panic.
func (f Format) testColumnPanics(t *testing.T) {
	opened := f.Opened(t, f.Build(t, 10, f.Hashes(1, 100)))
	c := keyhash.Values(make([]int64, 2000))
	words := slices.Repeat([]uint64{42}, 31)
	if said := Panic(func() { opened.ContainsColumn(c, words) }); said != "simdbloom: len(hits) is 31, but 2000 values need 32 words" ||
		slices.ContainsFunc(words, func(w uint64) bool { return w != 42 }) {
		t.Errorf("panic %q, and %d", said, words)
	}
	for what, query := range map[string]func(f *simdbloom.Filter){
		"ContainsColumn":   func(f *simdbloom.Filter) { f.ContainsColumn(c, make([]uint64, 32)) },
		"AppendColumnHits": func(f *simdbloom.Filter) { f.AppendColumnHits(nil, c) },
	} {
		if said := Panic(func() { query(new(simdbloom.Filter)) }); !strings.Contains(said, "zero Filter") {
			t.Errorf("%s of the zero Filter: panic %q", what, said)
		}
	}
	if values := testmem.HalfWords(testmem.Sparse(t, 4<<31)); values != nil {
		if said := Panic(func() { opened.AppendColumnHits(nil, keyhash.Values(values)) }); !strings.Contains(said, "2147483648 values") {
			t.Errorf("2^31 values: panic %q", said)
		}
	}
}
