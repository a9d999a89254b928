package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A mutant can only be found by the tests that reach it. Each test is run alone once, without a mistake, to see which
// mutants those are, and what time of the processor it takes, by which the time of a mutant's tests is limited: that
// does not depend on what else the machine does.

// longest is the time of all tests of a mutant: the shortest of those that reach it, with -short. With -long, all are
// run.
const longest = 4 * time.Second

// reaching is a test in one of the programs.
type reaching struct {
	program int
	name    string
	takes   time.Duration
	numbers map[int]bool // of the mutants
}

// measure runs each test of the programs. Some may fail there, such as those of allocated memory.
func (r *runner) measure(ctx context.Context, p *pkg, built *programs, folder string) error {
	built.failing = make([][]string, len(p.tests))
	for i, tests := range p.tests {
		listed, err := r.command(ctx, tests, built.files[i], "-test.list=.").Output()
		if err != nil {
			return fmt.Errorf("the list of the tests: %w", err)
		}
		for _, name := range strings.Fields(string(listed)) {
			if strings.HasPrefix(name, "Benchmark") {
				continue
			}
			numbers := filepath.Join(folder, "reached")
			if err := os.WriteFile(numbers, nil, 0o666); err != nil {
				return err
			}
			command := r.command(ctx, tests, built.files[i], r.short(), "-test.run="+only(name))
			command.Env = append(command.Env, "SIMDBLOOM_REACHED="+numbers)
			found, _, err := verdict(command)
			if err != nil || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			if found != survived {
				built.failing[i] = append(built.failing[i], name)
				continue
			}
			one := &reaching{program: i, name: name, numbers: map[int]bool{}}
			one.takes = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
			reached, err := os.ReadFile(numbers)
			if err != nil {
				return err
			}
			for _, word := range bytes.Fields(reached) {
				if n, err := strconv.Atoi(string(word)); err == nil {
					one.numbers[n] = true
				}
			}
			built.tests = append(built.tests, one)
		}
	}
	slices.SortStableFunc(built.tests, func(a, b *reaching) int { return cmp.Compare(a.takes, b.takes) })
	built.longest = longest
	if r.long {
		built.longest = time.Hour
	}
	built.apart = built.names(built.shortest(func(*reaching) bool { return true }))
	for i, names := range built.failing {
		built.apart[i] = append(built.apart[i], names...)
	}
	return nil
}

// shortest returns those of the tests that are run.
func (b *programs) shortest(of func(*reaching) bool) (tests []*reaching) {
	left := b.longest
	for _, t := range b.tests {
		if of(t) {
			if left -= t.takes; left < 0 && tests != nil {
				break
			}
			tests = append(tests, t)
		}
	}
	return tests
}

// names returns tests by package.
func (b *programs) names(tests []*reaching) [][]string {
	names := make([][]string, len(b.files))
	for _, t := range tests {
		names[t.program] = append(names[t.program], t.name)
	}
	return names
}

// some reports whether there are names.
func some(names [][]string) bool { return len(slices.Concat(names...)) > 0 }

func (r *runner) short() string { return fmt.Sprintf("-test.short=%v", !r.long) }

// only is the expression for tests with these names.
func only(names ...string) string { return "^(" + strings.Join(names, "|") + ")$" }

// runPrograms runs the tests that reach a mutant in the programs that have it: first those that together take a fifth
// of the time, then the others. If no test reaches the mutant, it survives.
func (r *runner) runPrograms(ctx context.Context, p *pkg, built *programs, number int) (result, error) {
	tests := built.shortest(func(t *reaching) bool { return t.numbers[number] })
	var takes, first time.Duration
	for _, t := range tests {
		takes += t.takes
	}
	short := 0
	for short < len(tests) && first+tests[short].takes <= takes/5 {
		first += tests[short].takes
		short++
	}
	for _, part := range [][]*reaching{tests[:short], tests[short:]} {
		for i, names := range built.names(part) {
			if len(names) == 0 {
				continue
			}
			// A limit of the processor's time is the shell's, and ends the process. The other is for tests that wait.
			command := r.command(ctx, p.tests[i], "sh", "-c", `ulimit -t "$1"; shift; exec "$@"`, "sh",
				strconv.Itoa(3+int(4*takes/time.Second)), built.files[i], r.short(), "-test.failfast",
				"-test.run="+only(names...), "-test.timeout="+(90*time.Second+20*takes).String())
			command.Env = append(command.Env, "SIMDBLOOM_MUTANT="+strconv.Itoa(number))
			if found, _, err := verdict(command); found != survived || err != nil {
				return found, err
			}
		}
	}
	return survived, nil
}
