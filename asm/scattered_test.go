package asm

import (
	"slices"
	"testing"
)

func TestScatteredKeysAreTold(t *testing.T) {
	memory := make([]byte, 1<<20)
	spread := func(n, step int) (keys [][]byte) {
		for i := range n {
			keys = append(keys, memory[i*step:][:16])
		}
		return keys
	}
	backwards := spread(64, 4097)
	slices.Reverse(backwards)
	for what, c := range map[string]struct {
		keys [][]byte
		want bool
	}{
		"none":                        {nil, false},
		"seven":                       {spread(7, 1<<16), false},
		"eight":                       {spread(8, 1<<16), true},
		"one behind the other":        {spread(64, 16), false},
		"a page apart":                {spread(64, 4096), false},
		"more than a page apart":      {spread(64, 4097), true},
		"the same, backwards":         {backwards, true},
		"only the first":              {append(spread(1, 0), slices.Repeat([][]byte{memory[1<<19:]}, 8)...), true},
		"only the last":               {append(slices.Repeat([][]byte{memory[1<<19:]}, 8), memory), true},
		"empty, of the same memory":   {slices.Repeat([][]byte{memory[:0]}, 9), false},
		"nil":                         {make([][]byte, 9), false},
		"nil between those of memory": {slices.Repeat([][]byte{nil, memory}, 5), true},
	} {
		if got := scattered(c.keys); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
		touch(c.keys) // must not mind empty ones
	}
}
