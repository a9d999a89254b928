package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// dbBench is this program, as another process.
type dbBench struct {
	path   string
	stderr io.Writer
}

// output is the part of db_bench's JSON that the experiments keep, and the process's time.
type output struct {
	Pebble     string               `json:"pebble"`
	Results    []*results.Benchmark `json:"results"`
	Store      *store.Description   `json:"store"`
	Memory     *results.Memory      `json:"memory"`
	Background *results.Background  `json:"background"`
	Error      string               `json:"error"`

	cpu time.Duration
}

// run runs it. If the context ends, the process ends, too, and removes temporary files.
func (b *dbBench) run(ctx context.Context, args ...string) (*output, error) {
	process := exec.CommandContext(ctx, b.path, append(args, "-json")...)
	var stdout bytes.Buffer
	process.Stdout, process.Stderr = &stdout, b.stderr
	process.Cancel = func() error { return process.Process.Signal(os.Interrupt) }
	process.WaitDelay = time.Minute
	err := process.Run()
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	m := new(output)
	if failed := json.Unmarshal(stdout.Bytes(), m); failed != nil {
		return nil, errors.Join(err, fmt.Errorf("db_bench's JSON: %w", failed))
	}
	if err != nil {
		return nil, fmt.Errorf("db_bench %q: %w: %s", args, err, m.Error)
	}
	m.cpu = process.ProcessState.UserTime() + process.ProcessState.SystemTime()
	return m, nil
}
