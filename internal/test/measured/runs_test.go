package measured

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

type ofProcessor struct {
	Name  string
	Times []int
}

func (r ofProcessor) Processor() string { return r.Name }

func TestRunsOfAllProcessorsAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.json")
	for _, r := range []ofProcessor{{"a", []int{1}}, {"b", []int{2}}, {"c", []int{3}}, {"b", []int{4}}} {
		if err := SaveRun(file, nil, r); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := Load[Runs[ofProcessor]](file)
	if err != nil || len(*runs) != 3 {
		t.Fatalf("%v, %v", runs, err)
	}
	var names []string
	for _, r := range *runs {
		names = append(names, r.Name)
	}
	if !slices.Equal(names, []string{"b", "c", "a"}) || (*runs)[0].Times[0] != 4 {
		t.Errorf("%v", *runs)
	}
	var out bytes.Buffer
	if err := SaveRun("", &out, ofProcessor{"a", []int{5}}); err != nil || !bytes.HasPrefix(out.Bytes(), []byte("[\n")) {
		t.Errorf("without a file: %s, %v", &out, err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := SaveRun(file, nil, ofProcessor{"a", nil}); err == nil {
		t.Error("a file of half a run is overwritten")
	}
}

func TestMachineIsNamed(t *testing.T) {
	m := Machine{CPU: "EPYC", Family: 25, Model: 17, Level: "avx2", Go: "go1.26"}
	if got := m.On("2026-11-29"); got != "EPYC (family 25, model 17), level avx2, go1.26, 2026-11-29" {
		t.Error(got)
	}
	if got := (Machine{CPU: "unknown processor"}).Processor(); got != "unknown processor" {
		t.Error(got)
	}
	if m := Describe(); m.CPU == "" || m.CPUs == 0 || m.Level == "" || m.Go == "" {
		t.Errorf("%+v", m)
	}
}
