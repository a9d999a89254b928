package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A mutant can only be found by the tests that reach it. Each test is run alone once, without a mistake, to see which
// mutants those are, and how much processor time it takes. That limits the time of a mutant's tests, however busy the
// machine is.

// reaching is a test in one of the programs.
type reaching struct {
	program int
	name    string
	takes   time.Duration
	numbers map[int]bool // of the mutants
}

// measure runs each test of the programs. Some may fail there, such as those of allocated memory. Those that take much
// more time than a mutant has are left out.
func (r *runner) measure(ctx context.Context, p *pkg, built *programs, folder string) error {
	built.failing = make([][]string, len(p.tests))
	if built.longest = r.budget; r.long {
		built.longest = time.Hour
	}
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
			most := int(2*built.longest/time.Second) + 1
			command := r.limited(ctx, tests, most, built.files[i], r.short(), "-test.run="+only(name))
			command.Env = append(command.Env, "SIMDBLOOM_REACHED="+numbers)
			found, _, err := r.verdict(command)
			if err != nil || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			if found == timedOut {
				built.tooLong = append(built.tooLong, name)
				continue
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
	slices.SortStableFunc(built.tests, func(a, b *reaching) int { // the package's own first
		return cmp.Or(cmp.Compare(min(a.program, 1), min(b.program, 1)), cmp.Compare(a.takes, b.takes))
	})
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
		if of(t) && (t.takes <= left || tests == nil) {
			left -= t.takes
			tests = append(tests, t)
		}
	}
	return tests
}

// timeOf returns the time that tests take.
func timeOf(tests []*reaching) (sum time.Duration) {
	for _, t := range tests {
		sum += t.takes
	}
	return sum
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

// runPrograms runs the tests that reach a mutant in the programs that have it: first those that found most mistakes in
// the same function, then those that together take a fifth of the time, then the others. If no test reaches the mutant,
// it survives.
func (r *runner) runPrograms(ctx context.Context, p *pkg, built *programs, m *mutant) (result, error) {
	number := built.numbers[m]
	tests := built.shortest(func(t *reaching) bool { return t.numbers[number] })
	fifth := timeOf(tests) / 5
	best := built.best(m, tests)
	tests = slices.DeleteFunc(slices.Clone(tests), func(t *reaching) bool { return slices.Contains(best, t) })
	short := 0
	for short < len(tests) && timeOf(tests[:short+1]) <= fifth {
		short++
	}
	for _, part := range [][]*reaching{best, tests[:short], tests[short:]} {
		seconds := 2 + int(3*timeOf(part)/time.Second)
		for i, names := range built.names(part) {
			if len(names) == 0 {
				continue
			}
			command := r.limited(ctx, p.tests[i], seconds, built.files[i], r.short(), "-test.failfast",
				"-test.run="+only(names...), "-test.timeout="+(90*time.Second+20*timeOf(part)).String())
			command.Env = append(command.Env, "SIMDBLOOM_MUTANT="+strconv.Itoa(number))
			found, out, err := r.verdict(command)
			if found == killed {
				built.remember(m, i, out)
			}
			if found != survived || err != nil {
				return found, err
			}
		}
	}
	return survived, nil
}

// limited returns a command that the system ends after some seconds of the processor.
func (r *runner) limited(ctx context.Context, folder string, seconds int, args ...string) *exec.Cmd {
	return r.command(ctx, folder, "sh", append([]string{"-c", `ulimit -t "$1"; shift; exec "$@"`, "sh", strconv.Itoa(seconds)}, args...)...)
}

// failed are the names of tests that fail.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// remember counts the test that found a mistake in a function.
func (b *programs) remember(m *mutant, program int, out []byte) {
	name := failed.FindSubmatch(out)
	if name == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tests {
		if t.program == program && t.name == string(name[1]) {
			of := m.file + ": " + m.function
			if b.found[of] == nil {
				b.found[of] = map[*reaching]int{}
			}
			b.found[of][t]++
		}
	}
}

// best returns those two of the tests that found most mistakes in the mutant's function.
func (b *programs) best(m *mutant, tests []*reaching) []*reaching {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := b.found[m.file+": "+m.function]
	best := slices.DeleteFunc(slices.Clone(tests), func(t *reaching) bool { return found[t] == 0 })
	slices.SortStableFunc(best, func(a, b *reaching) int { return cmp.Compare(found[b], found[a]) })
	return best[:min(len(best), 2)]
}
