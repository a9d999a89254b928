package main

import (
	"path/filepath"
	"testing"
)

func newState(t *testing.T, keys, prefixSize int) (state *expected, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "expected")
	if err := newExpected(file, keys, prefixSize); err != nil {
		t.Fatal(err)
	}
	return openState(t, file), file
}

func openState(t *testing.T, file string) *expected {
	t.Helper()
	state, err := openExpected(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = state.close() })
	return state
}

func begin(t *testing.T, state *expected, i int, present bool) version {
	t.Helper()
	v, err := state.begin(i, present)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAnotherProcessKnowsWhatWasPending(t *testing.T) {
	state, file := newState(t, 3, 8)
	first := begin(t, state, 0, true)
	if err := state.settle(0, first); err != nil {
		t.Fatal(err)
	}
	second := begin(t, state, 0, false)
	pending := begin(t, state, 1, true)
	state.apply(1) // acknowledged, but not on disk
	after := openState(t, file)
	for i, want := range []span{{first, second}, {0, pending}, {0, 0}} {
		if got := after.since(i, after.before(i)); got != want {
			t.Errorf("key %d: %v, not %v", i, got, want)
		}
	}
	if after.prefixSize != 8 || !first.present() || second.present() || !pending.present() {
		t.Errorf("prefixes of %d bytes, versions %v, %v, %v", after.prefixSize, first, second, pending)
	}
	if _, err := after.begin(1, true); err == nil {
		t.Error("a second operation on a key with a pending one")
	}
	if _, err := openExpected(filepath.Dir(file)); err == nil {
		t.Error("opened a directory")
	}
}

func TestWhatAReadMayFind(t *testing.T) {
	put1, deleted2, put3, put4 := version(0).next(true), version(2).next(false), version(4).next(true), version(6).next(true)
	for _, c := range []struct {
		of     span
		found  version // 0: absent
		allows bool
	}{
		{span{0, 0}, 0, true},
		{span{0, 0}, put1, false},
		{span{put1, put1}, put1, true},
		{span{put1, put1}, 0, false}, // lost
		{span{put3, put3}, put1, false},
		{span{0, put1}, 0, true},
		{span{0, put1}, put1, true},
		{span{put1, deleted2}, 0, true},
		{span{put1, deleted2}, put1, true},
		{span{deleted2, deleted2}, put1, false}, // a deletion that was lost
		{span{put3, put4}, 0, false},
		{span{put3, put4}, put1, false},
		{span{put1, put3}, 0, true}, // deleted between
		{span{put1, put3}, put4, false},
	} {
		if got := c.of.allows(c.found); got != c.allows {
			t.Errorf("%v allows %v: %v", c.of, c.found, got)
		}
	}
}

func TestAPendingOperationIsResolvedByWhatIsThere(t *testing.T) {
	for _, c := range []struct {
		first, second, sees bool // present
		as                  kind
	}{
		{true, false, true, notHappened},
		{true, false, false, happened},
		{false, true, true, happened},
		{false, true, false, notHappened},
		{false, false, false, happened}, // or not: it makes no difference
	} {
		state, _ := newState(t, 1, 0)
		first := begin(t, state, 0, c.first)
		if err := state.settle(0, first); err != nil {
			t.Fatal(err)
		}
		second := begin(t, state, 0, c.second)
		seen := version(0)
		if c.sees {
			seen = map[bool]version{true: first, false: second}[c.first]
		}
		s := &store{state: state, tally: new(tally)}
		if err := s.resolve(0, seen); err != nil {
			t.Fatal(err)
		}
		want := map[kind]version{happened: second, notHappened: first}[c.as]
		if state.pending(0) || state.settled(0) != want || s.tally[c.as].Load() != 1 {
			t.Errorf("%+v: settled as %v", c, state.settled(0))
		}
	}
}
