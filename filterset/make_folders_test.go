package filterset_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// tree returns the paths of everything in a folder, links as they are.
func tree(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil {
			all = append(all, filepath.ToSlash(path)+" "+entry.Type().String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// places makes folders and links in the working directory, and returns the names of sets to write there.
func places(t *testing.T) []string {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, err := range []error{
		os.Mkdir("empty", 0o777), os.Mkdir("notes", 0o777), os.WriteFile("notes/a", []byte("mine"), 0o666), os.WriteFile("file", []byte("mine"), 0o666),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"empty", "empty/", "./empty", "notes", "new", "empty/new", "notes/x/y/z", "a/b/c/", "a//b", "p/../q", "p/."}
	for link, to := range map[string]string{"toEmpty": "empty", "toNotes": "notes", "toLink": "toEmpty"} {
		if err := os.Symlink(to, link); err != nil {
			t.Log(err)
			return names
		}
	}
	names = append(names, "toEmpty", "toEmpty/", "toNotes", "toLink", "toEmpty/new", "toNotes/x/y", "toNotes/../r/s")
	if dir, err := filepath.Abs("absolute/set"); err == nil {
		names = append(names, dir)
	}
	return names
}

// TestAbortedSetsLeaveFoldersAsTheyWere: what was made is removed, with its parents, and what was there stays.
func TestAbortedSetsLeaveFoldersAsTheyWere(t *testing.T) {
	names := places(t)
	hashes := someHashes(1, 1000)
	buildSet(t, "source", policy.FastLocal(10), hashes, filterset.WithParts(2))
	buildSet(t, "broken", policy.FastLocal(10), hashes, filterset.WithParts(2))
	part := filepath.Join("broken", infoOf(t, "broken").Layers[0].Folder(), filterset.PartFile(1))
	if err := errors.Join(os.Remove(part), os.WriteFile(part, []byte("cut short"), 0o666)); err != nil {
		t.Fatal(err)
	}
	before := tree(t, ".")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	builder := func(name string) *filterset.Builder {
		b, err := filterset.NewBuilder(name, policy.FastLocal(10), 1, setMemory)
		if err != nil {
			t.Fatal(err)
		}
		b.AddHashes(hashes)
		return b
	}
	for _, name := range names {
		for how, abort := range map[string]func() error{
			"closed":    func() error { builder(name).Close(); return fs.ErrClosed },
			"cancelled": func() error { return builder(name).Finish(cancelled) },
			"layer lost": func() error {
				b := builder(name)
				layers, err := filepath.Glob(filepath.Join(name, "layer-*"))
				if err != nil || len(layers) != 1 {
					t.Fatal(layers, err)
				}
				if err := os.RemoveAll(layers[0]); err != nil { // Windows: the builder has its lock's file open
					b.Close()
					return err
				}
				return b.Finish(context.Background())
			},
			"merged halfway": func() error { return filterset.Merge(name, "source", "broken") },
			"merged of none": func() error { return filterset.Merge(name, "source", "missing") },
		} {
			if err := abort(); err == nil {
				t.Errorf("%s, %s: no error", name, how)
			}
			if after := tree(t, "."); !slices.Equal(after, before) {
				t.Fatalf("%s, %s: %q, and before %q", name, how, after, before)
			}
		}
	}
	for _, name := range names {
		buildSet(t, name, policy.FastLocal(10), hashes)
		before := tree(t, ".")
		builder(name).Close()
		if err := filterset.Merge(name, "source", "broken"); err == nil {
			t.Error("merged a broken set")
		}
		if after := tree(t, "."); !slices.Equal(after, before) {
			t.Fatalf("%s with a set: %q, and before %q", name, after, before)
		}
	}
}

// TestFilesInThePlaceOfFolders are errors, and stay.
func TestFilesInThePlaceOfFolders(t *testing.T) {
	places(t)
	buildSet(t, "source", policy.FastLocal(10), someHashes(1, 10))
	os.Symlink("file", "toFile")
	os.Symlink("nowhere", "toNothing")
	before := tree(t, ".")
	for _, name := range []string{"file", "file/set", "file/a/b", "toFile", "toFile/set", "toNothing", "toNothing/set"} {
		if name[:2] == "to" && !slices.ContainsFunc(before, func(path string) bool { return path[:2] == "to" }) {
			continue // the system has no links
		}
		if _, err := filterset.NewBuilder(name, policy.FastLocal(10), 1, setMemory); err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := filterset.Merge(name, "source"); err == nil {
			t.Errorf("%s: no error", name)
		}
		if after := tree(t, "."); !slices.Equal(after, before) {
			t.Fatalf("%s: %q, and before %q", name, after, before)
		}
	}
}

// TestFoldersInUseStay: others may have put something into the folders that a builder made, or links in their place.
func TestFoldersInUseStay(t *testing.T) {
	t.Chdir(t.TempDir())
	begin := func() *filterset.Builder {
		return must(filterset.NewBuilder("a/b/c", policy.FastLocal(10), 1, setMemory))
	}
	b := begin()
	if err := os.WriteFile("a/b/notes", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	b.Close()
	if got, want := tree(t, "."), []string{". d---------", "a d---------", "a/b d---------", "a/b/notes ----------"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	os.RemoveAll("a")

	first := begin()
	second := begin() // which made nothing
	first.Close()
	second.AddUint64(1)
	if err := second.Finish(context.Background()); err != nil || infoOf(t, "a/b/c").Keys() != 1 {
		t.Fatal(err)
	}
	os.RemoveAll("a")

	for _, name := range []string{"a/b/c", "a/b/c/", "a//b//c//", "./a/b/c"} {
		for _, moved := range []string{"a", "a/b", "a/b/c"} {
			b := must(filterset.NewBuilder(name, policy.FastLocal(10), 1, setMemory))
			if errors.Join(os.Rename(moved, "moved"), os.Symlink(must(filepath.Abs("moved")), moved)) != nil {
				b.Close()
				t.Skip("the system has no links, or moves no folder that is in use")
			}
			b.Close()
			if _, err := os.Readlink(moved); err != nil {
				t.Errorf("set %s, a link in the place of %s: %v", name, moved, err)
			}
			if info, err := os.Stat("moved"); err != nil || !info.IsDir() {
				t.Errorf("set %s, what was moved from %s: %v", name, moved, err)
			}
			os.RemoveAll("a")
			os.RemoveAll("moved")
		}
	}
}

// TestNoWorkingDirectory is an error, and not waited for.
func TestNoWorkingDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Remove(must(os.Getwd())); err != nil {
		t.Skip(err)
	}
	if _, err := filterset.NewBuilder("a/set", policy.FastLocal(10), 1, setMemory); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
