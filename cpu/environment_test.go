//go:build !purego && (amd64 || arm64)

package cpu

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const (
	childVariable    = "SIMDBLOOM_TEST_PRINT_LEVEL"
	emulatorVariable = "SIMDBLOOM_TEST_EXEC" // what starts a test binary of this architecture
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		fmt.Printf("level=%v problem=%v", Current(), Problem() != nil)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestWholeProcess starts this test binary anew under each environment, because
// the level is chosen before any test can run.
func TestWholeProcess(t *testing.T) {
	machine := machineWithoutGODEBUG(t)
	lowered := func(l Level) Level { return lower(machine, l) }
	for _, c := range []struct {
		env  []string
		want Level
		bad  bool
	}{
		{nil, machine, false},
		{[]string{"SIMDBLOOM_CPU=generic"}, Generic, false},
		{[]string{"SIMDBLOOM_CPU=avx2"}, lowered(AVX2), false},
		{[]string{"SIMDBLOOM_CPU=avx512"}, lowered(AVX512), false},
		{[]string{"SIMDBLOOM_CPU=neon"}, lowered(NEON), false},
		{[]string{"SIMDBLOOM_CPU=fast"}, Generic, true},
		{[]string{"GODEBUG=cpu.all=off"}, Generic, false},
		{[]string{"GODEBUG=" + featureOfBasicLevel + "=off"}, Generic, false},
		{[]string{"GODEBUG=cpu.all=off", "SIMDBLOOM_CPU=avx512"}, Generic, false},
	} {
		if got, want := childOutput(t, c.env...), fmt.Sprintf("level=%v problem=%v", c.want, c.bad); got != want {
			t.Errorf("%v: %s, want %s", c.env, got, want)
		}
	}
	if machine == AVX512 {
		for _, feature := range []string{"f", "bw", "dq", "vl", "vbmi", "vbmi2", "vnni", "bitalg"} {
			if got := childOutput(t, "GODEBUG=cpu.avx512"+feature+"=off"); !strings.HasPrefix(got, "level=avx2 ") {
				t.Errorf("without AVX-512 %s: %s", feature, got)
			}
		}
	}
}

// machineWithoutGODEBUG returns the machine's level whatever this process was
// started with.
func machineWithoutGODEBUG(t *testing.T) Level {
	out := childOutput(t)
	for _, l := range levels {
		if strings.HasPrefix(out, "level="+l.String()+" ") {
			return l
		}
	}
	t.Fatalf("the child printed no level but %q", out)
	return Generic
}

// childOutput runs this binary with only the given environment.
func childOutput(t *testing.T, env ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := append(strings.Fields(os.Getenv(emulatorVariable)), self)
	child := exec.Command(command[0], command[1:]...)
	child.Env = append(env, childVariable+"=1")
	out, err := child.Output()
	if err != nil {
		t.Fatalf("%v: %v", env, err)
	}
	return string(out)
}
