package program

import (
	"flag"
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// WithoutRoom calls do while the system lets no file have more than 2 MiB: longer writes fail. The test is skipped if so
// many others ran before it that their log, which the go command reads, is nearly as long.
func WithoutRoom(t *testing.T, do func()) {
	t.Helper()
	if log := flag.Lookup("test.testlogfile"); log != nil {
		if info, err := os.Stat(log.Value.String()); err == nil && info.Size() > 1<<20 {
			t.Skipf("the tests' log has %d bytes", info.Size())
		}
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
