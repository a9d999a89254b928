// Package program tells tests about their own program: whether the race detector is part of it, and how it is
// started once more, to be killed.
package program

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// Kills returns how many programs a test kills: the usual number, unless SIMDBLOOM_TEST_KILLS has another one.
func Kills(t *testing.T, usual int) int {
	t.Helper()
	given := os.Getenv("SIMDBLOOM_TEST_KILLS")
	if given == "" {
		return usual
	}
	n, err := strconv.Atoi(given)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Kill starts this test program with a variable such as "NAME=value", by which its TestMain knows what to write for
// ever, and kills it within some time after it has printed "ready". It skips the test in an emulator, and with the race
// detector.
func Kill(t *testing.T, variable string, within time.Duration) {
	t.Helper()
	if os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
		t.Skip("in an emulator, this program cannot be started by its name")
	}
	if Raced {
		t.Skip("one goroutine writes")
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	writer := exec.Command(name)
	writer.Env = append(os.Environ(), variable)
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	time.Sleep(rand.N(within))
	if err := writer.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	writer.Wait()
}
