package buildtest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/program"
)

// peakVariable makes this test binary build one filter instead of running tests, and print
// the memory that it took. Its value is the number of a kind, the numbers of goroutines and
// hashes, and the number of one of the peakHashes.
const peakVariable = "SIMDBLOOM_TEST_PEAK"

// peakHashes return a hash made of a random one.
var peakHashes = []struct {
	name string
	hash func(random uint64) uint64
}{
	{"even", func(random uint64) uint64 { return random }},
	{"one part", func(random uint64) uint64 { return random&^(0x1ff<<fallback.ListShift) | 0x5a<<fallback.ListShift }},
	{"one block", func(random uint64) uint64 { return random | lowHalf }},
}

func TestMain(m *testing.M) {
	if what := os.Getenv(peakVariable); what != "" {
		if err := printPeak(what); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse() // -short
	if slow() {
		for i, k := range kinds {
			kinds[i] = k.inParts()
		}
	}
	os.Exit(m.Run())
}

// printPeak prints the size of the filter, and how far the process's memory rose at its
// peak.
func printPeak(what string) error {
	var kind, goroutines, hashes, among int
	if _, err := fmt.Sscan(what, &kind, &goroutines, &hashes, &among); err != nil {
		return err
	}
	runtime.GOMAXPROCS(max(goroutines, runtime.GOMAXPROCS(0)))
	r, piece := rand.NewPCG(1, 2), make([]uint64, 100_000)
	for i := range piece {
		piece[i] = r.Uint64()
	}
	before, err := peak()
	if err != nil {
		return err
	}
	b, err := kinds[kind].newBuilder(goroutines, false)
	if err != nil {
		return err
	}
	for left := hashes; left > 0; left -= len(piece) {
		piece = piece[:min(left, len(piece))]
		for i := range piece {
			piece[i] = peakHashes[among].hash(r.Uint64())
		}
		b.AddHashes(piece)
	}
	data, err := b.Finish()
	if err != nil {
		return err
	}
	after, err := peak()
	if err != nil {
		return err
	}
	fmt.Println(len(data), after-before)
	return nil
}

var peakLine = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)

// peak returns this process's peak of memory, in bytes.
func peak() (int, error) {
	said, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	found := peakLine.FindSubmatch(said)
	if found == nil {
		return 0, fmt.Errorf("the kernel does not say what memory a process had")
	}
	kib, err := strconv.Atoi(string(found[1]))
	return kib << 10, err
}

// TestPeakMemory tests that builders take at most 8 bytes a hash, the filter and 64 MiB, and
// for skewed hashes at most twice the hashes and the filter.
func TestPeakMemory(t *testing.T) {
	switch {
	case runtime.GOOS != "linux":
		t.Skip("only Linux says what memory a process had")
	case emulated:
		t.Skip("what memory a process had is the emulator's")
	case program.Raced:
		t.Skip("the race detector takes memory of its own")
	case pureGo || lowered || testing.Short():
		t.Skip("takes 0.3 GB and ten seconds, for the same at every level")
	}
	if _, err := peak(); err != nil {
		t.Skip(err)
	}
	const hashBytes, more = 8, 64 << 20
	many, skewed, goroutines := 20_000_000, 5_000_000, []int{1, 8}
	if strconv.IntSize == 32 { // there may not be room for many more, and it is slow
		many, skewed, goroutines = 10_000_000, 3_000_000, []int{8}
	}
	for i, k := range kinds[:2] { // the third differs in no size
		for _, n := range goroutines {
			size, peak := childPeak(t, i, n, many, 0)
			t.Logf("%s, concurrency %d: %.2f bytes a hash beyond the filter", k.name, n, float64(peak-size)/float64(many))
			if peak < size {
				t.Errorf("%s: a filter of %d bytes in %d", k.name, size, peak)
			}
			if peak > hashBytes*many+size+more {
				t.Errorf("%s, concurrency %d: %d MiB, %d too many", k.name, n, peak>>20, (peak-hashBytes*many-size-more)>>20)
			}
		}
		for among := 1; among < len(peakHashes); among++ {
			n := concurrencies[(i+among)%len(concurrencies)]
			size, peak := childPeak(t, i, n, skewed, among)
			t.Logf("%s, concurrency %d, %s: %.2f bytes a hash beyond the filter",
				k.name, n, peakHashes[among].name, float64(peak-size)/float64(skewed))
			if peak > 2*(hashBytes*skewed+size) {
				t.Errorf("%s, concurrency %d, %s: %d MiB", k.name, n, peakHashes[among].name, peak>>20)
			}
		}
	}
}

// childPeak returns what printPeak prints in a process of its own.
func childPeak(t *testing.T, kind, goroutines, hashes, among int) (size, peak int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	what := fmt.Sprint(kind, " ", goroutines, " ", hashes, " ", among)
	child.Env = append(os.Environ(), peakVariable+"="+what, "GOGC=100", "GOMEMLIMIT=off")
	child.Stderr = os.Stderr
	said, err := child.Output()
	if err == nil {
		_, err = fmt.Sscan(string(said), &size, &peak)
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return size, peak
}
