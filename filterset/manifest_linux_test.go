package filterset

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/program"
)

// TestNoRoomForManifest: if the system does not take all bytes, it is an error, and the old manifest is there.
func TestNoRoomForManifest(t *testing.T) {
	dir := t.TempDir()
	info := Info{Format: "simdbloom.FastLocal.XX64", Hash: "XX64"}
	if err := replaceManifest(dir, &info); err != nil {
		t.Fatal(err)
	}
	large := info
	for i := range 6 {
		large.Layers = append(large.Layers, Layer{ID: fmt.Sprintf("%016x", i), BitsPerKey: 10, Parts: make([]Part, mostParts)})
	}
	program.WithoutRoom(t, func() {
		if err := replaceManifest(dir, &large); !errors.Is(err, syscall.EFBIG) {
			t.Error(err)
		}
	})
	if info, err := readInfo(dir); err != nil || len(info.Layers) > 0 {
		t.Errorf("%d layers, %v", len(info.Layers), err)
	}
}
