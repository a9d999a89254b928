package filterfile_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestLazyBatchesAnswerAsSingleLookups: in a file of which one piece is wrong, every batch has the
// answer of ContainsHash at the hash's own place.
func TestLazyBatchesAnswerAsSingleLookups(t *testing.T) {
	s := fastLocal(t, 200_000) // 4 pieces
	data, err := filterfile.Append(nil, s.filter)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-len(s.filter.Bytes())] ^= 1 // in the first piece
	f, err := filterfile.OpenBytes(data, filterfile.WithLazyCheck())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 63, 64, 65, 200, 1000} {
		hashes := vectors.Hashes(8, n)
		want, wantWords, wantIndexes := make([]bool, n), make([]uint64, (n+63)/64), []int(nil)
		for i, hash := range hashes {
			if want[i] = f.ContainsHash(hash); want[i] {
				wantWords[i/64] |= 1 << (i % 64)
				wantIndexes = append(wantIndexes, i)
			}
		}
		hits, words := make([]bool, n), make([]uint64, (n+63)/64)
		f.ContainsHashes(hashes, hits)
		f.ContainsHashBits(hashes, words)
		if !slices.Equal(hits, want) || !slices.Equal(words, wantWords) || !slices.Equal(f.AppendHits(nil, hashes), wantIndexes) {
			t.Errorf("a batch of %d hashes has other answers than single lookups", n)
		}
		for i, value := range hashes {
			want[i] = f.ContainsUint64(value)
		}
		if f.ContainsUint64s(hashes, hits); !slices.Equal(hits, want) {
			t.Errorf("a batch of %d values has other answers than single lookups", n)
		}
		validity, selected := bytes.Repeat([]byte{0b10101101}, n/8+1), []int32(nil)
		clear(wantWords)
		for i := range hashes {
			if want[i] && validity[i/8]>>(i%8)&1 == 1 {
				wantWords[i/64] |= 1 << (i % 64)
				selected = append(selected, int32(i))
			}
		}
		column := keyhash.Values(hashes).WithValidity(validity, 0)
		if f.ContainsColumn(column, words); !slices.Equal(words, wantWords) || !slices.Equal(f.AppendColumnHits(nil, column), selected) {
			t.Errorf("a column of %d values has other answers than single lookups", n)
		}
		if found := len(wantIndexes); n == 1000 && (found < n/8 || found > n/2) {
			t.Errorf("%d of %d hashes may be contained, want about a quarter", found, n)
		}
	}
	if !errors.Is(f.Err(), filterfile.ErrCorrupt) {
		t.Errorf("the wrong piece was not found: %v", f.Err())
	}
}
