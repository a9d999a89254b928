// Command mutate plants mistakes in the code, one at a time, and reports which of them the tests do not find: an
// operator or a bound that is another, a statement or a check that is missing, an error that is dropped.
//
//	make mutants PACKAGES="filterfile table cmd/simdbloom/internal/keys"
//
// The arguments are folders of packages, of any module; without them, every package is taken that is made of Go
// alone and that users can reach. One mutant of each line is run, by a hash of its name, so always the same one, or all
// of them with ALL=1. SAMPLE=8 runs every eighth of these, and SAMPLE=4 later these and as many others. LONG=1 runs
// those that survived again, by all tests, without -short. TOGETHER=1 leaves out those that would be compiled alone,
// most of them constants: some 3 % of the mutants, and half of the time. ESTIMATE=1 tells what time mutants will take.
//
// The clone stays as it is: the go command reads the changed file from elsewhere (-overlay). Published tools copy a
// module to change it, where the clone's replacements of other modules lead nowhere, compile it for each mutant, and
// take a change that does not compile for one that a test found.
//
// Most mutants of a package are compiled into one program, which runs one of them at a time, the others one by one.
// The tests that reach a mutant are run, and of these first the ones that found most mistakes in its function. It is
// killed if one fails, of its package or of others that test it (testedBy). Mutants that run out of time are listed
// apart: no test says what is wrong. One that survives is equivalent to the code, or there is a test to be written.
// File survivors.txt has those that are left, with the reason; any other is a failure, exit status 1.
//
// A mutant may change any file that its user may: as root, one replaced /dev/null. Another user, or a container, is
// safer.
//
// Folder .mutants in the clone remembers results. A package whose files, tests and dependencies in the clone are the
// same as then is not run again; if only its own files are the same, its survivors are.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	list := flag.Bool("list", false, "print the mutants, and test none")
	again := flag.Bool("again", false, "forget the results of earlier runs")
	all := flag.Bool("all", false, "run all mutants of a line, instead of one")
	every := flag.Uint64("every", 1, "run a sample: one mutant in this number, always the same ones")
	long := flag.Bool("long", false, "run all tests of a mutant, without -short, also of those that survived before")
	budget := flag.Duration("budget", 8*time.Second, "of the processor, for the tests of a mutant: the shortest ones")
	together := flag.Bool("together", false, "run only mutants that one program has, and none that is compiled alone")
	retry := flag.Bool("retry", false, "run those that survived before again, such as with another budget")
	estimates := flag.Bool("estimate", false, "compile mutants and run the tests once, to tell what time the mutants will take")
	workers := flag.Int("workers", runtime.NumCPU(), "mutants at the same time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := run(ctx, flag.Args(), &runner{again: *again, all: *all, long: *long, every: *every, budget: *budget, retry: *retry, together: *together, estimates: *estimates, workers: *workers}, *list)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run reports whether all survivors are known.
func run(ctx context.Context, folders []string, r *runner, list bool) (bool, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Root}}", "github.com/simdbloom/simdbloom").Output()
	if err != nil {
		return false, fmt.Errorf("the clone's folder: %w", err)
	}
	clone := strings.TrimSpace(string(out))
	packages, err := packagesIn(ctx, clone, folders)
	if err != nil {
		return false, err
	}
	if list {
		for _, p := range packages {
			for _, m := range p.mutants {
				fmt.Println(m.id)
			}
		}
		return true, nil
	}
	known, err := readSurvivors(filepath.Join(clone, "internal/test/mutate/survivors.txt"))
	if err != nil {
		return false, err
	}
	r.clone, r.memory, r.known = clone, filepath.Join(clone, ".mutants"), known
	if !r.together {
		r.cache = filepath.Join(r.memory, "cache")
	}
	if r.progress, err = newProgress(r.memory, packages); err != nil {
		return false, err
	}
	defer r.progress.close()
	for _, p := range packages {
		if err := r.test(ctx, p); err != nil {
			return false, fmt.Errorf("%s: %w", p.folder, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return report(r.progress, packages, known), nil
}
