package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// result is the tests' verdict on a mutant.
type result string

const (
	killed   result = "killed"
	timedOut result = "timed out"
	survived result = "survived"
	invalid  result = "not compiled"
)

// runner tests packages.
type runner struct {
	clone     string
	memory    string // a folder
	cache     string // the go command's, emptied of mutants, of which each leaves a megabyte; if "", its usual one
	again     bool
	budget    time.Duration // of the processor, for the tests of a mutant, the shortest of those that reach it
	long      bool          // all tests are run, without -short
	retry     bool          // those that survived before are run again
	workers   int
	all       bool              // of a line, and not one
	every     uint64            // one in this number of mutants is run
	together  bool              // none that is compiled alone is run
	known     map[string]string // survivors, which are run last
	spent     atomic.Int64      // nanoseconds of the processor, by the tests
	estimates bool              // nothing is run
	progress  *progress
}

// test runs the tests of those mutants of a package that are not remembered, and stores the results as they come.
func (r *runner) test(ctx context.Context, p *pkg) (err error) {
	memory, err := r.recall(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, memory.Close()) }()
	var left []*mutant
	for _, m := range p.mutants {
		if m.result == "" && (m.first || r.all) && m.hash()%max(r.every, 1) == 0 && !(r.together && m.edits == nil) {
			left = append(left, m)
		}
	}
	r.progress.begin(p, len(left))
	if len(left) == 0 {
		return nil
	}
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	built, err := r.build(ctx, p, left, folder)
	if err != nil {
		return err
	}
	if built == nil {
		r.progress.note("%s: no mutants compile in one program", p.folder)
		built = &programs{}
	} else if err := r.measure(ctx, p, built, folder); err != nil {
		return err
	} else {
		r.progress.note("%s: %d of %d mutants are in one program; tests that fail in it: %s; that take too long: %s",
			p.folder, len(built.numbers), len(p.mutants), built.failing, built.tooLong)
	}
	left = slices.DeleteFunc(left, func(m *mutant) bool {
		if m.never {
			err = errors.Join(err, r.progress.done(m, invalid, memory))
		}
		return m.never || r.together && built.numbers[m] == 0
	})
	if err != nil {
		return err
	}
	r.order(left, built)
	if r.progress.expect(p, len(left), r.estimate(left, built)); r.estimates {
		return nil
	}
	most := time.Hour
	if alone := func(m *mutant) bool { return built.numbers[m] == 0 }; some(built.failing) && !r.together || slices.ContainsFunc(left, alone) {
		begun := time.Now()
		found, out, err := r.goTest(ctx, p, "", built.apart, most)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil || found != survived {
			return errors.Join(fmt.Errorf("the tests fail without any mistake:\n%s", out), err)
		}
		most = 90*time.Second + 5*time.Since(begun)
	}
	if r.cache != "" {
		cached, failed := filesIn(r.cache) // what the tests depend on
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, removeOthers(r.cache, cached)) }()
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan *mutant)
	var working sync.WaitGroup
	for range r.workers {
		working.Add(1)
		go func() {
			defer working.Done()
			for m := range next {
				found, err := r.mutant(ctx, p, m, built, most)
				if ctx.Err() != nil { // an interrupt fails tests, too
					continue
				}
				if err == nil {
					err = r.progress.done(m, found, memory)
				}
				if err != nil {
					cancel(err)
				}
			}
		}()
	}
	for _, m := range left {
		select {
		case next <- m:
		case <-ctx.Done():
		}
	}
	close(next)
	working.Wait()
	r.progress.note("%s: %.0f s of the processor for tests", p.folder, time.Duration(r.spent.Swap(0)).Seconds())
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// mutant runs the tests with one line changed.
func (r *runner) mutant(ctx context.Context, p *pkg, m *mutant, built *programs, most time.Duration) (_ result, err error) {
	tests := built.apart
	if built.numbers[m] != 0 {
		found, err := r.runPrograms(ctx, p, built, m)
		if tests = built.failing; found != survived || err != nil || !some(tests) || r.together {
			return found, err
		}
	}
	temporary, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	file := filepath.Join(r.clone, filepath.FromSlash(m.file))
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(temporary, filepath.Base(file)), filepath.Join(temporary, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(changed, m.in(source), 0o666), os.WriteFile(overlay, replaced, 0o666)); err != nil {
		return "", err
	}
	found, _, err := r.goTest(ctx, p, overlay, tests, most)
	return found, err
}

// goTest runs the tests of a package, one package of tests after the other until one fails: those that are named by
// package, or all if names is nil.
func (r *runner) goTest(ctx context.Context, p *pkg, overlay string, names [][]string, most time.Duration) (_ result, outs []byte, err error) {
	for i, tests := range p.tests {
		run := "."
		if names != nil {
			if run = only(names[i]...); len(names[i]) == 0 {
				continue
			}
		}
		found, out, err := r.verdict(r.command(ctx, tests, "go", "test", "-vet=off", "-count=1", "-failfast", r.short(), "-run="+run,
			"-ldflags=-w", "-timeout="+most.String(), "-overlay="+overlay, "."))
		if outs = append(outs, out...); found != survived || err != nil {
			return found, outs, err
		}
	}
	return survived, outs, nil
}

// command returns a command in the folder of a package.
func (r *runner) command(ctx context.Context, folder, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir, command.Env, command.WaitDelay = filepath.Join(r.clone, filepath.FromSlash(folder)), os.Environ(), time.Second
	if r.cache != "" {
		command.Env = append(command.Env, "GOCACHE="+r.cache)
	}
	// An interrupt has the go command end the tests, too.
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	return command
}

// verdict runs tests.
func (r *runner) verdict(tests *exec.Cmd) (result, []byte, error) {
	out, err := tests.CombinedOutput()
	if state := tests.ProcessState; state != nil {
		r.spent.Add(int64(state.UserTime() + state.SystemTime()))
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, out, nil
	case !errors.As(err, &exit):
		return "", out, err
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return invalid, out, nil
	case exit.ExitCode() < 0 || bytes.Contains(out, []byte("panic: test timed out")): // killed by the system
		return timedOut, out, nil
	}
	return killed, out, nil
}
