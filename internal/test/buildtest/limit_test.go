package buildtest

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestManyHashesInFewBytes builds filters, in parts and in one, of hashes whose bits per key
// would take many times the limit. The filters' own tests check the number of probes.
func TestManyHashesInFewBytes(t *testing.T) {
	enoughProcs(t)
	hashes := vectors.Hashes(52, unlessSlow(1_000_000, 150_000))
	for i, k := range kinds {
		if k.batch < 0 {
			continue // TestLinearWithoutRoom, package ribbon's TestEveryLimit, and fuzz targets
		}
		unit, trailer := k.unitBytes(), k.trailerBytes()
		for j, units := range []int{1, listsFrom / unit, listsFrom/unit + 1, 150_000 / unit} {
			for _, s := range fewSettings(4*i + j) {
				restore := s.limit()
				b := k.inParts().within(units*unit+trailer+unit-1).verifying(t, s.concurrency)
				b.AddHashes(hashes)
				if size := units*unit + trailer; b.SizeBytes() != size {
					t.Fatalf("%s, %v: SizeBytes %d, want %d", k.name, s, b.SizeBytes(), size)
				}
				got := finish(t, b)
				restore()
				want, end := make([]byte, units*unit), got[units*unit:]
				probes := int(end[trailer-3])
				k.fill(want, probes, hashes)
				same(t, got, append(want, end...), "%s, %v, %d hashes in %d units", k.name, s, len(hashes), units)
			}
		}
	}
}
