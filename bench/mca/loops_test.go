package main

import (
	"slices"
	"strings"
	"testing"
)

func TestLoops(t *testing.T) {
	functions := parsed(t, rotated+branching)
	for _, c := range []struct {
		function string
		want     []string
	}{
		{"m.rotated", []string{"04 10 14 18 20 24 28 2c", "20 24 28"}},
		// Not the one that calls, which is no loop but grows the stack: its head is another's.
		{"m.branching.abi0", []string{"00 04 08 0c 10 14 18 1c 20 24 28", "14 18 1c"}},
		{"m.none", nil},
	} {
		var got []string
		for _, l := range loops(functions[c.function]) {
			got = append(got, listing(l))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}

func TestLoopOfAShape(t *testing.T) {
	function := parsed(t, rotated)["m.rotated"]
	for _, c := range []struct {
		shape shape
		head  uint64 // or 0 for an error
	}{
		{shape{"cmpq": 2}, 0x1004},
		{shape{"cmpq": 1}, 0x1020},
		{shape{"cmpq": 1, "addq": 0}, 0x1020},
		{shape{"imull": 1}, 0},
		{shape{"imull": 2}, 0},
	} {
		switch l, err := loopOf(function, c.shape); {
		case c.head == 0 && (err == nil || !strings.Contains(err.Error(), "0x1020, 3 instructions: imull:1 cmpq:1 jg:1")):
			t.Errorf("%v: %v, error %v", c.shape, l, err)
		case c.head != 0 && (err != nil || l.head() != c.head):
			t.Errorf("%v: %v, error %v", c.shape, l, err)
		}
	}
}
