// Command mutate plants mistakes in the code, one at a time, and reports which of them the tests do not find: an
// operator or a bound that is another, a statement or an error check that is missing. It is run by hand, in the clone:
//
//	go run ./internal/test/mutate -n 20 -seed 7 . ./table ./adapters/parquet
//
// The arguments are folders of modules. In each, -n mutants are chosen at random among all lines of all packages.
// A mutant is found if the tests of its package fail, or, of a package without tests, those of the packages that import
// it. The clone stays as it is: the go command reads the changed file from elsewhere (-overlay).
//
// A mutant that survives is equivalent to the code, or there is a test to be written.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"
)

// count counts the fates of a module's mutants.
type count struct{ planted, found, timedOut, survived, invalid int }

func main() {
	n := flag.Int("n", 10, "mutants for each module")
	seed := flag.Uint64("seed", 1, "seed of the choice")
	only := flag.String("only", "", "take only lines whose place, such as internal/stored/pieces.go:60 from the module on, matches this regular expression")
	generated := flag.Bool("generated", false, "take generated files, too")
	list := flag.Bool("list", false, "print the mutants, and test none")
	r := &runner{}
	flag.BoolVar(&r.short, "short", false, "run the tests with -short")
	flag.DurationVar(&r.most, "timeout", 2*time.Minute, "what the tests of a package may take, without compiling; a mutant that makes them take longer is found")
	flag.Parse()
	modules := flag.Args()
	if len(modules) == 0 {
		modules = []string{"."}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	counts := make([]count, len(modules))
	for i, module := range modules {
		mutants, err := mutantsOf(ctx, module, *only, *generated)
		if err == nil {
			random := rand.New(rand.NewPCG(*seed, uint64(len(mutants))))
			random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
			err = r.module(ctx, &counts[i], mutants, *n, *list)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "mutate: %s: %v\n", module, err)
			os.Exit(1)
		}
	}
	if *list {
		return
	}
	fmt.Println()
	rows := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(rows, "module\tmutants\tfound\tof these, by the time\tsurvived\tnot compiled")
	for i, c := range counts {
		fmt.Fprintf(rows, "%s\t%d\t%d\t%d\t%d\t%d\n", modules[i], c.planted, c.found, c.timedOut, c.survived, c.invalid)
	}
	rows.Flush()
}

// module tests the first n mutants that compile.
func (r *runner) module(ctx context.Context, c *count, mutants []mutant, n int, list bool) error {
	for _, m := range mutants {
		if c.planted == n || ctx.Err() != nil {
			break
		}
		if list {
			fmt.Println(m)
			c.planted++
			continue
		}
		begun := time.Now()
		result, err := r.test(ctx, m)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		if result == invalid {
			c.invalid++
			continue
		}
		c.planted++
		switch result {
		case survived:
			c.survived++
		case timedOut:
			c.timedOut++
			fallthrough
		default:
			c.found++
		}
		fmt.Printf("%-8v  %v  (%.0f s)\n", result, m, time.Since(begun).Seconds())
	}
	return nil
}
