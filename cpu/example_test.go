package cpu_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
)

// A machine with AVX-512 also runs the kernels for AVX2, and every machine runs pure Go.
func ExampleLevel_Includes() {
	fmt.Println(cpu.AVX512.Includes(cpu.AVX2), cpu.AVX2.Includes(cpu.AVX512), cpu.NEON.Includes(cpu.Generic))
	// Output: true false true
}

// A test compares the kernels of this machine with pure Go.
func ExampleLimit() {
	restore := cpu.Limit(cpu.Generic)
	defer restore()
	fmt.Println(cpu.Current())
	// Output: generic
}
