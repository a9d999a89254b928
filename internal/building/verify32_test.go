package building

import "testing"

func TestContainsAll32(t *testing.T) {
	hashes := make([]uint32, 10_000)
	for i := range hashes {
		hashes[i] = uint32(i)
	}
	for _, missing := range []uint32{0, 4095, 4096, 9999, 10_000} {
		contains := func(hashes []uint32, hits []bool) {
			for i, hash := range hashes {
				hits[i] = hash != missing
			}
		}
		if got := ContainsAll32(hashes, contains); got != (missing == 10_000) {
			t.Errorf("hash %d is missing: %v", missing, got)
		}
	}
	if !ContainsAll32(nil, nil) {
		t.Error("no hashes are not all contained")
	}
}
