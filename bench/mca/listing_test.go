package main

import (
	"fmt"
	"strings"
	"testing"
)

// Functions as llvm-objdump prints them.
const (
	// A loop inside a loop as the compiler arranges them: entered where they are tested.
	rotated = `
prog:	file format elf64-x86-64

Disassembly of section .text:

0000000000001000 <m.rotated>:
    1000:      	xorl	%ecx, %ecx
    1002:      	jmp	0x1010 <m.rotated+0x10>
    1004:      	addq	$0x8, %rax # imm = 0x8
    1010:      	cmpq	%rax, %rbx
    1014:      	jge	0x1040 <m.rotated+0x40>
    1018:      	jmp	0x1024 <m.rotated+0x24>
    1020:      	imull	$0x9e3779b9, 0x100(%rip), %r9d # 0x1128 <m.phi>
    1024:      	cmpq	%rcx, %rdx
    1028:      	jg	0x1020 <m.rotated+0x20>
    102c:      	jmp	0x1004 <m.rotated+0x4>
    1040:      	retq
    1041:      	int3
		...
`
	// A loop with two sections that need not run, a loop inside that runs at least
	// once, and a jump back from behind the return.
	branching = `
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
    2024:      	subs	x3, x3, #0x10
    2028:      	b.ne	0x2000 <m.branching.abi0>
    202c:      	ret
    2030:      	bl	0x3000 <m.grow>
    2034:      	b	0x2000 <m.branching.abi0>
`
)

func parsed(t *testing.T, text string) map[string][]instruction {
	t.Helper()
	functions, err := parseDisassembly(text)
	if err != nil {
		t.Fatal(err)
	}
	return functions
}

func TestDisassembly(t *testing.T) {
	functions := parsed(t, rotated+branching)
	if len(functions) != 2 || len(functions["m.rotated"]) != 12 || len(functions["m.branching.abi0"]) != 14 {
		t.Errorf("functions %v", functions)
	}
	for _, c := range []struct {
		function string
		index    int
		want     instruction
	}{
		{"m.rotated", 0, instruction{0x1000, "xorl", "%ecx, %ecx", 0}},
		{"m.rotated", 1, instruction{0x1002, "jmp", "0x1010", 0x1010}},
		{"m.rotated", 2, instruction{0x1004, "addq", "$0x8, %rax", 0}},
		{"m.rotated", 6, instruction{0x1020, "imull", "$0x9e3779b9, 0x100(%rip), %r9d", 0}},
		{"m.rotated", 10, instruction{0x1040, "retq", "", 0}},
		{"m.branching.abi0", 3, instruction{0x200c, "tbnz", "x4, #0x3f, 0x2014", 0x2014}},
		{"m.branching.abi0", 5, instruction{0x2014, "mov", "x10, #-0x8647", 0}},
		{"m.branching.abi0", 12, instruction{0x2030, "bl", "0x3000", 0}},
	} {
		if got := functions[c.function][c.index]; got != c.want {
			t.Errorf("%s, %d: %v, want %v", c.function, c.index, got, c.want)
		}
	}
}

func TestJumpToNobodyKnowsWhere(t *testing.T) {
	_, err := parseDisassembly("0 <m.f>:\n  10: \tjmpq\t*%rax\n")
	if err == nil || !strings.Contains(err.Error(), "m.f") {
		t.Error(err)
	}
}

// listing returns the addresses of instructions, without what they have in common.
func listing(instructions []instruction) string {
	var b strings.Builder
	for _, in := range instructions {
		fmt.Fprintf(&b, " %02x", in.address&0xff)
	}
	return strings.TrimSpace(b.String())
}
