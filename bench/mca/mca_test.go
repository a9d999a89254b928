package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// branching is a function as llvm-objdump prints it: a loop with two sections that need not run, a loop
// inside that runs at least once, and a jump back from behind the return.
const branching = `
prog:	file format elf64-littleaarch64

0000000000002000 <m.branching.abi0>:
    2000:      	cmp	x6, #0x0
    2004:      	b.eq	0x2014 <m.branching.abi0+0x14>
    2008:      	prfm	pldl1keep, [x7]
    200c:      	tbnz	x4, #0x3f, 0x2014 <m.branching.abi0+0x14>
    2010:      	prfm	pldl1keep, [x7, #0x38]
    2014:      	mov	x10, #-0x8647           // =-34375
    2018:      	subs	x9, x9, #0x1
    201c:      	b.ne	0x2014 <m.branching.abi0+0x14>
    2020:      	cbz	x2, 0x2000 <m.branching.abi0>
    2024:      	mul	v9.4s, v21.4s, v8.s[1]
    2028:      	b.ne	0x2000 <m.branching.abi0>
    202c:      	ret
    2030:      	bl	0x3000 <m.grow>
    2034:      	b	0x2000 <m.branching.abi0>
		...
`

// TestWays walks through the loop of a known function.
func TestWays(t *testing.T) {
	functions, err := parseDisassembly(branching)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		shape shape
		way   way
		want  string // the addresses, or the error
	}{
		{shape{"prfm": 2}, way{3: 0}, "00 04 08 0c 10 14 18 1c 20 24 28"},
		{shape{"prfm": 2}, way{3: 2}, "00 04 08 0c 10 14 18 1c 14 18 1c 14 18 1c 20 24 28"},
		{shape{"prfm": 2}, way{1: 1, 3: 0}, "00 04 14 18 1c 20 24 28"},
		{shape{"prfm": 2}, way{2: 1, 3: 0}, "00 04 08 0c 14 18 1c 20 24 28"},
		{shape{"mov": 1, "prfm": 0}, way{}, "14 18 1c"},
		{shape{"prfm": 2}, way{}, "an unknown number of rounds"},
		{shape{"prfm": 2}, way{4: 1}, "of 3 branches, number 4 is to be taken"},
		{shape{"prfm": 3}, way{}, ": map[b.ne:1 mov:1 subs:1]"},
		{shape{}, way{}, "2 loops have the shape map[]"},
	} {
		walked, err := kernel{form: form{shape: c.shape, way: c.way}}.walk(functions["m.branching.abi0"])
		var got strings.Builder
		for _, in := range walked {
			fmt.Fprintf(&got, " %02x", in.address&0xff)
		}
		if err != nil {
			got.WriteString(err.Error())
		}
		if !strings.Contains(got.String(), c.want) {
			t.Errorf("%v, %v: %s, want %s", c.shape, c.way, &got, c.want)
		}
	}
	const want = "anywhere:\n\ttbnz\tx4, #0x3f, anywhere\n\tprfm\tpldl1keep, [x7, #0x38]\n\tmov\tx10, #-0x8647\n"
	if got := text(functions["m.branching.abi0"][3:6]); got != want {
		t.Errorf("llvm-mca gets %s", got)
	}
	if got := text(functions["m.branching.abi0"][9:10]); !strings.Contains(got, "v8.4s") {
		t.Errorf("llvm-mca gets %s", got)
	}
	if _, err := parseDisassembly("0 <m.f>:\n  10: \tb\tx7\n"); err == nil {
		t.Error("a jump to an unknown address is no error")
	}
}

// TestKernels finds and estimates every kernel, on one processor. Near ones prefetch nothing, far ones at least
// a line for each key, as the page says. The committed page has them all.
func TestKernels(t *testing.T) {
	_, err := llvm()
	if err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
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
		c, err := cycles(walked, processors[0])
		if c /= float64(k.keys); err != nil || c < 0.1 || c > 1000 {
			t.Errorf("%s: %v cycles, %v", k, c, err)
		}
	}

	// A loop that can be done in the head. LLVM's model of Neoverse N1 takes a multiplication by an element for
	// a simpler one.
	known, err := parseDisassembly("10 <f>:\n 10:\tmul\tv1.4s, v0.4s, v2.s[1]\n 14:\tmul\tv3.4s, v0.4s, v2.s[3]\n 18:\tb.ne\t0x10\n")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := cycles(known["f"], "neoverse-n1"); err != nil || math.Abs(c-4) > 0.04 {
		t.Errorf("%v cycles, error %v, want 4", c, err)
	}
}
