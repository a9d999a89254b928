// Package copies tests that go vet reports copies of types that must not be copied.
package copies

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const copies = "testdata/copies.go"

// TestVet: vet reports each copy of the file, and nothing else.
func TestVet(t *testing.T) {
	text, err := os.ReadFile(copies)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		_, comment, _ := strings.Cut(line, "// copy")
		if strings.Contains(line, "// copy") {
			for range 1 + strings.Count(comment, "copy") {
				want = append(want, fmt.Sprintf("line %d: %s", i+1, strings.TrimSpace(line)))
			}
		}
	}
	output, _ := exec.Command("go", "vet", "-copylocks", copies).CombinedOutput()
	for _, m := range regexp.MustCompile(`copies\.go:(\d+):\d+: (.*)`).FindAllStringSubmatch(string(output), -1) {
		if !strings.Contains(m[2], "lock") {
			t.Error(m[0])
		}
		var n int
		fmt.Sscan(m[1], &n)
		got = append(got, fmt.Sprintf("line %d: %s", n, strings.TrimSpace(lines[n-1])))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nreported:\n%s\nwant:\n%s", output, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// mayBeCopied are the exported structs that are values, or immutable, or whose copies share everything that changes.
var mayBeCopied = []string{
	"adapters/beam.Filter", "adapters/beam.Remote", "adapters/beam.Set", "adapters/parquet.Column", "adapters/parquet.File",
	"adapters/parquet.FilterError", "bitsandblooms.Filter",
	"bitsandblooms.Hash", "dcso.Filter", "filterblock.Counts", "filterblock.Extractor", "filterblock.Handle", "filterblock.Index",
	"filterblock.IndexFormat", "filterblock.Options", "filterblock.ReadOptions", "filterblock.Reader", "filterfile.Counters", "filterfile.Info",
	"adapters/parquet/parquetgo.Verified", "policy.Own", "filterset.Info", "filterset.Layer", "filterset.Part", "filterset.Progress", "keyhash.Column", "keyhash.Hash", "leveldb.Block",
	"policy.Policy", "redisbloom.Filter", "redisbloom.Link", "simdbloom.Filter", "sliced.Shape",
}

// TestAllTypes: each exported struct is in the file of copies, or in the list. Those of package table are what was
// read.
func TestAllTypes(t *testing.T) {
	api, err := os.ReadFile("../../../api/v0.1.0.txt")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(copies)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^pkg ([^,]*), type (\w+) struct$`).FindAllStringSubmatch(string(api), -1) {
		name := m[1] + "." + m[2]
		if m[1] != "table" && !slices.Contains(mayBeCopied, name) && !bytes.Contains(text, []byte("// copy "+name+"\n")) {
			t.Errorf("%s is neither in the list nor in %s", name, copies)
		}
	}
}
