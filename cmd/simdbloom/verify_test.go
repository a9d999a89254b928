package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBothVerifiesUseTheSameWords: verify, and sst -verify, about the same file.
func TestBothVerifiesUseTheSameWords(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "apple\n", "build -quiet -file -bits=10 -o {}/filter")
	for _, command := range []string{"verify {}/filter", "sst -verify {}/filter"} {
		if got := must(t, folder, "", command); !strings.HasPrefix(got, folder+"/filter: OK, ") {
			t.Errorf("%s: %s", command, got)
		}
		var got struct{ Status string }
		if err := json.Unmarshal([]byte(must(t, folder, "", command+" -json")), &got); err != nil || got.Status != "OK" {
			t.Errorf("%s -json: %+v, %v", command, got, err)
		}
	}
}

// TestVerify finds a changed byte.
func TestVerify(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, lines(0, 1000), "build -quiet -bits=10 -o {}/set")
	must(t, folder, lines(0, 1000), "build -quiet -bits=10 -file -o {}/file")
	parts, err := filepath.Glob(filepath.Join(folder, "set", "*", "*.filter"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	for _, name := range append(parts, filepath.Join(folder, "file")) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-100] ^= 1
		os.Remove(name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"set", "file"} {
		if status, _, stderr := call(t, folder, "", "info -estimate {}/"+name); status != failed || !strings.Contains(stderr, "corrupt") {
			t.Errorf("info -estimate of %s: status %d, %s", name, status, stderr)
		}
		if status, _, stderr := call(t, folder, "", "verify {}/"+name); status != notFound || !strings.Contains(stderr, ": CORRUPT: piece 0 of 1") {
			t.Errorf("%s: status %d, %s", name, status, stderr)
		}
	}
	if status, stdout, stderr := call(t, folder, "x\n", "check {}/set"); status != failed || stdout != "x\n" || !strings.Contains(stderr, "may be wrong") || strings.Contains(stderr, "filterfile:") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	writeFile(t, filepath.Join(folder, "text"), "no filter\n")
	writeFile(t, filepath.Join(folder, "nothing"), "")
	if err := os.Mkdir(filepath.Join(folder, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	must(t, folder, "x\n", "build -quiet -bits=10 -o {}/right")
	for _, name := range []string{"text", "nothing", "missing"} { // as info does
		_, _, info := call(t, folder, "", "info {}/"+name)
		status, _, stderr := call(t, folder, "", "verify {}/"+name)
		if want := strings.Replace(info, "info", "verify", 1); status != failed || stderr != want {
			t.Errorf("status %d, %s, want %s", status, stderr, want)
		}
	}
	for name, want := range map[string]struct {
		status int
		as     string
	}{"right": {0, "OK"}, "set": {notFound, "corrupt"}, "file": {notFound, "corrupt"}, "text": {failed, "unreadable"}, "missing": {failed, "unreadable"}, "folder": {failed, "unreadable"}} {
		status, stdout, _ := call(t, folder, "", "verify -json {}/"+name)
		var v verified
		if err := json.Unmarshal([]byte(stdout), &v); err != nil || status != want.status || v.Status != want.as || (v.Error == "") != (status == 0) ||
			v.Name != folder+"/"+name || (v.Bytes > 0) != (status == 0 || name == "set") {
			t.Errorf("%s: status %d, %s, %v", name, status, stdout, err)
		}
	}
	os.Remove(parts[0])
	if status, _, stderr := call(t, folder, "", "verify {}/set"); status != failed || !strings.Contains(stderr, ".filter") {
		t.Errorf("a part that is missing: status %d, %s", status, stderr)
	}
}
