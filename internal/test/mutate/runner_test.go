package main

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// clone makes a module of one package.
func clone(t *testing.T, files map[string]string) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestRun plants mistakes in a small package. Later runs run again what a change of the tests, and of the package, may
// change, and nothing else.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a dozen programs")
	}
	const tests = "package p\n\nimport \"testing\"\n\nfunc TestMost(t *testing.T) {\n\tif Most(1, 2) != 2 {\n\t\tt.Error()\n\t}\n}\n"
	folder := clone(t, map[string]string{
		"go.mod":        "module example.com/m\n\ngo 1.24.0\n",
		"p/p.go":        "package p\n\nfunc Most(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\nfunc Join(s string) string { return s + s }\n",
		"p/p_test.go":   tests,
		"p/p_linux.go":  "package p\n",
		"p/p_plan9.go":  "package p\n\nconst notHere = 1 + 1\n",
		"other/none.go": "package other\n",
	})
	run := func() (results, ran []string) {
		t.Helper()
		packages, err := packagesIn(t.Context(), folder, []string{"p", "other"})
		if err != nil || len(packages) != 1 {
			t.Fatalf("%d packages, %v", len(packages), err)
		}
		r := &runner{clone: folder, memory: filepath.Join(folder, ".mutants"), all: true, budget: time.Second, workers: 2}
		if r.progress, err = newProgress(r.memory, packages); err != nil {
			t.Fatal(err)
		}
		defer r.progress.close()
		logged := func() []string {
			log, err := os.ReadFile(filepath.Join(r.memory, "log"))
			if err != nil {
				t.Fatal(err)
			}
			return strings.Split(strings.TrimSpace(string(log)), "\n")
		}
		before := len(logged())
		if err := r.test(t.Context(), packages[0]); err != nil {
			t.Fatal(err)
		}
		for _, line := range logged()[before:] {
			if strings.Contains(line, "->") {
				ran = append(ran, line[:12]+line[strings.LastIndex(line, "->"):])
			}
		}
		for _, m := range packages[0].mutants {
			results = append(results, string(m.result)+": "+m.now)
		}
		slices.Sort(ran)
		return results, ran
	}
	want := func(what string, results, ran, wantedResults, wantedRan []string) {
		t.Helper()
		if !slices.Equal(results, wantedResults) || !slices.Equal(ran, wantedRan) {
			t.Errorf("%s: %q of a run of %q, want %q of %q", what, results, ran, wantedResults, wantedRan)
		}
	}
	first := []string{"survived: if false && (a > b) {", "survived: if a >= b {", "not compiled: func Join(s string) string { return s - s }"}
	results, ran := run()
	want("at first", results, ran, first, []string{
		"not compiled->  func Join(s string) string { return s - s }", "survived    ->  if a >= b {", "survived    ->  if false && (a > b) {",
	})
	results, ran = run()
	want("with no change", results, ran, first, nil)

	better := strings.Replace(tests, "Most(1, 2) != 2", "Most(1, 2) != 2 || Most(3, 2) != 3", 1)
	if err := os.WriteFile(filepath.Join(folder, "p/p_test.go"), []byte(better), 0o666); err != nil {
		t.Fatal(err)
	}
	second := []string{"killed: if false && (a > b) {", first[1], first[2]}
	results, ran = run()
	want("with a better test", results, ran, second, []string{"killed      ->  if false && (a > b) {", "survived    ->  if a >= b {"})

	if err := os.WriteFile(filepath.Join(folder, "p/p_linux.go"), []byte("package p // A comment.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	results, ran = run()
	want("with a comment", results, ran, second, nil)

	if err := os.WriteFile(filepath.Join(folder, "p/p_linux.go"), []byte("package p\n\nvar changed bool\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	wanted := []string{
		"killed      ->  if false && (a > b) {", "not compiled->  func Join(s string) string { return s - s }", "survived    ->  if a >= b {",
	}
	if results, ran = run(); filepath.Separator == '/' && len(ran) == 3 {
		want("with another file", results, ran, second, wanted)
	}
}

// TestFailingTests: nothing is concluded from tests that fail without a mistake.
func TestFailingTests(t *testing.T) {
	if os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
		t.Skip("in an emulator, the program of tests cannot be started by its name")
	}
	folder := clone(t, map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.24.0\n",
		"p/p.go":      "package p\n\nfunc Twice(a int) int { return a + a }\n",
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tt.Error(\"broken\")\n}\n",
	})
	packages, err := packagesIn(t.Context(), folder, []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{clone: folder, memory: filepath.Join(folder, ".mutants"), all: true, budget: time.Second, workers: 1}
	if r.progress, err = newProgress(r.memory, packages); err != nil {
		t.Fatal(err)
	}
	defer r.progress.close()
	if err := r.test(t.Context(), packages[0]); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v", err)
	}
}

var apart = flag.Bool("apart", false, "compile dozens of programs, for TestTogether")

// TestTogether: mutants in one program have the results that they have one at a time. All but those of constants are in
// one, and some that do not compile alone.
func TestTogether(t *testing.T) {
	if !*apart {
		t.Skip("-apart was not given")
	}
	folder := clone(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24.0\n",
		"p/p.go": `package p

import "errors"

const size = 1 << 4

var errNone = errors.New("none")

func at(a []uint64, i int) (v uint64, err error) {
	if i < 0 || i >= len(a) && !(len(a) == 0) {
		return 0, errNone
	}
	v += a[i] % 7 << uint(size&3)
	if v |= 1 << (i + 9); v == 1<<8 {
		panic("never")
	}
	for n := uint8(0); n < 3; n++ {
		v ^= uint64(2*float64(n) + 1)
	}
	v &= 1<<9 - 1
	switch {
	case v == 0 && i != 1:
		err = errNone
	}
	return v | 2, err
}
`,
		"p/p_test.go": `package p

import "testing"

func TestAt(t *testing.T) {
	for i, want := range []uint64{6, 7, 3} {
		if v, err := at([]uint64{1, 0, 11}, i); v != want || err != nil {
			t.Error(i, v, err)
		}
	}
	if _, err := at(nil, -1); err == nil {
		t.Error()
	}
	if _, err := at([]uint64{1}, 1); err == nil {
		t.Error()
	}
}
`,
	})
	run := func(apart bool) (results []string) {
		packages, err := packagesIn(t.Context(), folder, []string{"p"})
		if err != nil {
			t.Fatal(err)
		}
		r := &runner{clone: folder, memory: filepath.Join(folder, ".mutants"), again: true, all: true, budget: time.Second, workers: 2}
		if r.progress, err = newProgress(r.memory, packages); err != nil {
			t.Fatal(err)
		}
		defer r.progress.close()
		if r.together = !apart; apart {
			for _, m := range packages[0].mutants {
				m.edits = nil
			}
		}
		if err := r.test(t.Context(), packages[0]); err != nil {
			t.Fatal(err)
		}
		for _, m := range packages[0].mutants {
			results = append(results, string(m.result)+": "+m.id)
		}
		return results
	}
	one, many := run(true), run(false)
	for i := range one {
		constant, none := strings.Contains(one[i], "const "), strings.HasPrefix(one[i], "not compiled")
		if constant != strings.HasPrefix(many[i], ": ") || !constant && !none && one[i] != many[i] {
			t.Errorf("alone %s, in one program %s", one[i], many[i])
		}
	}
}
