package main

import (
	"fmt"
	"regexp"
	"strings"
)

// text returns instructions for llvm-mca, which takes them one after the other
// whatever branches say. Those only have to name something.
func text(instructions []instruction) string {
	var b strings.Builder
	b.WriteString("anywhere:\n")
	for _, in := range instructions {
		operands := in.operands
		switch {
		case in.target != 0:
			operands = operands[:in.lastOperand()] + "anywhere"
		case in.mnemonic == "mul":
			operands = byVector(operands)
		}
		fmt.Fprintf(&b, "\t%s\t%s\n", in.mnemonic, operands)
	}
	return b.String()
}

var element = regexp.MustCompile(`\.s\[[0-3]\]$`)

// byVector makes a multiplication by an element of a vector one by the vector. LLVM's
// other models give both the same units and cycles, but those of Neoverse N1 and V1 list
// the latter alone (as ^MUL(v8i16|v4i32)$, where the former is MULv4i32_indexed), and so
// take the former for the simplest of vector instructions.
func byVector(operands string) string { return element.ReplaceAllString(operands, ".4s") }
