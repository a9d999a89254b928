package asm_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
)

// TestMain says why the kernels under test may not be those that were asked for. Lower
// levels are tested at length where none is lowered, each of them.
func TestMain(m *testing.M) {
	slow = slow || os.Getenv(cpu.Variable) != "" || strings.Contains(os.Getenv("GODEBUG"), "cpu.")
	if err := cpu.Problem(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(m.Run())
}
