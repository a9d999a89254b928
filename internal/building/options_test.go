package building

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestOptions has valid ones, and one error each.
func TestOptions(t *testing.T) {
	type option func(*Options)
	concurrency := func(n int) option { return func(o *Options) { o.Concurrency = n } }
	limit := func(l Limit) option { return func(o *Options) { o.Limit = l } }
	given := func(g Given) option { return func(o *Options) { o.Given |= g } }
	for _, c := range []struct {
		options []option
		says    string
	}{
		{nil, ""},
		{[]option{concurrency(0), nil, concurrency(1), limit(AtMost(69)), given(GivenPebble)}, ""},
		{[]option{limit(Exactly(69)), limit(AtMost(math.MaxInt))}, ""},
		{[]option{concurrency(0)}, "WithConcurrency must be at least 1, not 0"},
		{[]option{concurrency(math.MinInt)}, "WithConcurrency must be at least 1, not " + fmt.Sprint(math.MinInt)},
		{[]option{limit(AtMost(68))}, "WithMaxBytes must be at least 69, the size of the smallest filter, not 68"},
		{[]option{limit(AtMost(-1))}, "WithMaxBytes must be at least 69, the size of the smallest filter, not -1"},
		{[]option{limit(Exactly(0))}, "WithSizeBytes must be at least 69, the size of the smallest filter, not 0"},
		{[]option{given(GivenLevel)}, "the format has no option WithLevel"},
		{[]option{given(GivenSizeBytes | GivenBatchBlocks), given(GivenPebble | GivenRoundDown)}, "the format has no option WithSizeBytes, WithBatchBlocks, WithRoundDown"},
	} {
		err := Apply(c.options).Check(GivenPebble, 69)
		if said := errorText(err); said != c.says {
			t.Errorf("%q, want %q", said, c.says)
		}
	}
}

func TestLimits(t *testing.T) {
	const unit, most, trailer = 64, 640, 5
	for _, c := range []struct {
		limit  Limit
		body   uint64
		within int // of 300 bytes
		says   string
	}{
		{Limit{}, math.MaxUint64, 300, ""},
		{AtMost(69), 64, 69, ""},
		{AtMost(132), 64, 132, ""},
		{AtMost(133), 128, 133, ""},
		{AtMost(300), 256, 300, ""},
		{AtMost(644), 576, 300, ""},
		{AtMost(math.MaxInt), 640, 300, ""},
		{Exactly(133), 128, 133, ""},
		{Exactly(645), 640, 300, ""},
		{Exactly(132), 64, 132, "WithSizeBytes must be 5 more than a multiple of 64, such as 69 and 133, not 132"},
		{Exactly(709), 640, 300, "WithSizeBytes must be at most 645, not 709"},
	} {
		says := errorText(c.limit.CheckUnits(unit, most, trailer))
		if body, within := c.limit.Body(unit, most, trailer), c.limit.Within(300); body != c.body || within != c.within || says != c.says {
			t.Errorf("%+v: a body of %d, %d within 300, %q", c.limit, body, within, says)
		}
	}
	if says := errorText(Exactly(40).CheckUnits(32, most, 0)); says != "WithSizeBytes must be a multiple of 32, such as 32 and 64, not 40" {
		t.Errorf("without a trailer: %q", says)
	}
}

// TestAlwaysTrue counts keys in every way to add them, equal ones too, and keeps few hashes.
func TestAlwaysTrue(t *testing.T) {
	b := NewAlwaysTrue(keyhash.XX64)
	hashes := make([]uint64, 100_000)
	for range 2 {
		b.AddHashes(hashes)
		b.AddColumn(keyhash.Values(hashes[:5000]))
		for range 3 {
			b.Add(nil)
			b.AddHash(7)
		}
		if b.AddKeys([][]byte{{1}, {1}}); b.Len() != 105_008 || b.SizeBytes() != 6 {
			t.Errorf("%d keys, %d bytes", b.Len(), b.SizeBytes())
		}
		dst, err := b.AppendFinish([]byte("dst"))
		if want := append([]byte("dst"), 0, 0, 0, 0, 0, 0); err != nil || !bytes.Equal(dst, want) || b.Len() != 0 {
			t.Errorf("%q, %v, %d keys left", dst, err, b.Len())
		}
	}
	if allocs := testing.AllocsPerRun(5, func() { b.AddHashes(hashes); b.Reset() }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestMostMillibits searches the most bits per key.
func TestMostMillibits(t *testing.T) {
	for _, most := range []int{0, 1, 1000, 23_456, 99_999, 100_000} {
		if got := MostMillibits(func(millibits int) bool { return millibits <= most }); got != most {
			t.Errorf("%d, want %d", got, most)
		}
	}
	if got := MostMillibits(func(int) bool { return true }); got != 1000*MostBitsPerKey {
		t.Errorf("%d where everything fits", got)
	}
}

// TestMostInOrder is the number of hashes that stay in order, by the size of their filter.
func TestMostInOrder(t *testing.T) {
	layOut := (&pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}).layOut
	blocks := NewBlocks(layOut, &Options{})
	if alone, shared := blocks.MostInOrder(1), blocks.MostInOrder(2); alone != 4<<20 || shared != 1<<20 {
		t.Errorf("%d for a goroutine, %d for two", alone, shared)
	}
	blocks = NewBlocks(layOut, Apply([]func(*Options){WithListsFrom(1000)}))
	if alone, shared := blocks.MostInOrder(1), blocks.MostInOrder(2); alone != 480 || shared != 480 {
		t.Errorf("from 1000 bytes: %d and %d", alone, shared)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
