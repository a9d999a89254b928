package fuzz

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
	"github.com/simdbloom/simdbloom/splitblock"
)

// FuzzSlicedFile gives arbitrary bytes, as they are and with right checksums, to what opens sliced filters, and uses
// these in every way.
func FuzzSlicedFile(f *testing.F) {
	for _, n := range []int{0, 1, 40, 70} {
		s := sliced.New(keyhash.XX64)
		for i := range n {
			b := contract.Must(bloom.NewBuilder(10, keyhash.XX64))
			if i%2 == 1 && n == 70 {
				b = contract.Must(splitblock.NewBuilder(10, keyhash.XX64))
			}
			b.AddHashes(vectors.Hashes(uint64(i), 20))
			contract.Must(s.Append(contract.Must(b.Filter())))
		}
		if n > 40 {
			contract.Must(s.Append(contract.Must(bloom.Open(nil, keyhash.XX64))))
			s.Remove(3)
		}
		var file bytes.Buffer
		contract.Must(s.WriteTo(&file))
		f.Add(file.Bytes(), queries, true)
		f.Add(file.Bytes(), queries, false)
	}
	f.Fuzz(func(t *testing.T, data, queried []byte, repaired bool) {
		hashes := hashesIn(queried)
		hashes = hashes[:min(100, len(hashes))]
		if repaired {
			data = repair(slices.Clone(data))
		}
		testmem.BesideGuards(t, data, func(data []byte) { checkSliced(t, data, hashes) })
	})
}

func checkSliced(t *testing.T, data []byte, hashes []uint64) {
	s, err := sliced.OpenBytes(data)
	lazy, lazyErr := sliced.OpenBytes(data, filterfile.WithLazyCheck())
	for _, err := range []error{err, lazyErr} {
		if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, simdbloom.ErrUnknown) {
			t.Fatal(err)
		}
	}
	if lazyErr == nil {
		useSliced(t, lazy, hashes)
		if checked := lazy.Check(); (checked == nil) != (err == nil) || checked != nil && lazy.Err() == nil {
			t.Fatalf("%v, and opened lazily %v", err, checked)
		}
	}
	if err != nil {
		return
	}
	if lazyErr != nil {
		t.Fatal(lazyErr)
	}
	useSliced(t, s, hashes)
	var file bytes.Buffer
	if _, err := s.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := sliced.OpenBytes(file.Bytes())
	if err != nil {
		t.Fatal("written again it is wrong:", err)
	}
	for _, hash := range hashes {
		if got, want := again.AppendHits(nil, hash), s.AppendHits(nil, hash); !slices.Equal(got, want) {
			t.Fatalf("%#x: written again %v, want %v", hash, got, want)
		}
	}
	// Filters that change are their own memory's.
	for id := range min(3*s.Len(), 20) {
		if err := s.Remove(id); err == nil && s.Filter(id) != nil {
			t.Fatalf("filter %d is there after it was removed", id)
		}
	}
	useSliced(t, s, hashes)
}

// useSliced requires that all lookups agree with the filters that are returned.
func useSliced(t *testing.T, s *sliced.Filters, hashes []uint64) {
	var ids []int
	var filters []*simdbloom.Filter
	for id := 0; len(ids) < s.Len() && id < 1000; id++ {
		if f := s.Filter(id); f != nil {
			ids, filters = append(ids, id), append(filters, f)
		}
	}
	all := len(ids) == s.Len()
	for i, hits := range s.Hits(hashes) {
		var want []int
		for _, at := range simdbloom.AppendFilters(nil, filters, hashes[i]) {
			want = append(want, ids[at])
		}
		if all && s.Err() == nil && !slices.Equal(hits, want) {
			t.Fatalf("%#x: %v, want %v", hashes[i], hits, want)
		}
	}
	wanted := make([]uint64, (len(hashes)+63)/64)
	for i := range hashes {
		wanted[i/64] |= 1 << (i % 64)
	}
	for id, keys := range s.Candidates(hashes, wanted) {
		for _, key := range keys {
			if !slices.Contains(s.AppendHits(nil, hashes[key]), id) {
				t.Fatalf("filter %d is a candidate for %#x", id, hashes[key])
			}
		}
	}
	s.Shapes()
	s.SizeBytes()
}
