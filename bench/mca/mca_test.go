package main

import (
	"fmt"
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
