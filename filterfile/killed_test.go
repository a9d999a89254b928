package filterfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// writerFolder says to this test program that it is the writer that TestKilledWriter kills.
const writerFolder = "FILTERFILE_TEST_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(writerFolder); folder != "" {
		writeForever(folder)
	}
	os.Exit(m.Run())
}

// twoFilters have different sizes, contents and headers.
func twoFilters() (filters [2]*simdbloom.Filter) {
	for i := range filters {
		b := must(linear.NewBuilder(16, keyhash.XX64))
		b.AddKeys(someKeys(20_000 + 50_000*i))
		filters[i] = must(linear.Open(must(b.Finish()), keyhash.XX64))
	}
	return filters
}

func writeForever(folder string) {
	filters := twoFilters()
	os.Stdout.WriteString("ready\n")
	for i := 0; ; i++ {
		if err := filterfile.WriteFile(filepath.Join(folder, "filter"), filters[i%2], filterfile.WithKeys(i%2)); err != nil {
			panic(err)
		}
	}
}

// TestKilledWriter kills a program that writes one filter after another, at random points, and
// finds one of them, whole.
func TestKilledWriter(t *testing.T) {
	filters, folder := twoFilters(), t.TempDir()
	path := filepath.Join(folder, "filter")
	if err := filterfile.WriteFile(path, filters[0], filterfile.WithKeys(0)); err != nil {
		t.Fatal(err)
	}
	found, unfinished := [2]int{}, 0
	for range program.Kills(t, 20) {
		program.Kill(t, writerFolder+"="+folder, 30*time.Millisecond)

		f, err := filterfile.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		which := f.Info().Keys
		if string(f.Bytes()) != string(filters[which].Bytes()) {
			t.Fatal("neither the old filter nor the new one")
		}
		found[which]++
		f.Close()
		left := must(filepath.Glob(filepath.Join(folder, ".filter.*.tmp")))
		unfinished += len(left)
		if len(left) > 1 && runtime.GOOS != "windows" {
			t.Errorf("the writer that was killed before left a file: %q", left)
		}
	}
	if err := filterfile.WriteFile(path, filters[0]); err != nil {
		t.Fatal(err)
	}
	if left := must(os.ReadDir(folder)); len(left) != 1 && runtime.GOOS != "windows" {
		t.Errorf("%v are left", left)
	}
	t.Logf("found each filter %d times; %d files were unfinished", found, unfinished)
	if unfinished == 0 && runtime.GOOS == "linux" {
		t.Error("no writer was killed while it wrote")
	}
}
