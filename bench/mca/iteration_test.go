package main

import (
	"strings"
	"testing"
)

func TestIteration(t *testing.T) {
	functions := parsed(t, rotated+branching)
	for _, c := range []struct {
		function string
		shape    shape
		way      way
		want     string
	}{
		{"m.rotated", shape{"addq": 1}, way{rounds: 1}, "04 10 14 18 24 28 20 24 28 2c"},
		{"m.rotated", shape{"addq": 1}, way{rounds: 2}, "04 10 14 18 24 28 20 24 28 20 24 28 2c"},
		{"m.rotated", shape{"addq": 0}, way{}, "20 24 28"},
		{"m.branching.abi0", shape{"prfm": 2}, way{rounds: 1}, "00 04 08 0c 10 14 18 1c 20 24 28"},
		{"m.branching.abi0", shape{"prfm": 2}, way{rounds: 3}, "00 04 08 0c 10 14 18 1c 14 18 1c 14 18 1c 20 24 28"},
		{"m.branching.abi0", shape{"prfm": 2}, way{1, []int{1}}, "00 04 14 18 1c 20 24 28"},
		{"m.branching.abi0", shape{"prfm": 2}, way{1, []int{2}}, "00 04 08 0c 14 18 1c 20 24 28"},
	} {
		l, err := loopOf(functions[c.function], c.shape)
		if err != nil {
			t.Fatal(err)
		}
		walked, err := l.iteration(c.way)
		if got := listing(walked); err != nil || got != c.want {
			t.Errorf("%s, %v: %s, want %s, error %v", c.function, c.way, got, c.want, err)
		}
	}
}

func TestNoIteration(t *testing.T) {
	at := func(address uint64, mnemonic string, target uint64) instruction {
		return instruction{address: address, mnemonic: mnemonic, target: target}
	}
	for _, c := range []struct {
		why  string
		loop loop
		way  way
	}{
		{"an unknown number of rounds", loop{at(1, "nop", 0), at(2, "nop", 0), at(3, "jne", 2), at(4, "jne", 1)}, way{}},
		{"leads out of the loop", loop{at(1, "nop", 0), at(2, "jmp", 9), at(3, "jne", 1)}, way{}},
		{"does not come back", loop{at(1, "nop", 0), at(2, "nop", 0), at(3, "jmp", 2), at(4, "jne", 1)}, way{}},
		{"of 1 branches forwards", loop{at(1, "nop", 0), at(2, "je", 3), at(3, "jne", 1)}, way{taken: []int{2}}},
		{"of 1 branches forwards", loop{at(1, "nop", 0), at(2, "je", 3), at(3, "jne", 1)}, way{taken: []int{0}}},
	} {
		if walked, err := c.loop.iteration(c.way); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%v: %s, error %v, want %q", c.loop, listing(walked), err, c.why)
		}
	}
}
