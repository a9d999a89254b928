package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConstantsAreCompared changes constants that the generator shares with package
// asm, each in a copy of the sources.
func TestConstantsAreCompared(t *testing.T) {
	for arch := range sharedConstants {
		if _, err := declarations("../..", arch); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
	for _, c := range []struct{ arch, file, have, changed, named string }{
		{"amd64", "asm/asm.go", "octet = 8", "octet = 16", "asm.octet"},
		{"amd64", "asm/chunks.go", "nearChunk = 2048", "nearChunk = 4096", "asm.nearChunk"},
		{"amd64", "cpu/cpu.go", "AVX2\n", "AVX2 = iota + 2\n", "cpu.AVX512"},
		{"amd64", "fallback/partition.go", "SegmentSize = ", "SegmentSize = 1 + ", "fallback.SegmentSize"},
		{"arm64", "asm/kernel_arm64.go", "neonKeys = 16", "neonKeys = 8", "asm.neonKeys"},
	} {
		root := t.TempDir()
		for _, dir := range []string{"asm", "fallback", "cpu"} {
			copySources(t, root, dir, func(file, text string) string {
				if dir+"/"+file != c.file {
					return text
				}
				if !strings.Contains(text, c.have) {
					t.Errorf("%s has no %q", c.file, c.have)
				}
				return strings.Replace(text, c.have, c.changed, 1)
			})
		}
		if _, err := declarations(root, c.arch); err == nil || !strings.Contains(err.Error(), c.named) {
			t.Errorf("%q instead of %q: %v", c.changed, c.have, err)
		}
	}
}

// copySources copies a package of the module to a root, as changed.
func copySources(t *testing.T, root, dir string, change func(file, text string) string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			name := filepath.Base(file)
			err = os.WriteFile(filepath.Join(root, dir, name), []byte(change(name, string(text))), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
