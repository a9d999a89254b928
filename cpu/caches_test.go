package cpu

import "testing"

func TestCachesGrow(t *testing.T) {
	l2, last := Caches()
	if l2 < 64<<10 || last <= l2 {
		t.Errorf("second-level cache of %d bytes, last of %d", l2, last)
	}
}
