package filterfile_test

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// writerFolder says to this test program that it is the writer that TestKilledWriter kills.
const writerFolder = "FILTERFILE_TEST_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(writerFolder); folder != "" {
		writeForever(folder)
	}
	if folder := os.Getenv(setWriterFolder); folder != "" {
		writeSetsForever(folder)
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
	if os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
		t.Skip("in an emulator, this program cannot be started by its name")
	}
	if raced {
		t.Skip("one goroutine writes")
	}
	filters, folder := twoFilters(), t.TempDir()
	path := filepath.Join(folder, "filter")
	if err := filterfile.WriteFile(path, filters[0], filterfile.WithKeys(0)); err != nil {
		t.Fatal(err)
	}
	found, unfinished := [2]int{}, 0
	for range kills(20) {
		killed(t, writerFolder+"="+folder, 30*time.Millisecond)

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
		for _, left := range must(filepath.Glob(filepath.Join(folder, ".filter.*.tmp"))) {
			unfinished++
			os.Remove(left)
		}
	}
	t.Logf("found each filter %d times; %d files were unfinished", found, unfinished)
	if unfinished == 0 && runtime.GOOS == "linux" {
		t.Error("no writer was killed while it wrote")
	}
}

// killsVariable says how many programs are killed.
const killsVariable = "SIMDBLOOM_TEST_KILLS"

func kills(usual int) int {
	if given := os.Getenv(killsVariable); given != "" {
		return must(strconv.Atoi(given))
	}
	return usual
}

// killed starts this test program as the writer that the variable says, and kills it within some time after it
// is ready.
func killed(t *testing.T, variable string, within time.Duration) {
	t.Helper()
	writer := exec.Command(must(os.Executable()))
	writer.Env = append(os.Environ(), variable)
	out := must(writer.StdoutPipe())
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
