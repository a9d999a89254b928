package filterset_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/policy"
)

// writerFolder says to this test program that it is the writer that TestKilledBuilder kills.
const writerFolder = "FILTERSET_TEST_FOLDER"

// killedSets are the sizes of the sets that are written in turn, and what lookups find them by: every set has
// the hashes of the smaller ones. They are so large that some hashes are on disk.
var killedSets = []int{60_000, 90_000, 120_000}

func TestMain(m *testing.M) {
	if folder := os.Getenv(writerFolder); folder != "" {
		writeSetsForever(folder)
	}
	os.Exit(m.Run())
}

func buildKilled(dir string, keys int, options ...filterset.Option) error {
	b, err := filterset.NewBuilder(dir, policy.Linear(8), int64(keys), setMemory, append(options, filterset.WithParts(4))...)
	if err != nil {
		return err
	}
	defer b.Close()
	b.AddHashes(someHashes(5, keys))
	return b.Finish(context.Background())
}

// writeSetsForever replaces a set by others, adds layers, and merges sets.
func writeSetsForever(folder string) {
	dir, other := filepath.Join(folder, "set"), filepath.Join(folder, "other")
	os.Stdout.WriteString("ready\n")
	for i := 0; ; i++ {
		keys := killedSets[i%len(killedSets)]
		for _, step := range []func() error{
			func() error { return buildKilled(dir, keys) },
			func() error { return filterset.Merge(dir, other) },
			func() error { return buildKilled(dir, killedSets[0], filterset.WithLayer()) },
		} {
			if err := step(); err != nil {
				panic(err)
			}
		}
	}
}

// TestKilledBuilder kills a program that builds, replaces and merges sets, at random points, and finds one of
// the sets that it writes, whole. What it left is removed by the next builder.
func TestKilledBuilder(t *testing.T) {
	folder := t.TempDir()
	dir, other := filepath.Join(folder, "set"), filepath.Join(folder, "other")
	for _, dir := range []string{dir, other} {
		if err := buildKilled(dir, killedSets[0]); err != nil {
			t.Fatal(err)
		}
	}
	unfinished, found := 0, map[int]int{}
	for range program.Kills(t, 5) {
		program.Kill(t, writerFolder+"="+folder, 150*time.Millisecond)
		s := must(filterset.Open(dir))
		if err := s.Verify(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		layers := s.Info().Layers
		keys := int(layers[0].Keys())
		if !slices.Contains(killedSets, keys) || len(layers) > 3 {
			t.Fatalf("%d keys, %d layers", keys, len(layers))
		}
		if n := len(s.AppendHits(nil, someHashes(5, keys))); n != keys {
			t.Fatalf("%d of %d keys", n, keys)
		}
		found[len(layers)]++
		s.Close()
		for _, entry := range must(os.ReadDir(dir)) {
			if id, ok := strings.CutPrefix(entry.Name(), "layer-"); ok &&
				!slices.ContainsFunc(layers, func(l filterset.Layer) bool { return l.ID == id }) {
				unfinished++
			}
		}
	}
	t.Logf("numbers of layers found: %v; %d layers were unfinished", found, unfinished)
	if unfinished == 0 && runtime.GOOS == "linux" {
		t.Error("no program was killed while it built")
	}
	if err := buildKilled(dir, 100); err != nil {
		t.Fatal(err)
	}
	if entries := must(os.ReadDir(dir)); len(entries) != 2 {
		t.Errorf("left after the next builder: %v", entries)
	}
}
