package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
)

const (
	megabyte = 1 << 20
	rule     = "----------------------------\n"
)

// writef is Fprintf with every float64 as C++ prints it: six digits.
func writef(w io.Writer, format string, args ...any) {
	for i, arg := range args {
		if x, ok := arg.(float64); ok {
			args[i] = six(x)
		}
	}
	fmt.Fprintf(w, format, args...)
}

func six(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
