//go:build mca

package main

import (
	"os"
	"strings"
	"testing"
)

// TestKernels finds and estimates every kernel, on one processor. Near ones prefetch nothing, far ones at least
// a line for each key, as the page says. The committed page has them all.
func TestKernels(t *testing.T) {
	if _, err := llvm(); err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../mca.md")
	if err != nil {
		t.Fatal(err)
	}
	functions, err := disassembled()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kernels {
		if !strings.Contains(string(committed), "\n| "+k.String()+" | ") {
			t.Errorf("mca.md has no %s (make mca writes it again)", k)
		}
		walked, err := k.walk(functions[k.function])
		if err != nil {
			t.Errorf("%s: %v", k, err)
			continue
		}
		prefetches := shapeOf(walked)["prfm"]
		if strings.HasSuffix(k.name, "near") && prefetches > 0 || strings.HasSuffix(k.name, "far") && prefetches < k.keys {
			t.Errorf("%s: %d prefetches for %d keys", k, prefetches, k.keys)
		}
		c, err := cycles(text(walked), len(walked), processors[0])
		if c /= float64(k.keys); err != nil || c < 0.1 || c > 1000 {
			t.Errorf("%s: %v cycles, %v", k, c, err)
		}
	}

	for _, l := range triedLoops {
		if !strings.Contains(string(committed), "\n| "+l.name+" | ") {
			t.Errorf("mca.md has no %s (make mca writes it again)", l.name)
		}
		loop, instructions, err := l.read()
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := cycles(loop, instructions, processors[0]); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
	}

	// A loop that can be done in the head. LLVM's model of Neoverse N1 takes a multiplication by an element for
	// a simpler one.
	known, err := parseDisassembly("10 <f>:\n 10:\tmul\tv1.4s, v0.4s, v2.s[1]\n 14:\tmul\tv3.4s, v0.4s, v2.s[3]\n 18:\tb.ne\t0x10\n")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := cycles(text(known["f"]), 3, "neoverse-n1"); err != nil || c < 3.96 || c > 4.04 {
		t.Errorf("%v cycles, error %v, want 4", c, err)
	}
}
