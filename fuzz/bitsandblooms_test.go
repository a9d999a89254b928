package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// FuzzOpenBitsAndBlooms has any bytes as a filter of bits-and-blooms/bloom, in both byte orders, and compares
// what is opened with a naive reading.
func FuzzOpenBitsAndBlooms(f *testing.F) {
	add := func(m, k, length uint64, words ...uint64) {
		filter := naive.BitsAndBlooms{M: m, K: k, Length: length, Words: words}
		f.Add(filter.Append(nil, binary.BigEndian), queries)
		f.Add(filter.Append(nil, binary.LittleEndian), queries)
	}
	f.Add([]byte{}, queries)
	add(0, 0, 0)
	add(1, 0, 0)
	add(1, 7, 0)
	add(64, 1, 64, 0x123456789abcdef)
	add(70, 7, 70, 0xfedcba9876543210, 0x3f)
	add(65, 3, 128, 1<<63, 1, 2)
	add(200, 4, 65, ^uint64(0), 1)
	add(200, 4, 65, ^uint64(0), 2)
	add(1<<63, 65_536, 64, ^uint64(0))
	add(3, 1<<63, 3, 7)
	add(1<<64-1, 2, 1<<64-1, 7)
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		keys := bytes.SplitAfterN(queried, []byte{' '}, 70)
		hashes, hits := make([]bitsandblooms.Hash, len(keys)), make([]bool, len(keys))
		for i, key := range keys {
			hashes[i] = bitsandblooms.Sum(key)
			if h := hashes[i]; [4]uint64{h.H0, h.H1, h.H2, h.H3} != naive.BitsAndBloomsHash(key) {
				t.Fatalf("key %x: hash %#x", key, h)
			}
		}
		testmem.BesideGuards(t, data, func(data []byte) {
			filter, err := bitsandblooms.Open(data)
			if err != nil {
				if !errors.Is(err, simdbloom.ErrCorrupt) || !bitsandblooms.MayContain(data, queried) {
					t.Fatal(err)
				}
				return
			}
			want := naive.ReadBitsAndBlooms(data, binary.BigEndian)
			if want == nil {
				want = naive.ReadBitsAndBlooms(data, binary.LittleEndian)
			}
			if want.M != filter.M() || want.K != uint64(filter.K()) || 24+8*len(want.Words) != filter.SizeBytes() {
				t.Fatalf("m %d, k %d, %d bytes, want %d, %d, %d words", filter.M(), filter.K(), filter.SizeBytes(), want.M, want.K, len(want.Words))
			}
			filter.ContainsKeys(keys, hits)
			for i, key := range keys {
				contains := want.Contains(naive.BitsAndBloomsHash(key))
				found := bitsandblooms.AppendFilters(nil, []*bitsandblooms.Filter{filter}, hashes[i])
				if hits[i] != contains || filter.ContainsHash(hashes[i]) != contains || bitsandblooms.MayContain(data, key) != contains || (len(found) > 0) != contains {
					t.Fatalf("key %x: not %v", key, contains)
				}
			}
			if rate := filter.EstimatedFPR(); !(rate >= 0 && rate <= 1) {
				t.Fatalf("rate %v", rate)
			}
			if keys := filter.EstimatedKeys(); !(keys >= 0) {
				t.Fatalf("%v keys", keys)
			}
		})
	})
}
