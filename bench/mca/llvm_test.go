package main

import "testing"

func TestVersionOf(t *testing.T) {
	for _, c := range []struct {
		said, version string
		major         int
	}{
		{"Debian LLVM version 19.1.7\n  Optimized build.\n", "19.1.7", 19},
		{"LLVM (http://llvm.org/):\n  LLVM version 20.1.0-rc2\n", "20.1.0-rc2", 20},
		{"LLVM version 3.9\n", "3.9", 3},
		{"another program", "", 0},
	} {
		if version, major := versionOf(c.said); version != c.version || major != c.major {
			t.Errorf("%q: %q, %d, want %q, %d", c.said, version, major, c.version, c.major)
		}
	}
}
