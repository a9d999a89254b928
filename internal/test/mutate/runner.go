package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
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
	clone    string
	memory   string // a folder
	cache    string // the go command's, emptied of mutants, of which each leaves a megabyte; if "", its usual one
	again    bool
	workers  int
	most     int // mutants of a package, if it is not 0
	progress *progress
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
		if m.result == "" {
			left = append(left, m)
		}
	}
	// In this order, the first of them are a fair sample, and the same ones each time.
	slices.SortFunc(left, func(a, b *mutant) int { return cmp.Compare(a.hash(), b.hash()) })
	if r.most > 0 {
		left = left[:max(0, min(r.most-(len(p.mutants)-len(left)), len(left)))]
	}
	r.progress.begin(p, len(left))
	if len(left) == 0 {
		return nil
	}
	if r.cache != "" {
		cached, err := filesIn(r.cache)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, removeOthers(r.cache, cached)) }()
	}
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	built, err := r.build(ctx, p, folder)
	if err != nil {
		return err
	}
	found, out, begun := killed, []byte("they do not compile"), time.Now()
	if built != nil {
		found, out, err = r.runPrograms(ctx, p, built, 0, time.Hour)
	}
	if found != survived && err == nil { // tests of allocated memory, for one, may fail there
		r.progress.note("%s: its mutants are compiled one at a time, since in one program tests fail:\n%s", p.folder, out)
		built, begun = nil, time.Now()
		found, out, err = r.goTest(ctx, p, "", time.Hour)
	}
	if ctx.Err() != nil {
		return nil
	}
	if err != nil || found != survived {
		return errors.Join(fmt.Errorf("the tests fail without any mistake:\n%s", out), err)
	}
	r.progress.note("%s: %d of %d mutants are in one program", p.folder, built.len(), len(p.mutants))
	most := 10*time.Second + 5*time.Since(begun)

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
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// mutant runs the tests with one line changed.
func (r *runner) mutant(ctx context.Context, p *pkg, m *mutant, built *programs, most time.Duration) (_ result, err error) {
	if number := built.number(m); number != 0 {
		found, _, err := r.runPrograms(ctx, p, built, number, most)
		return found, err
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
	found, _, err := r.goTest(ctx, p, overlay, most)
	return found, err
}

// skipped are tests that are not run: those of rates take long, and find little else than tests of bytes do.
const skipped = "Rate|Limit"

// goTest runs the tests of a package, one package of tests after the other until one fails.
func (r *runner) goTest(ctx context.Context, p *pkg, overlay string, most time.Duration) (_ result, outs []byte, err error) {
	for _, tests := range p.tests {
		found, out, err := verdict(r.command(ctx, tests, "go", "test", "-vet=off", "-count=1", "-failfast", "-short",
			"-skip="+skipped, "-ldflags=-w", "-timeout="+most.String(), "-overlay="+overlay, "."))
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
func verdict(tests *exec.Cmd) (result, []byte, error) {
	out, err := tests.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, out, nil
	case !errors.As(err, &exit):
		return "", out, err
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return invalid, out, nil
	case bytes.Contains(out, []byte("panic: test timed out")):
		return timedOut, out, nil
	}
	return killed, out, nil
}
