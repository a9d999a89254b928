package dcso_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/dcso"
)

// TestMostProbes: 65,536 probes are read, and one more is corrupt.
func TestMostProbes(t *testing.T) {
	f, err := dcso.New(100, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Clone(f.Bytes())
	for _, k := range []uint64{1, 1 << 16, 1<<16 + 1} {
		binary.LittleEndian.PutUint64(data[24:], k)
		opened, err := dcso.Open(data)
		if k <= 1<<16 && (err != nil || uint64(opened.K()) != k || opened.ContainsString("absent")) {
			t.Errorf("%d probes: %v", k, err)
		} else if k > 1<<16 && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d probes: %v", k, err)
		}
	}
}
