package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// An instruction is a line of a disassembly.
type instruction struct {
	address  uint64
	mnemonic string
	operands string
	target   uint64 // where it jumps to, or 0
}

// parseDisassembly returns the instructions of each symbol in what llvm-objdump
// prints.
func parseDisassembly(text string) (map[string][]instruction, error) {
	bySymbol := make(map[string][]instruction)
	var symbol string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if header, ok := strings.CutSuffix(line, ">:"); ok {
			_, symbol, _ = strings.Cut(header, "<")
			continue
		}
		address, code, _ := strings.Cut(line, ":")
		at, err := strconv.ParseUint(address, 16, 64)
		if err != nil || symbol == "" {
			continue // what file and section it is of, or zeros between functions
		}
		in, err := parseInstruction(at, strings.TrimSpace(code))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", symbol, err)
		}
		bySymbol[symbol] = append(bySymbol[symbol], in)
	}
	return bySymbol, nil
}

func parseInstruction(address uint64, code string) (instruction, error) {
	mnemonic, operands, _ := strings.Cut(code, "\t")
	for _, explanation := range []string{" // ", " <"} {
		operands, _, _ = strings.Cut(operands, explanation)
	}
	in := instruction{address: address, mnemonic: mnemonic, operands: strings.TrimSpace(operands)}
	if !in.jumps() {
		return in, nil
	}
	var err error
	if in.target, err = strconv.ParseUint(in.operands[in.lastOperand():], 0, 64); err != nil {
		err = fmt.Errorf("%#x: %s %s jumps to an unknown address", address, mnemonic, in.operands)
	}
	return in, err
}

// lastOperand returns where the last operand begins, which is a jump's target.
func (in instruction) lastOperand() int { return strings.LastIndexByte(in.operands, ' ') + 1 }

// jumps reports whether an instruction jumps to an address that it names, and is not a call.
func (in instruction) jumps() bool {
	switch in.mnemonic {
	case "b", "cbz", "cbnz", "tbz", "tbnz":
		return true
	}
	return strings.HasPrefix(in.mnemonic, "b.")
}

// always reports whether a jump has no condition.
func (in instruction) always() bool { return in.mnemonic == "b" }

// leaves reports whether an instruction leaves the function, if only for a call.
func (in instruction) leaves() bool {
	switch in.mnemonic {
	case "bl", "blr", "br", "ret":
		return true
	}
	return false
}

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
