package results

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestExperimentsAreSavedWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "experiments.json")
	all, err := LoadExperiments(name)
	if err != nil || len(all.Experiments) != 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, rounds := range []int{2, 3} {
		all.Put(&Experiment{Name: "rate", Settings: ExperimentSettings{Rounds: rounds}, Rounds: []*Round{
			{Order: []string{"a", "b"}, Turns: map[string]*Turn{"a": {CPUSeconds: 1}, "b": {CPUSeconds: 2}}},
		}})
	}
	if err := all.Save(name); err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadExperiments(name)
	if err != nil || !reflect.DeepEqual(loaded, all) || len(all.Experiments) != 1 {
		t.Fatalf("%+v, %v", loaded, err)
	}
	x := loaded.Find("rate")
	if values := x.Values("b", func(t *Turn) float64 { return t.CPUSeconds }); x.Settings.Rounds != 3 || len(values) != 1 || values.Median() != 2 {
		t.Errorf("%+v, %v", x, values)
	}
	if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadExperiments(name); err == nil {
		t.Error("half a file is no error")
	}
}
