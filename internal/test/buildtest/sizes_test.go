package buildtest

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestEverySize builds filters of all sizes at every setting.
func TestEverySize(t *testing.T) {
	enoughProcs(t)
	hashes := vectors.Hashes(42, 1_000_000)
	for i, k := range kinds {
		for _, n := range []int{0, 1, 2, 63, 64, 65, 127, 128, 1000, 50_000} {
			want := k.plain(hashes[:n])
			for _, s := range settings() {
				compareBuilt(t, k, s, hashes[:n], want)
			}
		}
		many := hashes[:min(len(hashes), k.manyHashes())]
		all := settings()
		if slow() {
			all = someSettings(i)
		}
		want := k.plain(many)
		for _, s := range all {
			compareBuilt(t, k, s, many, want)
		}
	}
}

// TestLargeFilters builds filters larger than caches: each level with each number of
// goroutines once, the kinds in turn. So each kind is also built at each level and, where
// there are three levels, by each number of goroutines.
func TestLargeFilters(t *testing.T) {
	enoughProcs(t)
	hashes := vectors.Hashes(43, unlessSlow(4_000_000, 150_000))
	for i, k := range kinds {
		hashes := hashes
		if k.batch == inLines || k.batch == inColumns { // building takes long
			hashes = hashes[:unlessSlow(2_000_000, 15_000)]
		}
		var want []byte
		for j, s := range settings() {
			if (j/len(concurrencies)+j%len(concurrencies))%len(kinds) != i {
				continue
			}
			if want == nil {
				want = k.plain(hashes)
			}
			compareBuilt(t, k, s, hashes, want)
		}
	}
}

// TestEveryNumberOfProbes builds filters in small parts with fuller and emptier blocks than usual.
func TestEveryNumberOfProbes(t *testing.T) {
	enoughProcs(t)
	turn := 0
	for _, k := range kinds {
		k := k.inParts()
		for _, bitsPerKey := range []float64{1, 3, 4.5, 6, 8, 13, 17, 30, 40, 60, 100} {
			hashes := vectors.Hashes(44, unlessSlow(k.at(bitsPerKey).hashesBeyond(listsFrom), 200_000))
			want := k.at(bitsPerKey).plain(hashes)
			compareBuilt(t, k.at(bitsPerKey), oneSetting(turn), hashes, want)
			turn++
		}
	}
}

func compareBuilt(t *testing.T, k kind, s setting, hashes []uint64, want []byte) {
	t.Helper()
	defer s.limit()()
	b := k.builder(t, s.concurrency)
	b.AddHashes(hashes)
	if b.Len() != len(hashes) || !k.sized(b.SizeBytes(), len(want)) {
		t.Errorf("%s, %v, %d hashes: Len %d, SizeBytes %d, want %d", k.name, s, len(hashes), b.Len(), b.SizeBytes(), len(want))
	}
	same(t, finish(t, b), want, "%s at %v bits per key, %v, %d hashes", k.name, k.bitsPerKey, s, len(hashes))
}
