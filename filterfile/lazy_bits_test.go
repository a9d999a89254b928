package filterfile_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
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
	if !errors.Is(f.Err(), simdbloom.ErrCorrupt) {
		t.Errorf("the wrong piece was not found: %v", f.Err())
	}
}

// TestLazyLookupsAfterPartOfABlock: a filter whose blocks are followed by a part of another one, before the trailer,
// has the same blocks as without it, and a lookup checks the piece that has its block. The keys of a wrong piece may be
// contained.
func TestLazyLookupsAfterPartOfABlock(t *testing.T) {
	const pieceBytes, blockBytes, trailerBytes = 64 << 10, 64, 5
	s := fastLocal(t, 110_000) // 3 pieces
	filter := s.filter.Bytes()
	blocks, trailer := filter[:len(filter)-trailerBytes], filter[len(filter)-trailerBytes:]
	if len(blocks)%blockBytes != 0 || len(blocks) < 2*pieceBytes {
		t.Fatalf("%d bytes of blocks", len(blocks))
	}
	for _, part := range []int{0, 1, 58, 59, 60, 61, 62, 63} {
		body := slices.Concat(blocks, make([]byte, part), trailer)
		intact := must(filterfile.Append(nil, must(simdbloom.Open(simdbloom.FastLocal, body, keyhash.XX64))))
		for from := 0; from+pieceBytes <= len(blocks); from += pieceBytes {
			data := slices.Clone(intact)
			clear(data[len(data)-len(body)+from:][:pieceBytes])
			f := must(filterfile.OpenBytes(data, filterfile.WithLazyCheck()))
			missing := 0
			for _, key := range s.keys {
				if !f.Contains(key) {
					missing++
				}
			}
			if missing > 0 {
				t.Errorf("%d bytes behind the blocks, wrong from byte %d: %d keys are missing", part, from, missing)
			}
			if !errors.Is(f.Err(), simdbloom.ErrCorrupt) {
				t.Errorf("%d bytes behind the blocks, wrong from byte %d: %v", part, from, f.Err())
			}
		}
	}
}
