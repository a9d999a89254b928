package asm_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
)

// TestMain says why the kernels under test may not be those that were asked for.
func TestMain(m *testing.M) {
	if err := cpu.Problem(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(m.Run())
}
