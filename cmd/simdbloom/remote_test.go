package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
)

// TestRemoteSets: check of an address prints what it prints of the folder or the file, also if keys were read in lower
// case, and counts requests. A server that fails makes the exit status 3, and no key looks absent.
func TestRemoteSets(t *testing.T) {
	folder := t.TempDir()
	var broken atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/refused/") {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		if broken.Load() && !strings.HasSuffix(r.URL.Path, "manifest") {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		http.FileServer(http.Dir(folder)).ServeHTTP(w, r)
	}))
	defer server.Close()
	must(t, folder, lines(0, 200_000), "build -quiet -fpr=1e-6 -o {}/a/set")
	must(t, folder, "AB12\nCD34\n", "build -quiet -fpr=1e-6 -lower -o {}/lower")
	parts, err := filepath.Glob(filepath.Join(folder, "a", "set", "layer-*", "00000.filter"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	data, err := os.ReadFile(parts[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "a file.filter"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	asked := lines(199_000, 2000)
	want := must(t, folder, asked, "check -quiet {}/a/set")
	for _, address := range []string{"/a/set", "/a/set/", "/a/../a/set?token=1", "/a%20file.filter"} {
		if got := must(t, folder, asked, "check -quiet "+server.URL+address); got != want {
			t.Errorf("%s: %d bytes, want %d", address, len(got), len(want))
		}
	}
	if got := must(t, folder, "ab12\nAB12\nxx\n", "check -quiet "+server.URL+"/lower"); got != "ab12\nAB12\n" {
		t.Errorf("keys in lower case: %q", got)
	}
	var counted struct{ Keys, Requests, Requested_bytes int64 }
	if err := json.Unmarshal([]byte(must(t, folder, asked, "check -json "+server.URL+"/a/set")), &counted); err != nil ||
		counted.Keys != 2000 || counted.Requests < 3 || counted.Requests > 20 || counted.Requested_bytes == 0 {
		t.Errorf("%+v, %v", counted, err)
	}
	if err := os.Mkdir(filepath.Join(folder, "changed"), 0o700); err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "lower", filterset.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "changed", filterset.Manifest), string(manifest[:len(manifest)-2]))
	for address, want := range map[string]string{
		server.URL + "/changed": "manifest", server.URL + "/refused": "403",
		server.URL + "/none": "404", server.URL: "whole file", "http://": "not the URL", "https://%zz/": "invalid",
	} {
		if status, _, stderr := call(t, folder, asked, "check "+address); status != 3 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", address, status, stderr)
		}
	}
	broken.Store(true)
	status, stdout, stderr := call(t, folder, asked, "check "+server.URL+"/a/set")
	if status != 3 || stdout != asked || !strings.Contains(stderr, "500") {
		t.Errorf("a broken server: status %d, %d bytes, %s", status, len(stdout), stderr)
	}
}
