package filterset_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/policy"
)

const setMemory = 16 << 20

func someHashes(seed uint64, n int) []uint64 {
	random := rand.New(rand.NewPCG(seed, 1))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = random.Uint64()
	}
	return hashes
}

func buildSet(t testing.TB, dir string, p *policy.Policy, hashes []uint64, options ...filterset.Option) {
	t.Helper()
	b := must(filterset.NewBuilder(dir, p, int64(len(hashes)), setMemory, options...))
	defer b.Close()
	b.AddHashes(hashes)
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func openSet(t testing.TB, dir string, options ...filterfile.OpenOption) *filterset.Set {
	t.Helper()
	s := must(filterset.Open(dir, options...))
	t.Cleanup(func() { s.Close() })
	return s
}

// infoOf returns a set's manifest. The set is closed: on Windows its files could not be changed otherwise.
func infoOf(t testing.TB, dir string) filterset.Info {
	t.Helper()
	s := must(filterset.Open(dir))
	defer s.Close()
	return s.Info()
}

func TestSetsOfEveryFormat(t *testing.T) {
	for _, p := range contract.Policies() {
		t.Run(p.Name(), func(t *testing.T) {
			for _, parts := range []int{1, 64} {
				dir := filepath.Join(t.TempDir(), "set")
				hashes, absent := someHashes(1, 50_000), someHashes(2, 60_000)
				buildSet(t, dir, p, hashes, filterset.WithParts(parts))
				for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
					s := openSet(t, dir, options...)
					if s.Info().Keys() != 50_000 || s.Info().NumParts() != parts || s.Format() != p.Format() || s.Hash() != p.Hash() {
						t.Errorf("%d keys, %d parts, %v, %s", s.Info().Keys(), s.Info().NumParts(), s.Format(), s.Hash().Name())
					}
					hits := make([]bool, len(absent))
					s.ContainsHashes(hashes, hits)
					for i, hit := range hits[:len(hashes)] {
						if !hit || !s.ContainsHash(hashes[i]) {
							t.Fatalf("hash %d is missing", i)
						}
					}
					s.ContainsHashes(absent, hits)
					n := 0
					for i, hit := range hits {
						if hit != s.ContainsHash(absent[i]) {
							t.Fatalf("absent %d: batch %v", i, hit)
						}
						if hit {
							n++
						}
					}
					rate := float64(n) / float64(len(absent))
					if p, e := s.Info().PredictedFPR(), s.EstimatedFPR(); math.Abs(rate-p) > 0.06*p+5*math.Sqrt(p/60_000) || math.Abs(e-p) > 0.2*p {
						t.Errorf("%d parts: rate %.5f, predicted %.5f, estimated %.5f", parts, rate, p, e)
					}
					if err := s.Err(); err != nil {
						t.Error(err)
					}
					if err := s.Verify(context.Background(), nil); err != nil {
						t.Error(err)
					}
				}
				entries := must(os.ReadDir(dir))
				if len(entries) != 2 {
					t.Error(entries)
				}
			}
		})
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
