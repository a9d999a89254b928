package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
)

// TestAbortedBuildsLeaveWhatWasThere: after Ctrl-C, or an error halfway, before or after the set's builder has begun.
func TestAbortedBuildsLeaveWhatWasThere(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.Mkdir("empty", 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "file", "mine\n")
	must(t, "", "a\n", "build -quiet -bits=10 -o source")
	outs := []string{"new", "empty", "typed/wrong/set", "empty/x/y"}
	if os.Symlink("empty", "toEmpty") == nil {
		outs = append(outs, "toEmpty", "toEmpty/x/y")
	}
	few, many := lines(0, 1000), lines(0, 1_300_000)
	before := names(t, folder)
	for _, out := range outs {
		for args, list := range map[string]string{
			"build -bits=10 -memory=16MiB -csv=1 -o ": many + "\"\n",
			"build -bits=10 -memory=16MiB -csv=2 -o ": few,
			"build -bits=10 -file -csv=1 -o ":         few + "\"\n",
		} {
			if status, _, stderr := call(t, "", list, args+out); status == 0 {
				t.Errorf("%s%s: %s", args, out, stderr)
			}
			if now := names(t, folder); now != before {
				t.Fatalf("%s%s: %s, and before %s", args, out, now, before)
			}
		}
		if status, _, stderr := call(t, "", "", "merge -o "+out+" source file"); status != badArguments {
			t.Error(status, stderr)
		}
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			io.WriteString(w, many) // after which the builder has begun
			cancel()
		}()
		if status := run(ctx, &streams{r, io.Discard, io.Discard}, strings.Fields("build -bits=10 -memory=16MiB -o "+out)); status != interrupted {
			t.Error(status)
		}
		r.Close()
		if now := names(t, folder); now != before {
			t.Fatalf("%s interrupted: %s, and before %s", out, now, before)
		}
	}
}

// TestMadeFoldersAreSaid: a mistyped path gets new folders only with a word, also with -quiet.
func TestMadeFoldersAreSaid(t *testing.T) {
	folder := t.TempDir()
	const said = "does not exist, and is made"
	for _, c := range []struct {
		args string
		want bool
	}{
		{"build -quiet -bits=10 -o {}/a", false},
		{"build -quiet -bits=10 -o {}/b/", false},
		{"build -quiet -bits=10 -o {}/x/y/a", true},
		{"build -quiet -bits=10 -o {}/x/y/b", false},
		{"merge -quiet -o {}/z/a {}/a", true},
	} {
		status, _, stderr := call(t, folder, "1\n", c.args)
		if status != 0 || strings.Contains(stderr, said) != c.want {
			t.Errorf("%s: status %d, %q", c.args, status, stderr)
		}
	}
	before := names(t, folder)
	if status, _, stderr := call(t, folder, "1\n", "build -file -bits=10 -o {}/typed/wrong"); status != badArguments || !strings.Contains(stderr, "typed is not a folder") {
		t.Error(status, stderr)
	}
	if now := names(t, folder); now != before {
		t.Error(now)
	}
}

// TestOnlyFiltersAreReplaced, or anything with -force, but folders and what is no file.
func TestOnlyFiltersAreReplaced(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "old\n", "build -quiet -bits=10 -o {}/set")
	must(t, folder, "old\n", "build -quiet -bits=10 -file -o {}/filter")
	writeFile(t, filepath.Join(folder, "empty"), "")
	writeFile(t, filepath.Join(folder, "text"), "mine\n")
	if err := os.Mkdir(filepath.Join(folder, "mine"), 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "mine", filterset.Manifest), "mine\n")
	links := os.Symlink("filter", filepath.Join(folder, "toFilter")) == nil
	if links {
		os.Symlink("text", filepath.Join(folder, "toText"))
		os.Symlink("nowhere", filepath.Join(folder, "toNothing"))
		os.Symlink("set", filepath.Join(folder, "toSet"))
	}
	const no = badArguments
	for _, c := range []struct {
		args string
		want int
	}{
		{"-o {}/text", no},
		{"-o {}/text -force", no},
		{"-o {}/mine", no},
		{"-o {}/toText", no},
		{"-o {}/toNothing", no},
		{"-file -o {}/text", no},
		{"-file -o {}/toText", no},
		{"-file -o {}/toNothing", no},
		{"-file -o {}/set", no},
		{"-file -o {}/set -force", no},
		{"-file -o {}", no},
		{"-o {}/set", 0},
		{"-o {}/toSet", 0},
		{"-file -o {}/filter", 0},
		{"-file -o {}/toFilter", 0},
		{"-file -o {}/empty", 0},
		{"-o {}/mine -force", 0},
		{"-file -o {}/toText -force", 0},
		{"-file -o {}/text -force", 0},
	} {
		if strings.Contains(c.args, "/to") && !links {
			continue
		}
		before := names(t, folder)
		status, _, stderr := call(t, folder, "new\n", "build -quiet -bits=20 "+c.args)
		if status != c.want || c.want == 0 && stderr != "" || c.want != 0 && names(t, folder) != before {
			t.Errorf("%s: status %d, %s", c.args, status, stderr)
		}
		if text, err := os.ReadFile(filepath.Join(folder, "text")); !strings.Contains(c.args, "/text -force") && (err != nil || string(text) != "mine\n") {
			t.Fatalf("%s: the text is %q, %v", c.args, text, err)
		}
		if out := strings.Fields(c.args); c.want == 0 {
			for _, name := range out {
				if strings.HasPrefix(name, "{}") {
					if got := must(t, folder, "new\nold\n", "check "+name); got != "new\n" {
						t.Errorf("%s: %q", c.args, got)
					}
				}
			}
		}
	}
}

// TestFewBitsPerKey: less than one is printed, too.
func TestFewBitsPerKey(t *testing.T) {
	var text strings.Builder
	f := &facts{BitsPerKey: 0.25}
	if err := f.print(&text); err != nil || !strings.Contains(text.String(), "  bits/key       0.25\n") || !strings.Contains(f.line(), ", 0.25 bits/key") {
		t.Errorf("%v: %s%s", err, &text, f.line())
	}
}
