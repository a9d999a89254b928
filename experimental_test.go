package simdbloom_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// A loop that looks up one hash after the other keeps the function in a local variable, and calls it at one place.
func ExampleFilter_Lookup() {
	builder, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		fmt.Println(err)
		return
	}
	builder.AddUint64(1)
	builder.AddUint64(3)
	filter, err := builder.Filter()
	if err != nil {
		fmt.Println(err)
		return
	}
	has := filter.Lookup()
	for value := range uint64(5) {
		if has(keyhash.XX64.SumUint64(value)) {
			fmt.Println(value, "may have been added")
		}
	}
	// Output:
	// 1 may have been added
	// 3 may have been added
}

func TestLookupFollowsTheFilter(t *testing.T) {
	var f simdbloom.Filter
	has, hasUint64 := f.Lookup(), f.LookupUint64()
	for _, look := range []func(uint64) bool{has, hasUint64} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a lookup in the zero Filter did not panic")
				}
			}()
			look(1)
		}()
	}
	const key = 0x656c707061 // "apple" and three zeros
	data, err := filterOf("apple\x00\x00\x00").MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if !has(keyhash.XX64.SumUint64(key)) || !hasUint64(key) {
		t.Error("the key of the bytes that were read is not found")
	}
}

// TestLookupUint64OfOtherHashes has hashes that are not inlined, and bytes of another hash than the recorded one.
func TestLookupUint64OfOtherHashes(t *testing.T) {
	filled := func(b *simdbloom.Builder, err error) *simdbloom.Filter {
		for i := range uint64(1000) {
			must(b, err).AddUint64(i)
		}
		return must(b.Filter())
	}
	old := filled(legacy.NewBuilder(10, keyhash.RocksDB32))
	for what, f := range map[string]*simdbloom.Filter{
		"XX64": filled(bloom.NewBuilder(10, keyhash.XX64)), "XXPH3": filled(bloom.NewBuilder(10, keyhash.XXPH3)), "RocksDB32": old,
		"RocksDB32 as XXPH3": must(simdbloom.OpenNamed("simdbloom.FastLocal.XXPH3", old.Bytes(), keyhash.Hash{})),
	} {
		has, found := f.LookupUint64(), 0
		for i := range uint64(3000) {
			if has(i) != f.ContainsUint64(i) || i < 1000 && !has(i) {
				t.Fatalf("%s, %d: not %v", what, i, f.ContainsUint64(i))
			}
			if has(i) {
				found++
			}
		}
		if found > 1200 {
			t.Errorf("%s: %d of 2,000 absent keys are found", what, found-1000)
		}
	}
}

// compiled returns what the compiler says about inlining in a package, or a program's file, for a processor.
func compiled(t *testing.T, arch, m, what string) []byte {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() && os.Getenv("GOEXPERIMENT") == "" || os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
		t.Skip("compiles packages")
	}
	build := exec.Command("go", "build", "-gcflags="+m, what)
	build.Env = append(build.Environ(), "GOARCH="+arch)
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// isInlining reports whether lookups are inlined in this build.
var isInlining = strings.Contains(os.Getenv("GOEXPERIMENT"), "simd")

// processors are those that compiled is for: this one, and with Go's SIMD intrinsics all that have lookups.
func processors() []string {
	if isInlining {
		return []string{"amd64", "arm64"}
	}
	return []string{runtime.GOARCH}
}

// TestLookupsAreInlined compiles the loop that Lookup documents, and with Go's SIMD intrinsics all that it calls.
func TestLookupsAreInlined(t *testing.T) {
	program := filepath.Join(t.TempDir(), "loop.go")
	const loop = `package loop

import "github.com/simdbloom/simdbloom"

func Count(f *simdbloom.Filter, hashes []uint64) (found int) {
	has := f.%s()
	for _, hash := range hashes {
		if has(hash) {
			found++
		}
	}
	return found
}
`
	for _, name := range []string{"Lookup", "LookupUint64"} {
		if err := os.WriteFile(program, fmt.Appendf(nil, loop, name), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, arch := range processors() {
			out := compiled(t, arch, "-m", program)
			closures, inlined := make(map[string]bool), regexp.MustCompile(`loop\.go:8:9: inlining call to .*\bLookup\S*\.func`).FindAll(out, -1)
			for _, m := range regexp.MustCompile(`(lookup\w*\.go:\d+:\d+): can inline .*\bLookup\S*\.func`).FindAllSubmatch(out, -1) {
				closures[string(m[1])] = true
			}
			if len(closures) == 0 || len(inlined) < len(closures) {
				t.Errorf("%s, %s: %d of %d closures are inlined:\n%s", arch, name, len(inlined), len(closures), out)
			}
			if isInlining && !regexp.MustCompile(`loop\.go:8:9: inlining call to archsimd\.Broadcast`).Match(out) {
				t.Errorf("%s, %s: no SIMD intrinsics:\n%s", arch, name, out)
			}
		}
	}
}

// TestLookupsAreCheap compares the closures' costs with the compiler's limit for those that are called at one place,
// 800. Its next version may count otherwise.
func TestLookupsAreCheap(t *testing.T) {
	const most = 720
	for _, arch := range processors() {
		found := 0
		for _, m := range regexp.MustCompile(`can inline \(\*Kernel\)\.Lookup\.func\S* with cost (\d+)`).FindAllSubmatch(compiled(t, arch, "-m=2", "./asm"), -1) {
			cost, _ := strconv.Atoi(string(m[1]))
			t.Logf("%s: %s", arch, m[0])
			if found++; cost > most {
				t.Errorf("%s: a lookup costs %d, more than %d", arch, cost, most)
			}
		}
		if found == 0 {
			t.Errorf("%s: no lookup can be inlined", arch)
		}
	}
}
