package fuzz

import (
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/legacy"
)

func FuzzOpenLegacy(f *testing.F) {
	for _, v := range vectors.LegacyKeys() {
		if len(v.Bytes) < 300 {
			f.Add([]byte(v.Bytes), queries)
		}
	}
	for i, v := range vectors.LegacyReader() {
		if v.BodyLen <= 192 && i%10 == 0 {
			f.Add(v.Data(), queries)
		}
	}
	f.Add(append(make([]byte, 64), 6, 1, 0, 0, 4), queries) // 64 bytes in 2^26+1 lines
	f.Add(make([]byte, 5), queries)
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		hashes := narrowHashesIn(queried)
		testmem.BesideGuards(t, data, func(data []byte) {
			filter, err := legacy.Open(data)
			if err != nil {
				if !errors.Is(err, legacy.ErrCorrupt) || !legacy.MayContain(data, queried) {
					t.Fatalf("%v, or corrupt bytes, and no", err)
				}
				return
			}
			want := func(hash uint32) bool {
				want := naive.LegacyReads(data, hash)
				if legacy.MayContainHash(data, hash) != want {
					t.Fatalf("hash %#x: MayContainHash is not %v", hash, want)
				}
				return want
			}
			checkNarrowQueries(t, filter, hashes, want)
			checkNarrowQueries(t, filter.CopyAligned(), hashes, want)
			ofKey := want(naive.LevelDBHash(queried, true))
			checkNarrowKey(t, filter, queried, ofKey)
			if legacy.MayContain(data, queried) != ofKey {
				t.Fatalf("key %x: MayContain is not %v", queried, ofKey)
			}
		})
	})
}
