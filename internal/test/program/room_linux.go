package program

import (
	"flag"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// WithoutRoom calls do while the system lets no file have more than 2 MiB: longer writes fail. So would those of the
// log that the go command has tests write: then the test runs in a program of its own, without one, and is skipped
// here.
func WithoutRoom(t *testing.T, do func()) {
	t.Helper()
	if log := flag.Lookup("test.testlogfile"); log != nil && log.Value.String() != "" {
		if os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
			t.Skip("in an emulator, this program cannot be started by its name")
		}
		name, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(name, "-test.run=^"+t.Name()+"$").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Skip("it passed in a program of its own")
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Skip(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 2 << 20, Max: before.Max}); err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Error(err)
		}
	}()
	do()
}
