package pages

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
)

func TestMemoryIsZeroWritableAndInLines(t *testing.T) {
	for _, kind := range []Kind{Ordinary, Huge} {
		for _, bytes := range []int{1, 64, 5000, 2 << 20, 2<<20 + 1} {
			m, err := Map(kind, bytes)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Bytes) != bytes || cap(m.Bytes) != bytes || uintptr(unsafe.Pointer(&m.Bytes[0]))%64 != 0 {
				t.Errorf("%v, %d bytes: %d of %d at %p", kind, bytes, len(m.Bytes), cap(m.Bytes), &m.Bytes[0])
			}
			for i, b := range m.Bytes {
				if b != 0 {
					t.Fatalf("%v, %d bytes: byte %d is %d", kind, bytes, i, b)
				}
				m.Bytes[i] = 0xff
			}
			share, err := m.HugeShare()
			if err != nil || share < 0 || share > 1 || kind == Ordinary && share != 0 {
				t.Errorf("%v, %d bytes: %v huge, %v", kind, bytes, share, err)
			}
			t.Logf("%v, %d bytes: %.0f %% in huge pages", kind, bytes, 100*share)
			if err := m.Unmap(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, kind := range []Kind{Ordinary, Default} {
		var got Kind
		if err := got.UnmarshalText([]byte(kind.String())); got != kind || err != nil {
			t.Errorf("%v: %v, %v", kind, got, err)
		}
	}
	if err := new(Kind).UnmarshalText([]byte("large")); err == nil || !strings.Contains(err.Error(), "neither") {
		t.Error(err)
	}
}

func TestWhatIsLentIsGivenBack(t *testing.T) {
	for _, bytes := range []int{1, 4096, 3<<20 + 1} {
		machine.ResetPeak()
		before := machine.Peak()
		if err := Lend(bytes); err != nil {
			t.Error(err)
		}
		if peak := machine.Peak(); peak > 0 && Default == Huge && peak < before+bytes {
			t.Errorf("%d bytes were not touched: %d at the peak, %d before", bytes, peak, before)
		}
		machine.ResetPeak()
		if after := machine.Peak(); after > before+bytes/2+1<<20 {
			t.Errorf("%d of %d bytes are still there", after-before, bytes)
		}
	}
}
