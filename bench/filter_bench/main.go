// Command filter_bench builds filters over real keys, asks them, and prints how
// large they are and how often they err.
//
// The keys are the distinct lines of Go's own source tree, which every machine
// with Go has. Every second line is added, the others are asked.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/simdbloom/simdbloom/cpu"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "filter_bench:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := cpu.Problem(); err != nil {
		fmt.Fprintln(os.Stderr, "filter_bench:", err)
	}
	root, err := goroot()
	if err != nil {
		return err
	}
	keys, err := distinctLines(root)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s/%s, a machine of level %s; the kernels are plain Go so far\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, cpu.Machine())
	var added, absent [][]byte
	for i, key := range keys {
		if i%2 == 0 {
			added = append(added, key)
		} else {
			absent = append(absent, key)
		}
	}
	fmt.Printf("keys: the %d distinct lines of the Go files in %s, every second one added, %d others asked\n\n",
		len(keys), root, len(absent))
	var results []result
	for _, c := range contenders {
		r, err := c.measure(added, absent)
		if err != nil {
			return fmt.Errorf("%s: %w", c.policy, err)
		}
		results = append(results, r)
	}
	printTable(os.Stdout, results)
	for _, r := range results {
		if r.falseNegatives > 0 {
			return fmt.Errorf("%s lost %d keys", r.policy, r.falseNegatives)
		}
	}
	return nil
}
