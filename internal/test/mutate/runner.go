package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// result is the tests' verdict on a mutant.
type result string

const (
	found    result = "found"
	timedOut result = "found, as it takes too long"
	survived result = "SURVIVED"
	invalid  result = "not compiled"
)

// runner runs the tests of mutants.
type runner struct {
	short bool
	most  time.Duration
}

// test runs the tests of a mutant.
func (r *runner) test(ctx context.Context, m mutant) (_ result, err error) {
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(folder, filepath.Base(m.file)), filepath.Join(folder, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(changed, m.in(source), 0o666), os.WriteFile(overlay, replaced, 0o666)); err != nil {
		return "", err
	}
	args := []string{"test", "-vet=off", "-count=1", "-failfast", "-timeout=" + r.most.String(), "-overlay=" + overlay}
	if r.short {
		args = append(args, "-short")
	}
	test := exec.CommandContext(ctx, "go", append(args, m.packages...)...)
	test.Dir, test.WaitDelay = m.folder, time.Second
	// An interrupt has the go command end the tests, too.
	test.Cancel = func() error { return test.Process.Signal(os.Interrupt) }
	out, err := test.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, nil
	case !errors.As(err, &exit):
		return "", err
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return invalid, nil
	case bytes.Contains(out, []byte("panic: test timed out")):
		return timedOut, nil
	}
	return found, nil
}

// in returns the changed file.
func (m mutant) in(source []byte) []byte {
	return slices.Concat(source[:m.at], []byte(m.by), source[m.end:])
}
