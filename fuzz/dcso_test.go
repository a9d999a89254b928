package fuzz

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// FuzzOpenDCSO has any bytes as a filter of DCSO/bloom, and compares what is opened with a naive reading.
func FuzzOpenDCSO(f *testing.F) {
	add := func(n uint64, p float64, k, m uint64, words ...uint64) {
		filter := naive.DCSO{N: n, P: p, K: k, M: m, Words: words, Data: []byte("data")}
		f.Add(filter.Append(nil, false), queries)
		f.Add(filter.Append(nil, true), queries)
	}
	f.Add([]byte{}, queries)
	f.Add([]byte{0x1f, 0x8b, 8}, queries)
	add(10, 0.01, 7, 95, 0x123456789abcdef, 0x3fff)
	add(10, 0.01, 0, 95, 1, 2)
	add(0, math.NaN(), 7, 0)
	add(1, 0.5, 1, 1, 1)
	add(1<<63, 1e-300, 65_536, 64, ^uint64(0))
	add(3, 0.1, 1<<63, 3, 7)
	add(3, 0.1, 2, 1<<64-1, 7)
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		keys := bytes.SplitAfterN(queried, []byte{' '}, 70)
		hits := make([]bool, len(keys))
		testmem.BesideGuards(t, data, func(data []byte) {
			filter, err := dcso.Open(data)
			read, readErr := dcso.Read(bytes.NewReader(data))
			if err != nil {
				if !errors.Is(err, simdbloom.ErrCorrupt) || !dcso.MayContain(data, queried) {
					t.Fatal(err)
				}
				return
			}
			if readErr != nil || !bytes.Equal(read.Bytes(), data) {
				t.Fatal("Read:", readErr)
			}
			want, rule := naive.ReadDCSO(data), filter.Rule().String()
			if filter.Rule() != dcso.Seeded && (want == nil || want.N != filter.Capacity() || want.K != uint64(filter.K()) || want.M != filter.M() || want.Keys != filter.Keys() || !bytes.Equal(want.Data, filter.Data())) {
				t.Fatalf("%+v, want %+v", filter, want)
			}
			filter.ContainsKeys(keys, hits)
			for i, key := range keys {
				if hits[i] != filter.Contains(key) || hits[i] != dcso.MayContain(data, key) || filter.Rule() != dcso.Seeded && want.K < 100 && hits[i] != want.Contains(key, rule) {
					t.Fatalf("key %x: not %v", key, hits[i])
				}
			}
			if err := filter.Verify(); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatal(err)
			}
			if rule := filter.DetectRule(); filter.Rule() == dcso.Seeded && rule != dcso.Seeded {
				t.Fatal(rule)
			}
			if rate := filter.EstimatedFPR(); !(rate >= 0 && rate <= 1) {
				t.Fatalf("rate %v", rate)
			}
			if keys := filter.EstimatedKeys(); !(keys >= 0) {
				t.Fatalf("%v keys", keys)
			}
			added := filter.MutableCopy()
			if added.Add(queried); !added.Filter().Contains(queried) {
				t.Fatal("a key is missing")
			}
		})
	})
}
