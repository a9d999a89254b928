//go:build linux

package powercut

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/program"
)

var whole = flag.Bool("whole", false, "try 25 times as many states of a power cut")

// Writer is a test of a function that writes files in the working directory.
type Writer struct {
	Name string

	// Before makes what is there before, which is stored, and what the writer reads. Others writes, just before the
	// writer, what the system has not stored when it begins. Each may be nil.
	Before, Others func() error

	// Write is tested. It runs in a program of its own, with one processor.
	Write func() error

	// Aborts says that Write is to leave what was there.
	Aborts bool

	// Open opens what is there, and compares all of it. It reports whether that is the new thing. Nothing at all is
	// the old one, if there was none before.
	Open func() (isNew bool, err error)

	// Belongs reports whether a path, with slashes, is no leftover, once Write was called again after a cut.
	Belongs func(path string) bool

	// Spare are the fsyncs, as messages name them, without which no state is broken, and why they are there.
	Spare map[string]string
}

// current names the writer that this program is to run, and not the tests.
const current = "POWERCUT_WRITER"

// failedWriter is the exit status of a writer that has returned an error.
const failedWriter = 97

// Test tests writers. It skips the test if the machine has no strace, which with CI set is a failure.
func Test(t *testing.T, writers ...Writer) {
	if name := os.Getenv(current); name != "" {
		runtime.LockOSThread() // strace counts the calls of a thread
		i := slices.IndexFunc(writers, func(w Writer) bool { return w.Name == name })
		if err := errors.Join(ifAny(writers[i].Others), writers[i].Write()); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(failedWriter)
		}
		os.Exit(0)
	}
	if program.Raced || os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
		t.Skip("strace cannot follow an emulator, and the race detector is slow")
	}
	if strconv.IntSize == 32 {
		t.Skip("with 32 bits system calls have other names: files are written by the same code with 64")
	}
	if output, err := exec.Command("strace", "-f", "--seccomp-bpf", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no strace that works here (Debian: apt-get install strace): %v %s", err, output)
		}
		t.Skipf("no strace that works here (Debian: apt-get install strace): %v %s", err, output)
	}
	sum := counts{}
	for _, w := range writers {
		t.Run(w.Name, func(t *testing.T) {
			s := session{Writer: w, T: t, test: strings.Split(t.Name(), "/")[0], folder: memoryFolder(t)}
			s.run()
			t.Log(s.counts.String())
			sum.add(s.counts)
		})
	}
	t.Logf("together: %v", &sum)
}

// ifAny calls a function that may be nil.
func ifAny(do func() error) error {
	if do == nil {
		return nil
	}
	return do()
}

// memoryFolder returns a folder in memory, if the system has one: the test needs no disk.
func memoryFolder(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "powercut")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// counts are numbers of tries.
type counts struct{ operations, syncs, states, broken, again, failures, failureStates int }

func (c *counts) add(o counts) {
	c.operations += o.operations
	c.syncs += o.syncs
	c.states += o.states
	c.broken += o.broken
	c.again += o.again
	c.failures += o.failures
	c.failureStates += o.failureStates
}

func (c *counts) String() string {
	return fmt.Sprintf("%d operations, %d fsyncs; %d states, %d bad; %d written again; %d fsyncs failed, with %d states",
		c.operations, c.syncs, c.states, c.broken, c.again, c.failures, c.failureStates)
}

// session is a test of a writer.
type session struct {
	Writer
	*testing.T
	counts
	test   string
	folder string
	made   int
}

func (s *session) run() {
	h := s.record(0)
	if h.err != nil {
		s.Fatal(h.err)
	}
	syncs := h.syncs()
	s.operations, s.syncs = len(h.operations), len(syncs)
	s.cuts(h)
	s.spared(h, syncs)
	for number := range syncs {
		s.fail(number + 1)
	}
}

// record records the writer, whose fsync of a number may fail.
func (s *session) record(failing int) *history {
	dir := s.newFolder()
	s.check(os.Mkdir(dir, 0o777))
	s.Chdir(dir)
	s.check(ifAny(s.Before))
	name, err := os.Executable()
	s.check(err)
	writer := exec.Command(name, "-test.run=^"+s.test+"$")
	writer.Env = append(os.Environ(), current+"="+s.Name, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	h, err := record(dir, failing, writer)
	s.check(err)
	return h
}

func (s *session) check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *session) newFolder() string {
	s.made++
	return filepath.Join(s.folder, fmt.Sprint(s.made))
}

// most is about how many states are tried after each operation.
func most() int {
	if *whole {
		return 1000
	}
	return 40
}

// tried are the states that were tried, by their sums, and whether they had to be the new thing.
type tried map[[2]uint64]bool

// new reports whether a state was not tried.
func (tried tried) new(d *disk, mustBeNew bool) bool {
	key := [2]uint64{d.sum(false)}
	if mustBeNew {
		key[1] = 1
	}
	if tried[key] {
		return false
	}
	tried[key] = true
	return true
}

// cuts cuts the power after each operation.
func (s *session) cuts(h *history) {
	states, shapes := make(tried), make(map[uint64]bool)
	for cut := range len(h.operations) + 1 {
		err := s.each(h, cut, -1, most(), cut == len(h.operations), states, func(d *disk, err error) error {
			s.states++
			shape := d.sum(true)
			if err != nil {
				s.broken++
			} else if s.Others == nil && (*whole || !shapes[shape]) {
				shapes[shape] = true
				s.again++
				if err = s.writeAgain(); err != nil {
					err = fmt.Errorf("again: %w", err)
				}
			}
			return err
		})
		if err != nil {
			s.Errorf("after %d operations: %v", cut, err)
			return // one is enough to read
		}
	}
}

// each opens the states after the first operations that were not tried, and calls then in the folder of each, with the
// error. It ends with the first error of then.
func (s *session) each(h *history, cut, without, most int, returned bool, states tried, then func(d *disk, err error) error) error {
	for state := range h.states(cut, without, most) {
		if !states.new(state.disk, returned) {
			continue
		}
		dir := s.newFolder()
		s.check(state.write(dir))
		s.check(os.Chdir(dir))
		err := then(state.disk, s.openState(returned))
		s.check(os.Chdir(s.folder))
		s.check(os.RemoveAll(dir))
		if err != nil {
			return fmt.Errorf("%w\n%s", err, strings.Join(state.describe(h), "\n"))
		}
	}
	return nil
}

// openState opens what is in the working directory. It returns an error if that is not what it may be.
func (s *session) openState(returned bool) error {
	isNew, err := s.Open()
	switch {
	case err != nil:
		return err
	case returned && !isNew && !s.Aborts:
		return errors.New("the writer has returned, and the old thing is there")
	case isNew && s.Aborts:
		return errors.New("the writer was aborted, and a new thing is there")
	}
	return nil
}

// writeAgain calls the writer once more. It must succeed, and leave nothing but what belongs there.
func (s *session) writeAgain() error {
	if err := s.Write(); err != nil {
		return err
	}
	if err := s.openState(true); err != nil {
		return err
	}
	there, err := snapshot(".")
	if err != nil {
		return err
	}
	if left := slices.DeleteFunc(there.names(), s.Belongs); len(left) > 0 {
		return fmt.Errorf("%q are left", left)
	}
	return nil
}

// spared leaves out each fsync in turn. Each must be needed, or be known not to be.
func (s *session) spared(h *history, syncs []int) {
	spare := make(map[string]bool)
	for _, without := range syncs {
		name := h.operations[without].String()
		if bad := s.without(h, without); bad != nil {
			first, _, _ := strings.Cut(bad.Error(), "\n")
			s.Logf("without %s: %s", name, first)
		} else if spare[name] = true; s.Spare[name] == "" {
			s.Errorf("without the call %d, %s, no state is broken", without, name)
		}
	}
	for name, why := range s.Spare {
		if !spare[name] {
			s.Errorf("%s is needed, but is among those that are not, because %s", name, why)
		}
	}
}

// without returns the first bad state if an fsync is left out, or nil.
func (s *session) without(h *history, without int) error {
	states := make(tried)
	for cut := len(h.operations); cut > without; cut-- {
		err := s.each(h, cut, without, most(), cut == len(h.operations), states, func(_ *disk, err error) error { return err })
		if err != nil {
			return err
		}
	}
	return nil
}

// failing records the writer, whose fsync of a number fails, and returns the operation that did. strace counts the
// calls of each thread by itself, and a goroutine may change its thread: then the writer is recorded again.
func (s *session) failing(number int) (h *history, failed int) {
	for range 20 {
		h = s.record(number)
		failed = slices.IndexFunc(h.operations, func(o operation) bool { return o.failed })
		if failed >= 0 && slices.Index(h.syncs(), failed) == number-1 {
			break
		}
	}
	return h, failed
}

// fail has an fsync fail. The writer must return the error, and leave the old thing, or say that the new one is
// written.
func (s *session) fail(number int) {
	h, failed := s.failing(number)
	if failed < 0 {
		s.Errorf("%d: no fsync failed", number)
		return
	}
	s.failures++
	name := h.operations[failed].String()
	if isNew, err := s.Open(); err != nil {
		s.Errorf("%s failed: %v", name, err)
	} else if isNew && h.err != nil && !strings.Contains(h.err.Error(), "is written") {
		s.Errorf("%s failed, and the new thing is there, but the error is %q", name, h.err)
	}
	if h.err == nil && !s.Aborts && s.Spare[name] == "" {
		s.Errorf("%s failed, and the writer returned no error", name)
	}
	states := make(tried)
	for cut := failed; cut <= len(h.operations); cut++ {
		returned := h.err == nil && cut == len(h.operations)
		err := s.each(h, cut, -1, most()/4, returned, states, func(_ *disk, err error) error {
			s.failureStates++
			return err
		})
		if err != nil {
			s.Errorf("%s failed: %v", name, err)
			return
		}
	}
}
