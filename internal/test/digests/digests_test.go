package digests

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/program"
)

var update = flag.Bool("update", false, "write the digests that pure Go gives, before they are compared")

const file = "testdata/digests.txt"

// concurrency is the number of goroutines of builders with more than one, which they use
// from listsFrom bytes on.
const (
	concurrency = 3
	listsFrom   = 64 << 10
)

// result is a digest of a case, in hexadecimal. A case has several, one for each way to the
// same bytes or answers.
type result struct{ name, way, digest string }

// TestDigests tests every level that this process may run at, the machine's and all below.
// Where time is short, or SIMDBLOOM_CPU lowers the level, it tests one level: the others
// have runs of their own.
func TestDigests(t *testing.T) {
	if err := cpu.Problem(); err != nil {
		t.Log(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(concurrency, runtime.GOMAXPROCS(0))))
	if *update {
		restore := cpu.Limit(cpu.Generic)
		write(t, results(t))
		restore()
	}
	want := read(t)
	top := cpu.Current()
	alone := program.Raced || os.Getenv("SIMDBLOOM_TEST_EXEC") != "" || os.Getenv(cpu.Variable) != ""
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if !top.Includes(level) || alone && level != top {
			continue
		}
		t.Run(level.String(), func(t *testing.T) {
			defer cpu.Limit(level)()
			if asm.Level() != level {
				t.Fatalf("limited to %v, the kernels' level is %v", level, asm.Level())
			}
			got := results(t)
			compare(t, got, want)
			t.Logf("%s/%s at level %v: %d digests of %d cases", runtime.GOOS, runtime.GOARCH, asm.Level(), len(got), len(want))
		})
	}
}

// results returns the digests of all cases, as the current level has them.
func results(t *testing.T) (all []result) {
	all = append(all, hashResults()...)
	all = append(all, filterResults(t)...)
	all = append(all, blockResults()...)
	if program.Raced {
		return all
	}
	all = append(all, slicedResults()...)
	return append(all, kernelResults()...)
}

func compare(t *testing.T, got []result, want map[string]string) {
	found := make(map[string]bool)
	for _, r := range got {
		digest, ok := want[r.name]
		switch {
		case !ok && !found[r.name]:
			t.Errorf("%s has no digest of %q", file, r.name)
		case ok && r.digest != digest:
			t.Errorf("%s, %s: %s, want %s", r.name, r.way, r.digest, digest)
		}
		found[r.name] = true
	}
	for name := range want {
		if !found[name] && !program.Raced {
			t.Errorf("%s has a digest of %q, but no such case exists", file, name)
		}
	}
}

// write writes the file as sha256sum would: a digest, two spaces and a name.
func write(t *testing.T, all []result) {
	t.Helper()
	var text strings.Builder
	written := make(map[string]bool)
	for _, r := range all {
		if !written[r.name] {
			text.WriteString(r.digest + "  " + r.name + "\n")
		}
		written[r.name] = true
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// read returns the digests in the file by name.
func read(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	digests := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		digest, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if _, twice := digests[name]; !ok || twice {
			t.Fatalf("%s: unexpected line %q", file, line)
		}
		digests[name] = digest
	}
	return digests
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// digestOfAnswers is the digest of a byte for each eight answers, the first in its lowest
// bit.
func digestOfAnswers(hits []bool) string {
	packed := make([]byte, (len(hits)+7)/8)
	for i, hit := range hits {
		if hit {
			packed[i/8] |= 1 << (i % 8)
		}
	}
	return digestOf(packed)
}

// unpacked appends the first n answers of a bit set.
func unpacked(hits []bool, words []uint64, n int) []bool {
	for i := range n {
		hits = append(hits, words[i/64]>>(i%64)&1 != 0)
	}
	return hits
}
