package machine

import "testing"

func TestWhatIsLentIsGivenBack(t *testing.T) {
	const bytes = 64 << 20
	before := Resident()
	if err := Lend(bytes); err != nil {
		t.Fatal(err)
	}
	if after := Resident(); after > before+bytes/2 {
		t.Errorf("%d bytes more", after-before)
	}
	// Linux counts some pages of a processor late, so that neither figure is exact.
	if peak := Peak(); before > 0 && peak < before+bytes/2 {
		t.Errorf("%d bytes at the peak, %d before", peak, before)
	}
}
