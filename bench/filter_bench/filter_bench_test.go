package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// succeed runs the command and returns what it prints.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("%q: status %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

func TestFlagsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		status     int
		args, said string
	}{
		{2, "-vary_key_count_ratio=1.1", "must be 0 to 1"},
		{2, "-batch_size=1000000 -key_size=10000", "-batch_size"},
		{2, "-impl=7", "5 or LevelDB = "},
		{2, "-impl=leveldb.BuiltinBloomFilter", "the nearest are leveldb.BuiltinBloomFilter2"},
		{2, "-m_keys_total_max=1e-7", "-m_keys_total_max"},
		{2, "-working_mem_size_mb=0", "for ever"},
		{2, "-use_ribbon", "not defined"},
		{2, "stray", "not a flag"},
		{2, "-table -quick", "-quick has no meaning with -table"},
		{2, "-keys=testdata/keys.txt", "-keys has no meaning without -table"},
		{1, "-table -keys=testdata/nowhere", "nowhere"},
		{1, "-table simdbloom.FastLocal", "missing"},
		{1, "-m_queries=0.0001 -working_mem_size_mb=2", "less than one query"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(c.args), &stdout, &stderr); status != c.status || !strings.Contains(stderr.String(), c.said) {
			t.Errorf("%s: status %d, %s", c.args, status, stderr.String())
		}
	}
}

// TestSettingsAtTheEdge must not hang, panic or fail.
func TestSettingsAtTheEdge(t *testing.T) {
	for _, args := range []string{
		"-m_queries=0.000001 -quick -working_mem_size_mb=0.1",  // less than a query
		"-m_queries=0.01 -working_mem_size_mb=1e-9 -best_case", // less than a byte
		"-m_queries=0.01 -working_mem_size_mb=1e-9",
		"-m_queries=0.01 -m_keys_total_max=0.000001", // one key
		"-m_queries=0.01 -m_keys_total_max=0.003 -average_keys_per_filter=1 -vary_key_count_ratio=1",
		"-m_queries=0.001 -m_keys_total_max=0.3 -average_keys_per_filter=10 -allow_bad_fp_rate", // more filters than queries
		"-m_queries=0.01 -m_keys_total_max=0.01 -key_size=0 -batch_size=1",
		"-m_queries=0.01 -m_keys_total_max=0.01 -batch_size=100000",
		"-m_queries=0.01 -m_keys_total_max=0.01 -bits_per_key=1e300",
	} {
		succeed(t, strings.Fields(args)...)
	}
}

// numberedLines writes a file of lines, some of them twice, and returns its path.
func numberedLines(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "line %d\nline %d\n", i, i/2)
	}
	path := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTreeLines(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	for name, content := range map[string]string{
		"a.go": text.String(), "b/b.go": "line 3\r\nmore\n\nlast", "c.txt": "not Go",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := treeLines(dir)
	if err != nil || len(lines) != 1503 || !slices.EqualFunc(lines[1500:], []string{"more", "", "last"},
		func(line []byte, want string) bool { return string(line) == want }) {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	for _, bad := range []string{filepath.Join(dir, "b"), filepath.Join(dir, "nowhere")} {
		if lines, err := treeLines(bad); err == nil {
			t.Errorf("%s: %d lines", bad, len(lines))
		}
		if lines, err := fileLines(bad); err == nil {
			t.Errorf("%s: %d lines", bad, len(lines))
		}
	}
}
