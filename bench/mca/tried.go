package main

import (
	"embed"
	"fmt"
	"strings"
)

// A tried loop is in no kernel: its estimates say why not. It is text for the assembler, one iteration.
type tried struct {
	name string
	file string
	keys int // that an iteration hashes
}

//go:embed tried
var triedFiles embed.FS

var triedLoops = []tried{
	{"XX64 of keys of 16 bytes, scalar", "xx64_scalar.s", 1},
	{"XX64 of keys of 16 bytes, NEON (no kernel)", "xx64_neon.s", 2},
}

// read returns the loop, and its number of instructions.
func (l tried) read() (text string, instructions int, err error) {
	data, err := triedFiles.ReadFile("tried/" + l.file)
	if err != nil {
		return "", 0, err
	}
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "//") {
			text += line
			instructions++
		}
	}
	if instructions == 0 {
		err = fmt.Errorf("%s has no instructions", l.file)
	}
	return text, instructions, err
}
