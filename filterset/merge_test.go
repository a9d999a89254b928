package filterset_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestLayersOfOnePart: a batch looks in all layers, also where each has one part.
func TestLayersOfOnePart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	hashes := someHashes(1, 300)
	for i := range 3 {
		buildSet(t, dir, policy.FastLocal(10), hashes[100*i:][:100], filterset.WithParts(1), filterset.WithLayer())
	}
	s := openSet(t, dir)
	defer s.Close()
	hits := make([]bool, len(hashes))
	s.ContainsHashes(hashes, hits)
	for i, hash := range hashes {
		if !hits[i] || !s.ContainsHash(hash) {
			t.Fatalf("hash %d is not found: %v in a batch", i, hits[i])
		}
	}
}

// TestLayers adds layers of other shapes and merges sets, and compares every kind of batch with single lookups.
func TestLayers(t *testing.T) {
	dir := t.TempDir()
	one, two, all := filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "all", "sets")
	hashes := someHashes(1, 40_000)
	buildSet(t, one, policy.Paired(16), hashes[:10_000], filterset.WithParts(1), filterset.WithLayer())
	buildSet(t, one, policy.Paired(12), hashes[10_000:20_000], filterset.WithParts(16), filterset.WithLayer())
	buildSet(t, two, policy.Paired(14), hashes[20_000:30_000], filterset.WithParts(4))
	for range 2 {
		if err := filterset.Merge(all, one, two); err != nil {
			t.Fatal(err)
		}
	}
	s := openSet(t, all)
	if len(s.Info().Layers) != 6 || s.Info().NumParts() != 2*21 || s.Info().Keys() != 60_000 {
		t.Error(s.Info())
	}
	if err := s.Verify(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if e, p := s.EstimatedFPR(), s.Info().PredictedFPR(); e < p/1.5 || e > 1.5*p {
		t.Errorf("estimated %v, predicted %v", e, p)
	}
	for _, n := range []int{0, 1, 2, 3, 63, 64, 65, 1000, 40_000} {
		sample := slices.Clone(hashes)
		rand.Shuffle(len(sample), func(i, k int) { sample[i], sample[k] = sample[k], sample[i] })
		sample = sample[:n]
		hits, bits := make([]bool, n+1), make([]uint64, n/64+2)
		hits[n], bits[(n+63)/64] = true, 7
		s.ContainsHashes(sample, hits)
		s.ContainsHashBits(sample, bits)
		if !hits[n] || bits[(n+63)/64] != 7 {
			t.Error("something was written behind the hits")
		}
		var indexes []int
		for i, h := range sample {
			hit := s.ContainsHash(h)
			if hit != hits[i] || hit != (bits[i/64]>>(i%64)&1 == 1) {
				t.Fatalf("%d hashes: hash %d: %v", n, i, hit)
			}
			if hit {
				indexes = append(indexes, i)
			}
		}
		if !slices.Equal(s.AppendHits(nil, sample), indexes) {
			t.Errorf("%d hashes: other indexes", n)
		}
	}
	for _, h := range hashes[:30_000] {
		if !s.ContainsHash(h) {
			t.Fatal("a false negative")
		}
	}
	other := filepath.Join(dir, "other")
	buildSet(t, other, policy.Linear(12), hashes[:10])
	for name, err := range map[string]error{
		"another format":          filterset.Merge(all, other),
		"sets of two formats":     filterset.Merge(filepath.Join(dir, "new"), one, other),
		"no sets":                 filterset.Merge(all),
		"a set that is not there": filterset.Merge(filepath.Join(dir, "new"), filepath.Join(dir, "nothing")),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, err := range map[string]error{
		"a set and itself": filterset.Merge(all, one, all),
		"a set twice":      filterset.Merge(filepath.Join(dir, "new"), one, two, one+"/."),
	} {
		if err == nil || !strings.Contains(err.Error(), "merged with itself") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := filterset.NewBuilder(all, policy.Linear(12), 1, setMemory, filterset.WithLayer())
	if err == nil || !strings.Contains(err.Error(), "simdbloom.Paired128.XX64") || !strings.Contains(err.Error(), all) {
		t.Error(err)
	}
	if entries := must(os.ReadDir(all)); len(entries) != 7 {
		t.Error(entries)
	}
	if _, err := os.Lstat(filepath.Join(dir, "new")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a failed merge has left a folder")
	}
}

// TestFailedMergesLeaveNothing: no folder that was not there, and one that was, even if it is empty.
func TestFailedMergesLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{empty, filepath.Join(dir, "new", "set")} {
		if err := filterset.Merge(to, filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	if entries := must(os.ReadDir(dir)); len(entries) != 1 || entries[0].Name() != "empty" {
		t.Error(entries)
	}
}
