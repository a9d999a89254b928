package ribbon_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
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
		if !errors.Is(err, ribbon.ErrCorrupt) || !errors.Is(err, bloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) || !strings.HasPrefix(err.Error(), "ribbon: ") {
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

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		marker, blocks byte
		want           ribbon.Kind
		name           string
	}{
		{0xfe, 2, ribbon.Ribbon, "Ribbon"},
		{0xfe, 1, ribbon.Reserved, "reserved"},
		{0xfe, 0, ribbon.Reserved, "reserved"},
		{0xff, 6, ribbon.FastLocal, "FastLocal"},
		{0xff, 31, ribbon.Reserved, "reserved"},
		{0x06, 1, ribbon.Legacy, "legacy"},
		{0x80, 2, ribbon.Reserved, "reserved"},
		{0x00, 0, ribbon.Reserved, "reserved"},
	} {
		data := append(make([]byte, 64), c.marker, 0, c.blocks, 0, 0)
		f := open(t, data, keyhash.XX64)
		if f.Kind() != c.want || f.Kind().String() != c.name || (f.NumProbes() > 0) != (c.want == ribbon.Ribbon) {
			t.Errorf("marker %#x, %d: %s with %d columns, want %s", c.marker, c.blocks, f.Kind(), f.NumProbes(), c.name)
		}
		if looked := c.want == ribbon.Ribbon || c.want == ribbon.FastLocal; !looked && (!f.ContainsHash(7) || f.EstimatedFPR() != 1) {
			t.Errorf("%s: a hash is absent", f.Kind())
		}
	}
	if f := open(t, nil, keyhash.XX64); f.Kind() != ribbon.Empty || f.Kind().String() != "empty" || ribbon.Kind(99).String() != "ribbon.Kind(99)" {
		t.Error("kinds have other names")
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
				f := open(t, data, keyhash.XX64)
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
			want := err == nil && f.Kind() == ribbon.Ribbon
			if asm.UsualRibbon(data).OK() != want || asm.UsualRibbon(data[:min(n, 5)]).OK() {
				t.Fatalf("%d bytes and %x: not %v", n, trailer, want)
			}
		}
	}
}
