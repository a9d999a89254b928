package main

import (
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	// Of three instructions for four keys; the sum comes as that of a fourth.
	const said = `{"CodeRegions": [{
		"Instructions": ["a", "b", "c"],
		"SummaryView": {"DispatchWidth": 2, "Instructions": 300, "Iterations": 100, "TotalCycles": 400, "TotaluOps": 600},
		"ResourcePressureView": {"ResourcePressureInfo": [
			{"InstructionIndex": 0, "ResourceIndex": 0, "ResourceUsage": 9},
			{"InstructionIndex": 3, "ResourceIndex": 0, "ResourceUsage": 2},
			{"InstructionIndex": 3, "ResourceIndex": 1, "ResourceUsage": 3.8},
			{"InstructionIndex": 3, "ResourceIndex": 2, "ResourceUsage": 3.9},
			{"InstructionIndex": 3, "ResourceIndex": 3, "ResourceUsage": 3.85}
		]}}],
		"TargetInfo": {"Resources": ["XxA", "XxB.\u0000", "XxB.\u0001", "XxC"]}}`
	got, err := parseReport([]byte(said), "Xx", 4)
	want := estimate{cycles: 1, instructions: 0.75, uops: 1.5, busiest: []string{"B", "C"}, busy: 0.975}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, error %v, want %+v", got, err, want)
	}
	for _, said := range []string{"", "error", "{}"} {
		if got, err := parseReport([]byte(said), "", 1); err == nil {
			t.Errorf("%q: %v", said, got)
		}
	}
}

// installed returns the programs of LLVM. With CI set they must be there.
func installed(t *testing.T) llvm {
	tools, err := findLLVM()
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	return tools
}

// TestEveryKernel finds and estimates every kernel that is listed, if only on one processor
// of an architecture: the last, which runs them all.
func TestEveryKernel(t *testing.T) {
	tools := installed(t)
	for _, arch := range architectures {
		arch.processors = arch.processors[len(arch.processors)-1:]
		estimates, err := estimateAll(tools, arch)
		if err != nil {
			t.Errorf("%s: %v", arch.name, err)
			continue
		}
		for i, k := range arch.kernels {
			e := estimates[i][0]
			if e.cycles < 0.1 || e.cycles > 1000 || e.busy < 0.1 || e.busy > 1.01 {
				t.Errorf("%s: %+v", k, e)
			}
		}
	}
}

// TestWays walks through every kernel's loop. Near ones prefetch nothing, far ones at least a
// line for each key, as the page says. None has VPABSB, which makes bools: the answers are bits.
func TestWays(t *testing.T) {
	tools := installed(t)
	for _, arch := range architectures {
		functions, err := disassembled(tools, arch.name, arch.functions())
		if err != nil {
			t.Errorf("%s: %v", arch.name, err)
			continue
		}
		for _, k := range arch.kernels {
			walked, err := k.walk(functions[k.function])
			prefetches := walked.count("prefetcht0") + walked.count("prefetcht1") + walked.count("prfm")
			switch {
			case err != nil:
				t.Errorf("%s: %v", k, err)
			case strings.HasSuffix(k.name, "near") && prefetches > 0,
				strings.HasSuffix(k.name, "far") && prefetches < k.keys:
				t.Errorf("%s: %d prefetches for %d keys", k, prefetches, k.keys)
			case walked.count("vpabsb") > 0:
				t.Errorf("%s: the answers are bools", k)
			}
		}
	}
}

// TestKnownLoops estimates loops that can be done in the head.
func TestKnownLoops(t *testing.T) {
	tools := installed(t)
	for _, c := range []struct {
		triple, cpu, code string
		cycles            float64
	}{
		{"aarch64", "neoverse-n1", "10 <f>:\n 10:\tmul\tv1.4s, v0.4s, v2.4s\n 14:\tmul\tv3.4s, v0.4s, v2.4s\n 18:\tb.ne\t0x10\n", 4},
		{"aarch64", "neoverse-n1", "10 <f>:\n 10:\tmul\tv1.4s, v0.4s, v2.s[1]\n 14:\tmul\tv3.4s, v0.4s, v2.s[3]\n 18:\tb.ne\t0x10\n", 4},
		{"aarch64", "neoverse-v2", "10 <f>:\n 10:\tadd\tx1, x1, x2\n 14:\tadd\tx1, x1, x2\n 18:\tcbnz\tx3, 0x10\n", 2},
		{"x86_64", "znver4", "10 <f>:\n 10:\timulq\t%rax, %rax\n 14:\tjne\t0x10\n", 3},
		{"x86_64", "icelake-server", "10 <f>:\n 10:\tvpermd\t(%rax), %ymm0, %ymm1\n 16:\tjne\t0x10\n", 1},
	} {
		arch := architecture{triple: c.triple, processors: []processor{{cpu: c.cpu}}}
		e, err := estimateKernel(tools, arch, kernel{form: form{keys: 1}}, parsed(t, c.code)["f"])
		if err != nil || math.Abs(e[0].cycles-c.cycles) > 0.01*c.cycles {
			t.Errorf("%s: %+v, error %v, want %v cycles", c.cpu, e, err, c.cycles)
		}
	}
}

func TestFunctionThatIsNotThere(t *testing.T) {
	tools := installed(t)
	if _, err := disassembled(tools, "arm64", []string{"fallback.fastLocalAnswers", "asm.nothing"}); err == nil || !strings.Contains(err.Error(), "asm.nothing") {
		t.Error(err)
	}
}
