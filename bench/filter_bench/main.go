// Command filter_bench measures filters as RocksDB's filter_bench does: its flags
// for filters, the same keys and queries in the same order, the same lines. Filters
// of the same policy being the same bytes, it also prints the same rates, digit for
// digit, for the same seed. It differs in the line that names the machine, in the predicted
// rate in release builds, and in that it builds no filter without keys, which a
// vary_key_count_ratio of 1 would call for.
//
//	filter_bench -impl=1 -bits_per_key=10
//	filter_bench -impl=0 -bits_per_key=10
//	filter_bench -impl=2 -bits_per_key=10
//	filter_bench -impl=Paired -bits_per_key=23.4 -quick
//	filter_bench -impl=simdbloom.Linear -bits_per_key=16
//
// Flags that RocksDB does not have: -table compares filters with each other over real keys, those of
// a file with -keys.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for a benchmark that failed, 2 for
// invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("filter_bench", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if s.legend {
		_, err := fmt.Fprint(stdout, legend)
		return err
	}
	fmt.Fprintln(stdout, measured.Describe())
	if s.table {
		return compare(s, stdout, stderr)
	}
	return benchmark(s, stdout)
}
