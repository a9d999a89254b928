package machine

import (
	"runtime/debug"
	"testing"
)

func TestPeakIsOfWhatWasSinceTheReset(t *testing.T) {
	const size = 64 << 20
	if !ResetPeak() {
		t.Skip("the system does not say")
	}
	before := Peak()
	memory := make([]byte, size)
	for i := range memory {
		memory[i] = 1
	}
	if more := Peak() - before; more < size*9/10 || more > 2*size {
		t.Errorf("%d more at the peak, not %d", more, size)
	}
	clear(memory) // which ends here
	debug.FreeOSMemory()
	if more := Peak() - before; more < size*9/10 {
		t.Errorf("%d more at the peak, which is over", more)
	}
	ResetPeak()
	if more := Peak() - before; more > size/2 {
		t.Errorf("%d more after the reset", more)
	}
}

func TestWhatIsLentIsGivenBack(t *testing.T) {
	const bytes = 64 << 20
	before := Resident()
	if err := Lend(bytes); err != nil {
		t.Fatal(err)
	}
	if after := Resident(); after > before+bytes/2 {
		t.Errorf("%d bytes more", after-before)
	}
}
