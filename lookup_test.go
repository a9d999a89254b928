package simdbloom_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
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
	has := f.Lookup()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a lookup in the zero Filter did not panic")
			}
		}()
		has(1)
	}()
	data, err := filterOf("apple").MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if !has(keyhash.XX64.Sum64String("apple")) {
		t.Error("the key of the bytes that were read is not found")
	}
}

// TestLookupIsInlined compiles the loop that Lookup documents, and with Go's SIMD intrinsics all that it calls.
func TestLookupIsInlined(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil || testing.Short() && os.Getenv("GOEXPERIMENT") == "" || os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
		t.Skip("compiles packages")
	}
	program := filepath.Join(t.TempDir(), "loop.go")
	const loop = `package loop

import "github.com/simdbloom/simdbloom"

func Count(f *simdbloom.Filter, hashes []uint64) (found int) {
	has := f.Lookup()
	for _, hash := range hashes {
		if has(hash) {
			found++
		}
	}
	return found
}
`
	if err := os.WriteFile(program, []byte(loop), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wanted := []string{`loop\.go:8:9: inlining call to .*\bLookup\.\S*func1`}
	if strings.Contains(os.Getenv("GOEXPERIMENT"), "simd") {
		wanted = append(wanted, `loop\.go:8:9: inlining call to archsimd\.Broadcast`)
	}
	for _, want := range wanted {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("no %q, but\n%s", want, out)
		}
	}
}
