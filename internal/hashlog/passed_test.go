package hashlog

import (
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestPassedOnTogether: hashes are passed on a thousand at a time, also if they come one by one, and by Flush all that
// are left. One that equals the newest is dropped after Flush, too.
func TestPassedOnTogether(t *testing.T) {
	l := New(math.MaxInt, 1)
	var got []uint64
	calls := 0
	l.PassOn(func(hashes []uint64) {
		if calls++; len(hashes) == 0 {
			t.Error("no hashes are passed on")
		}
		got = append(got, hashes...)
	})
	for _, hashes := range [][]uint64{{1, 2, 3}, {3}, {3, 3}, {2}} {
		l.AddAll(hashes)
		l.Add(hashes[len(hashes)-1])
		l.Flush()
		l.Flush()
	}
	if want := []uint64{1, 2, 3, 2}; !slices.Equal(got, want) || l.Len() != len(want) {
		t.Errorf("%d are passed on, and counted as %d, want %d", got, l.Len(), want)
	}
	const n = 100_000
	hashes := vectors.Hashes(1, n)
	for _, add := range []func(){func() { l.AddAll(hashes) }, func() {
		for _, hash := range hashes {
			l.Add(hash)
		}
	}} {
		l.Reset()
		got, calls = nil, 0
		if add(); len(got) < n-passed || calls > n/1000 {
			t.Errorf("%d of %d hashes are passed on by %d calls", len(got), n, calls)
		}
	}
}

// TestMixInLists: hashes are mixed where they are in lists, and chosen by those bits.
func TestMixInLists(t *testing.T) {
	const by = 0xfedcba9876543210
	xor := func(dst, hashes []uint64) {
		for i, hash := range hashes {
			dst[i] = hash ^ by
		}
	}
	l := New(0, 1)
	l.MixInLists(Mix{Do: xor, Undo: xor})
	hashes := vectors.Hashes(1, 3000)
	l.AddAll(hashes)
	l.Flush()
	var got []uint64
	for list := range Lists {
		for some := range l.List(list) {
			for _, hash := range some {
				if fallback.ListOf(hash) != list {
					t.Fatalf("%#x is in list %d", hash, list)
				}
				got = append(got, hash^by)
			}
		}
	}
	if vectors.SumOf(got) != vectors.SumOf(hashes) {
		t.Errorf("%d other hashes are in lists", len(got))
	}
}

// TestTryAdd stores hashes where there is room, and equal ones and the first are for Add.
func TestTryAdd(t *testing.T) {
	l := newLinear()
	for i, c := range []struct {
		hash uint64
		try  bool
	}{{1, false}, {2, true}, {2, false}, {3, true}} {
		if got := l.TryAdd(c.hash); got != c.try {
			t.Errorf("hash %d: %v", i, got)
		} else if !got {
			l.Add(c.hash)
		}
	}
	if want := []uint64{1, 2, 3}; !slices.Equal(contents(l), want) {
		t.Errorf("%d, want %d", contents(l), want)
	}
	l.Begin()
	if l.TryAdd(4) {
		t.Error("a hash is added to a log that is in use")
	}
	l.End()
}
