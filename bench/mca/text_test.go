package main

import (
	"slices"
	"testing"
)

func TestText(t *testing.T) {
	functions := parsed(t, rotated+branching)
	got := text(slices.Concat(functions["m.rotated"][4:7], functions["m.branching.abi0"][3:6], []instruction{
		{mnemonic: "mul", operands: "v9.4s, v21.4s, v8.s[1]"},
		{mnemonic: "mul", operands: "v9.4s, v21.4s, v10.4s"},
		{mnemonic: "mul", operands: "x7, x7, x8"},
	}))
	want := `anywhere:
	jge	anywhere
	jmp	anywhere
	imull	$0x9e3779b9, 0x100(%rip), %r9d
	tbnz	x4, #0x3f, anywhere
	prfm	pldl1keep, [x7, #0x38]
	mov	x10, #-0x8647
	mul	v9.4s, v21.4s, v8.4s
	mul	v9.4s, v21.4s, v10.4s
	mul	x7, x7, x8
`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
