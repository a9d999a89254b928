package asm_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
)

// TestMain says why other kernels may be tested than SIMDBLOOM_CPU names. Without it, and
// without -short, every lower level is tested at length.
func TestMain(m *testing.M) {
	flag.Parse()
	slow = slow || testing.Short() || strconv.IntSize == 32 || os.Getenv(cpu.Variable) != "" || strings.Contains(os.Getenv("GODEBUG"), "cpu.")
	if err := cpu.Problem(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(m.Run())
}
