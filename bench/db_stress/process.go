package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/simdbloom/simdbloom/cpu"
)

// ending is how a run ends.
type ending int

const (
	killedLater ending = iota // after verification, in the midst of operations
	killedEarly               // at any time: while the store is opened or verified
	closed                    // as stores should be
)

// patience is how long a process may take to verify its store or to close it.
const patience = 5 * time.Minute

// process is one that has the store.
type process struct {
	*exec.Cmd
	plan     *plan
	in       io.WriteCloser
	messages chan message // closed with its standard output
	said     bytes.Buffer // on its standard error
	last     message
}

// start starts a process for a plan.
func start(p *plan) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &process{Cmd: exec.Command(program), plan: p, messages: make(chan message)}
	w.Env = append(os.Environ(), workerVariable+"=1", cpu.Variable+"="+p.CPU)
	w.Stderr = &w.said
	if w.in, err = w.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(w.messages)
		for lines := json.NewDecoder(out); ; {
			var m message
			if lines.Decode(&m) != nil { // the end, or half a message
				return
			}
			w.messages <- m
		}
	}()
	if err := json.NewEncoder(w.in).Encode(p); err != nil {
		return nil, errors.Join(fmt.Errorf("giving the process its plan: %w", err), w.kill())
	}
	return w, nil
}

// run runs a plan until its end. With an error, the process found something wrong.
func (p *plan) run(end ending, killAfter time.Duration) (message, error) {
	w, err := start(p)
	if err != nil {
		return message{}, err
	}
	if end != killedEarly && !w.follow(patience, func(m message) bool { return m.Verified }) {
		return w.last, errors.Join(errors.New("verification takes too long"), w.kill())
	}
	w.follow(killAfter, never)
	if end != closed {
		return w.last, w.kill()
	}
	_ = w.in.Close() // it may have ended by itself
	if !w.follow(patience, never) {
		return w.last, errors.Join(errors.New("closing the store takes too long"), w.kill())
	}
	return w.last, w.ended(w.Wait())
}

func never(message) bool { return false }

// follow reads messages until one is enough, or the process has ended. It reports false if the time is over
// before.
func (w *process) follow(most time.Duration, enough func(message) bool) bool {
	for late := time.After(most); ; {
		select {
		case m, more := <-w.messages:
			if !more {
				return true
			}
			w.last = m
			if enough(m) {
				return true
			}
		case <-late:
			return false
		}
	}
}

// kill ends the process by SIGKILL, or as Windows ends processes, and reads what it had said before.
func (w *process) kill() error {
	killing := w.Process.Kill() // on Windows an error if the process has ended
	for m := range w.messages {
		w.last = m
	}
	err := w.Wait()
	if killing == nil && wasKilled(w.ProcessState) {
		err = nil // it did not end by itself
	}
	return w.ended(err)
}

// wasKilled reports whether Kill ended a process. On Windows it does so with exit status 1; of itself, a process that
// has the store ends with workerFailed, and one that panics with 2.
func wasKilled(ended *os.ProcessState) bool {
	if runtime.GOOS == "windows" {
		return ended.ExitCode() == 1
	}
	status, ok := ended.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// wrongAnswer is the failure of another process.
type wrongAnswer struct{ text string }

func (w *wrongAnswer) Error() string { return w.text }

// lostApart is a wrong answer in which no filter had a part.
type lostApart struct{ text string }

func (l *lostApart) Error() string { return l.text }

// ended returns an error if the process found something wrong, or ended otherwise than it should, or
// if Pebble reported a file as corrupt that nobody has changed: a compaction that meets such a file
// fails, and no operation returns its error.
func (w *process) ended(err error) error {
	switch {
	case w.last.Failure != "" && w.last.Apart:
		return &lostApart{w.last.Failure}
	case w.last.Failure != "" && w.last.Wrong:
		return &wrongAnswer{w.last.Failure}
	case w.last.Failure != "":
		return errors.New(w.last.Failure)
	case err != nil:
		return fmt.Errorf("the process that had the store: %w\n%s", err, tail(w.said.Bytes()))
	}
	for _, file := range w.last.Corrupt {
		if !slices.Contains(w.plan.Corrupt, file) {
			return fmt.Errorf("%s: Pebble reported it as corrupt, and its bytes were not changed", file)
		}
	}
	return nil
}

// tail returns the last lines of a process's output.
func tail(said []byte) []byte {
	const most = 8 << 10
	return said[max(0, len(said)-most):]
}

// killTime chooses how long after verification, or after its start, a process is killed.
func killTime(r *rand.Rand, end ending, mean time.Duration) time.Duration {
	if end == killedEarly {
		mean = min(mean, 200*time.Millisecond) // it takes about that time to open and to verify
	}
	return time.Duration(r.Int64N(2 * int64(mean)))
}
