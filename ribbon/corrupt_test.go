package ribbon_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// TestWhatIsWrong has one flaw each.
func TestWhatIsWrong(t *testing.T) {
	filter := func(n int, trailer ...byte) []byte { return append(make([]byte, n), trailer...) }
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"21 bytes", []byte{0xfe}},
		{"21 bytes", filter(0, 0xfe, 0, 2, 0, 0)},
		{"21 bytes", filter(1, 0xfe, 0, 2, 0, 0)},
		{"21 bytes", filter(15, 0xfe, 0, 2, 0, 0)},
		{"21 bytes", filter(15, 0xfe, 0, 0, 0, 0)},
		{"whole number of 16-byte segments", filter(17, 0xfe, 0, 2, 0, 0)},
		{"whole number of 16-byte segments", filter(1023, 0xfe, 0, 9, 1, 0)},
		{"whole number of 16-byte segments", filter(63, 0xfe, 0, 0, 0, 0)},
		{"69 bytes", filter(63, 0xff, 0, 6, 0, 0)},
	} {
		_, err := ribbon.Open(c.data, keyhash.XX64)
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%x: %v, want %q", c.data, err, c.says)
		}
		if !ribbon.MayContainHash(c.data, 1) {
			t.Errorf("%x: MayContainHash said no", c.data)
		}
		if allocs := testing.AllocsPerRun(10, func() { ribbon.MayContainHash(c.data, 1) }); allocs != 0 {
			t.Errorf("%v allocations", allocs)
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, c := range []struct {
		marker, blocks byte
		want           simdbloom.Format
		name           string
	}{
		{0xfe, 2, simdbloom.Ribbon, "Ribbon"},
		{0xfe, 1, simdbloom.Reserved, "reserved"},
		{0xfe, 0, simdbloom.Reserved, "reserved"},
		{0xff, 6, simdbloom.FastLocal, "FastLocal"},
		{0xff, 31, simdbloom.Reserved, "reserved"},
		{0x06, 1, simdbloom.Legacy, "Legacy"},
		{0x80, 2, simdbloom.Reserved, "reserved"},
		{0x00, 0, simdbloom.Reserved, "reserved"},
	} {
		data := append(make([]byte, 64), c.marker, 0, c.blocks, 0, 0)
		f := contract.Ribbon.Opened(t, data)
		if f.Format() != c.want || f.Format().String() != c.name || (f.NumProbes() > 0) != (c.want == simdbloom.Ribbon || c.want == simdbloom.FastLocal) {
			t.Errorf("marker %#x, %d: %s with %d probes, want %s", c.marker, c.blocks, f.Format(), f.NumProbes(), c.name)
		}
		if looked := c.want == simdbloom.Ribbon || c.want == simdbloom.FastLocal; !looked && (!f.ContainsHash(7) || f.EstimatedFPR() != 1) {
			t.Errorf("%s: a hash is absent", f.Format())
		}
	}
}

// TestAnyBytes has bodies of any content and any number of blocks beside memory that may not be
// touched.
func TestAnyBytes(t *testing.T) {
	queried := append(vectors.Hashes(3, 100), 0, 1, 1<<32-1, 1<<32, 1<<64-1)
	for segments := 1; segments < 500; segments += 1 + segments/3 {
		body := make([]byte, 16*segments)
		for i, value := range vectors.Hashes(uint64(segments), len(body)) {
			body[i] = byte(value)
		}
		for _, blocks := range []int{2, 3, 7, segments/8 + 2, segments + 1, 1<<24 - 1} {
			data := append(slices.Clip(body), 0xfe, byte(blocks*77), byte(blocks), byte(blocks>>8), byte(blocks>>16))
			var want []int
			for i, hash := range queried {
				if naive.RibbonContains(data, hash) {
					want = append(want, i)
				}
			}
			testmem.BesideGuards(t, data, func(data []byte) {
				f := contract.Ribbon.Opened(t, data)
				if got := f.AppendHits(nil, queried); !slices.Equal(got, want) {
					t.Fatalf("%d segments, %d blocks: %d, want %d", segments, blocks, got, want)
				}
				for i, hash := range queried {
					if alone := f.ContainsHash(hash); alone != slices.Contains(want, i) || ribbon.MayContainHash(data, hash) != alone {
						t.Fatalf("%d segments, %d blocks: hash %#x alone: %v", segments, blocks, hash, alone)
					}
				}
				if rate := f.EstimatedFPR(); !(rate > 0 && rate <= 1) {
					t.Errorf("%d segments, %d blocks: rate %v", segments, blocks, rate)
				}
			})
		}
	}
}

// TestUsualBytes compares the one look at the trailer with what Open finds out.
func TestUsualBytes(t *testing.T) {
	for n := range 100 {
		for _, trailer := range [][]byte{
			{0xfe, 9, 2, 0, 0},
			{0xfe, 9, 1, 0, 0},
			{0xfe, 0, 0, 0, 0},
			{0xfe, 255, 0, 1, 0},
			{0xfe, 0, 0, 0, 1},
			{0xfe, 1, 255, 255, 255},
			{0xff, 0, 6, 0, 0},
			{6, 2, 0, 0, 0},
			{0xfd, 0, 2, 0, 0},
		} {
			data := append(make([]byte, n), trailer...)
			f, err := ribbon.Open(data, keyhash.XX64)
			want := err == nil && f.Format() == simdbloom.Ribbon
			others := 0
			other := func([]byte, uint64) bool {
				others++
				return true
			}
			asm.RibbonMayContain(data, 1, other)
			if usual := others == 0; usual != want || !asm.RibbonMayContain(data[:min(n, 5)], 1, other) {
				t.Fatalf("%d bytes and %x: not %v", n, trailer, want)
			}
		}
	}
}
