package neon

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

var spaces = regexp.MustCompile(" +") // which are as many as align the operands

// assembly returns that of a function, without its first line.
func assembly(t *testing.T, emit func(fn *Function)) (string, error) {
	t.Helper()
	dir := t.TempDir()
	source := "package filters; type Filter struct { small bool; wide uint64; body []byte }"
	if err := os.WriteFile(filepath.Join(dir, "filter.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	declared, err := kernel.Declarations(dir, "example.com/filters", "arm64")
	if err != nil {
		t.Fatal(err)
	}
	f := kernel.NewFile("arm64", declared)
	emit(NewFunction(f, "kernel", "func(f *Filter, n int, far bool)", "kernel is a test."))
	all, err := f.Assembly("kernels")
	_, text, _ := strings.Cut(string(all), "TEXT ·kernel(SB), $0-17\n")
	return spaces.ReplaceAllString(strings.ReplaceAll(text, "\t", ""), " "), err
}

// TestText: everything that is not an instruction.
func TestText(t *testing.T) {
	text, err := assembly(t, func(fn *Function) {
		fn.Argument(0, "f")
		fn.Argument(1, "n")
		fn.ArgumentByte(Zero, "far")
		fn.Field(2, 0, "Filter", "wide", 0)
		fn.Field(3, 0, "Filter", "body", 8)
		fn.Constant(4, "ones", 1, 2)
		fn.Label("again")
		fn.SubsI(1, 1, 1)
		fn.Bne("again")
		fn.Return()
	})
	want := `MOVD f+0(FP), R0
MOVD n+8(FP), R1
MOVBU far+16(FP), ZR
MOVD 8(R0), R2
MOVD 24(R0), R3
MOVD $ones<>+0(SB), R4

again:
SUBS $1, R1, R1
BNE again
RET

`
	if got, _, _ := strings.Cut(text, "DATA"); err != nil || got != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestMistakes: the generator panics at mistakes in a kernel.
func TestMistakes(t *testing.T) {
	for name, emit := range map[string]func(fn *Function){
		"the system's register":           func(fn *Function) { fn.MovI(18, 1) },
		"the assembler's":                 func(fn *Function) { fn.MovI(27, 1) },
		"Go's":                            func(fn *Function) { fn.AddI(1, 28, 1) },
		"the frame's":                     func(fn *Function) { fn.And(1, 1, 29) },
		"a register that does not exist":  func(fn *Function) { fn.AndB16(0, 0, 32) },
		"four beyond the last":            func(fn *Function) { fn.Tbl4B16(0, 29, 0) },
		"a word beyond the last":          func(fn *Function) { fn.UminpB16(0, 32, 0) },
		"a shift by nothing":              func(fn *Function) { fn.ShrnB8(0, 0, 0) },
		"a shift by more than a byte":     func(fn *Function) { fn.Shrn2B16(0, 0, 9) },
		"a field that does not exist":     func(fn *Function) { fn.Field(0, 0, "Filter", "none", 0) },
		"an argument that does not exist": func(fn *Function) { fn.Argument(0, "none") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("accepted")
				}
			}()
			_, err := assembly(t, func(fn *Function) { emit(fn); fn.Return() })
			if err != nil {
				panic(err)
			}
		})
	}
}

// TestEnds: a function goes on behind its end, or to a label that is nowhere.
func TestEnds(t *testing.T) {
	for want, emit := range map[string]func(fn *Function){
		"goes on behind its end": func(fn *Function) { fn.MovI(0, 1) },
		"unknown label":          func(fn *Function) { fn.Bne("nowhere"); fn.Return() },
	} {
		if _, err := assembly(t, emit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
