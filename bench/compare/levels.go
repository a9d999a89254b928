package main

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/cpu"
)

var allLevels = []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON}

// machineLevels lists the levels that this process may run.
func machineLevels() string {
	var names []string
	for _, level := range allLevels {
		if cpu.Current().Includes(level) {
			names = append(names, level.String())
		}
	}
	return strings.Join(names, ",")
}

func parseLevel(name string) (cpu.Level, error) {
	if name == "best" {
		return cpu.Current(), nil
	}
	for _, level := range allLevels {
		if level.String() == name && cpu.Current().Includes(level) {
			return level, nil
		}
	}
	return 0, fmt.Errorf("%q is not one of this machine's levels: %s", name, machineLevels())
}
