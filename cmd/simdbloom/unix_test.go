//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/filterset"
)

// TestAddToAPipe: a manifest that is a pipe is not waited for.
func TestAddToAPipe(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "set"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "set", filterset.Manifest), 0o600); err != nil {
		t.Skip(err)
	}
	status, _, stderr := call(t, folder, "x\n", "build -add -bits=10 -o {}/set")
	if status != badArguments || !strings.Contains(stderr, "is not the manifest of a set") {
		t.Errorf("%d, %s", status, stderr)
	}
}

// TestMain is this program, if the environment says so.
func TestMain(m *testing.M) {
	if args, is := os.LookupEnv("SIMDBLOOM_ARGUMENTS"); is {
		os.Args = append(os.Args[:1], strings.Fields(args)...)
		main()
	}
	os.Exit(m.Run())
}

// TestProgram: the program ends with the exit status of its command, and at Ctrl-C.
func TestProgram(t *testing.T) {
	for args, want := range map[string]int{"": 0, "nonsense": badArguments, "info -nonsense": badArguments, "info none": failed} {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), "SIMDBLOOM_ARGUMENTS="+args)
		if output, err := command.CombinedOutput(); command.ProcessState.ExitCode() != want {
			t.Errorf("%s: %v\n%s", args, err, output)
		} else if n := strings.Count(string(output), "\n"); want != 0 && n != 1 {
			t.Errorf("%s: %d lines:\n%s", args, n, output) // the flag package could print others
		}
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "SIMDBLOOM_ARGUMENTS=build -bits=10 -o "+filepath.Join(t.TempDir(), "set"))
	var problems strings.Builder
	command.Stderr = &problems
	input, err := command.StdinPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(input, lines(0, 1_000_000)) // after which it reads
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	command.Wait()
	if status := command.ProcessState.ExitCode(); status != interrupted || !strings.Contains(problems.String(), "interrupted: nothing was changed") {
		t.Errorf("status %d, %s", status, &problems)
	}
}

// TestPipes: a command that reads a file in any order refuses a named pipe, and does not wait for a writer. None is
// replaced.
func TestPipes(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "list"), []byte("key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"check {}/pipe {}/list", "info {}/pipe", "info -json -estimate {}/pipe", "verify {}/pipe", "verify -json {}/pipe", "sst {}/pipe",
		"build -quiet -bits=10 -parquet=id -o {}/set {}/pipe", "parquet {}/pipe",
		"parquet -column=id -value=1 {}/pipe", "parquet add -column=id -o {}/new {}/pipe",
		"build -bits=10 -o {}/pipe {}/list", "build -bits=10 -file -o {}/pipe {}/list", "build -bits=10 -file -force -o {}/pipe {}/list",
	} {
		status := make(chan int)
		var stderr string
		go func() {
			code, _, says := call(t, folder, "", args)
			stderr = says
			status <- code
		}()
		select {
		case code := <-status:
			said := "not a regular file"
			if strings.HasSuffix(args, " -o {}/pipe {}/list") {
				said = map[bool]string{true: "neither a file nor a folder", false: "is a file: a set is a folder"}[strings.Contains(args, "-file")]
			}
			if info, err := os.Lstat(filepath.Join(folder, "pipe")); code == 0 || !strings.Contains(stderr, said) || err != nil || info.Mode().Type() != os.ModeNamedPipe {
				t.Errorf("%s: %d, %s", args, code, stderr)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s waits", args)
		}
	}
}
