package experiments

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// tiny parses flags for stores that are filled in no time.
func tiny(t *testing.T, dir string, args ...string) *settings {
	t.Helper()
	s, err := parseSettings(append([]string{
		"-o=" + filepath.Join(dir, "results.json"), "-dir=" + dir,
		"-n=2000", "-rounds=1", "-times=2", "-threads=1", "-latency=1us",
	}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestExperiments(t *testing.T) {
	bench := &dbBench{filepath.Join(t.TempDir(), "db_bench.exe"), io.Discard} // Windows wants the ending
	if said, err := exec.Command("go", "build", "-o", bench.path, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	dir := t.TempDir()
	s := tiny(t, dir)
	var log bytes.Buffer
	if err := s.measure(t.Context(), bench, &log); err != nil {
		t.Fatalf("%v\n%s", err, log.Bytes())
	}
	all, err := measured.Load[results.Experiments](s.out)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, "experiment*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	const coarse = runtime.GOOS == "windows" // Pebble's clock and that of processes have steps of up to 16 ms there
	cpu := 0.0
	for _, x := range experiments {
		found := all.Find(x.name)
		if found == nil || len(found.Rounds) != found.Settings.Rounds || len(found.Contestants) < 4 {
			t.Fatalf("%s: %+v", x.name, found)
		}
		first := found.Contestants[len(found.Contestants)-1].Store
		for _, c := range found.Contestants {
			turn := found.Rounds[0].Turns[c.Name]
			if c.Store == nil || (c.Store.FilterBytes > 0) != (c.Filter != "") || turn.CPUSeconds <= 0 && !coarse {
				t.Errorf("%s, %s: %+v, %+v", x.name, c.Name, c.Store, turn)
			}
			cpu += turn.CPUSeconds
			for _, name := range benchmarksOf(x) {
				b := turn.Benchmark(name)
				if b == nil || b.PerSecond <= 0 || b.Operations != operationsOf(found, name) {
					t.Errorf("%s, %s, %s: %+v", x.name, c.Name, name, b)
				}
			}
			if x.writes {
				if b := turn.Background; b.FlushSeconds <= 0 && !coarse || b.FlushedBytes <= 0 {
					t.Errorf("%s: %+v", c.Name, b)
				}
				continue
			}
			if c.Store.Levels[0].Keys != first.Levels[0].Keys || len(c.Store.Levels) != len(first.Levels) {
				t.Errorf("%s, %s: the tables differ: %+v, %+v", x.name, c.Name, c.Store.Levels, first.Levels)
			}
			if found := turn.Benchmark("readmissing").Lookups.Found; found != 0 {
				t.Errorf("%s, %s: %d missing keys found", x.name, c.Name, found)
			}
		}
	}
	levels := all.Find("levels")
	for _, name := range []string{"Linear, 10 in every level", "Linear, by level"} {
		l := levels.Rounds[0].Turns[name].Benchmark("readmissing").Lookups
		if store := levels.Contestants[0].Store; len(store.Levels) != 4 || store.Levels[0].Keys != 2 || l.Queried < 5*uint64(l.Keys)/2 {
			t.Errorf("%s: %+v: a Get does not query the filters of four levels: %+v", name, store, l)
		}
	}
	if cpu <= 0 {
		t.Errorf("all turns took %v seconds of processors", cpu)
	}
	random := all.Find("memory").Rounds[0].Turns["Paired, 10 bits/key"].Benchmark("readrandom").Lookups
	if share := float64(random.Found) / float64(random.Keys); share < 0.07 || share > 0.13 {
		t.Errorf("%.0f %% of the keys found, not 10 %%", 100*share)
	}
}

// benchmarksOf are those of an experiment that have operations.
func benchmarksOf(x *experiment) []string {
	if x.writes {
		return []string{"fillrandom", "overwrite"}
	}
	return slices.DeleteFunc([]string{x.main, x.more}, func(name string) bool { return name == "" })
}

func operationsOf(x *results.Experiment, benchmark string) int64 {
	if benchmark == "readmissing" {
		return x.Settings.Keys
	}
	return x.Settings.Operations
}

func TestSameMemoryIsTheSame(t *testing.T) {
	if got := settingFor(ribbonAll, 23.4); got < 30 || got > 45 {
		t.Errorf("Ribbon takes 23.4 bits/key for a setting of %v", got)
	}
	if got := settingFor(fastLocal, 10); got < 9.9 || got > 10.1 {
		t.Errorf("FastLocal takes 10 bits/key for a setting of %v", got)
	}
}

// TestCommittedPages: the tables and the plots of the clone are those of bench/db_bench.json.
func TestCommittedPages(t *testing.T) {
	all, err := measured.Load[results.Experiments]("../../db_bench.json")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filesOfExperiments(all, "../../..")
	if err != nil {
		t.Fatal(err)
	}
	plots := 0
	for _, shown := range experimentsShown {
		if shown.of != nil {
			plots++
		}
	}
	if len(files) != 2+plots {
		t.Errorf("%d files", len(files))
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join("../../..", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what bench/db_bench.json gives (make pages writes it): %v", name, err)
		}
	}
}
