package main

import (
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestFiltersOfPackages: info, check and verify say which package reads a filter that they do not read.
func TestFiltersOfPackages(t *testing.T) {
	folder := t.TempDir()
	made, err := bitsandblooms.NewForRate(100, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	dump, err := blobloom.New(1024, 5, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	bits := string(made.Bytes())
	for name, c := range map[string]struct{ text, want string }{
		"bits-and-blooms": {bits, "simdbloom/bitsandblooms reads it"},
		"weaviate":        {"abcd" + bits, "simdbloom/bitsandblooms reads it, as an example"},
		"cut":             {bits[:len(bits)-1], "not a filter file"},
		"json":            {`{"m":1000,"k":7,"b":"AAAA"}`, "UnmarshalJSON"},
		"milvus":          {`[{"fieldID":100,"max":1,"min":0,"bfType":4,"bf":{}}]`, "simdbloom/blobloom"},
		"blobloom":        {string(dump.Bytes()), "simdbloom/blobloom reads it"},
		"other":           {`{"a":1,"k":2}`, "not a filter file"},
		"half":            {`{"m":1}`, "not a filter file"},
	} {
		writeFile(t, filepath.Join(folder, name), c.text)
		for _, command := range []string{"info", "check", "verify"} {
			if status, _, stderr := call(t, folder, "a\n", command+" {}/"+name); status != failed || !strings.Contains(stderr, c.want) {
				t.Errorf("%s %s: status %d, %s", command, name, status, stderr)
			}
		}
	}
	for _, flags := range []string{"", " -file"} {
		if status, _, stderr := call(t, folder, "", "build -bits=10 -parquet=id -o {}/x {}/json"+flags); status != failed || !strings.Contains(stderr, "not a Parquet file") {
			t.Errorf("status %d, %s", status, stderr)
		}
	}
}

// TestVersion: a clone's commit is in the version.
func TestVersion(t *testing.T) {
	const commit = "61f4c7893aa754fce7b247d0370e7b2bd9e1c244"
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: "true"}}
	for want, info := range map[string]*debug.BuildInfo{
		"(devel) go1.26": {GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}},
		"(devel) commit 61f4c7893aa7 with changes go1.26": {GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}, Settings: vcs},
		"v0.0.0-20261128205114-61f4c7893aa7+dirty go1.26": {GoVersion: "go1.26", Main: debug.Module{Version: "v0.0.0-20261128205114-61f4c7893aa7+dirty"}, Settings: vcs},
		"v1.0.0 commit 61f4c7893aa7 go1.26":               {GoVersion: "go1.26", Main: debug.Module{Version: "v1.0.0"}, Settings: vcs[:1]},
	} {
		if got := versionOf(info); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
