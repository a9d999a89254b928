package filterset_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestNewFoldersAreStored: the system stores the name of each folder that was made, or it is an error, and the folders
// are gone.
func TestNewFoldersAreStored(t *testing.T) {
	t.Chdir(t.TempDir())
	buildSet(t, "source", policy.FastLocal(10), []uint64{1})
	var synced []string
	fails := ""
	broken := errors.New("broken")
	defer filterset.SyncFolders(func(name string) error {
		synced = append(synced, filepath.Clean(name))
		if fails != "" && synced[len(synced)-1] == filepath.Clean(fails) || fails != "" && strings.HasPrefix(filepath.Base(name), fails) {
			return broken
		}
		return nil
	})()
	for name, parents := range map[string][]string{
		"set":       {"."},
		"x/y/z/set": {".", "x", "x/y", "x/y/z"},
		"w/../set":  {"."},
		"v//set/":   {".", "v"},
	} {
		for how, build := range map[string]func() error{
			"built":  func() error { return build(name) },
			"merged": func() error { return filterset.Merge(name, "source") },
		} {
			for _, fails = range append(parents, "layer-", "") {
				synced = nil
				before := tree(t, ".")
				err := build()
				if fails != "" {
					if after := tree(t, "."); !errors.Is(err, broken) || !slices.Equal(after, before) {
						t.Errorf("%s, %s: storing %s fails: %v, and there is %q", name, how, fails, err, after)
					}
					continue
				}
				if err != nil {
					t.Error(name, how, err)
				}
				for _, parent := range parents {
					if !slices.Contains(synced, filepath.FromSlash(parent)) {
						t.Errorf("%s, %s: only %q are stored", name, how, synced)
					}
				}
			}
			for _, made := range []string{"set", "x", "w", "v"} {
				os.RemoveAll(made)
			}
		}
	}
	if err := os.Mkdir("there", 0o777); err != nil {
		t.Fatal(err)
	}
	if fails = "."; build("there/set") != nil {
		t.Error("a folder must be stored that was there before")
	}
	fails = filterset.PartFile(0) // in case the set was copied
	if err := filterset.Merge("set", "source"); !errors.Is(err, broken) {
		t.Errorf("a part cannot be stored: %v", err)
	}
	broken, fails = fs.ErrPermission, "." // users may write in a folder, but not read it
	if err := build("set"); err != nil {
		t.Errorf("a folder that cannot be read cannot be stored: %v", err)
	}
}

// TestSetsThatVanish while they are built: it is an error.
func TestSetsThatVanish(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	defer filterset.SyncFolders(func(name string) error {
		if strings.HasPrefix(filepath.Base(name), "layer-") { // the last thing before the set is locked
			os.RemoveAll(dir)
		}
		return nil
	})()
	if err := build(dir); !errors.Is(err, fs.ErrNotExist) && runtime.GOOS != "windows" {
		t.Error(err)
	}
}

// build builds a set of a key, and closes its builder whatever the error.
func build(dir string) error {
	b, err := filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory)
	if err != nil {
		return err
	}
	defer b.Close()
	b.AddHash(1)
	return b.Finish(context.Background())
}

// TestPartsThatAreThere are not a builder's, which writes none of them.
func TestPartsThatAreThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	b := must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory))
	defer b.Close()
	layers := must(filepath.Glob(filepath.Join(dir, "layer-*")))
	if err := os.WriteFile(filepath.Join(layers[0], filterset.PartFile(0)), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := b.Finish(context.Background()); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}

// TestTooManyLayers are an error before keys are added, or files are linked.
func TestTooManyLayers(t *testing.T) {
	dir := t.TempDir()
	full, one, to := filepath.Join(dir, "full"), filepath.Join(dir, "one"), filepath.Join(dir, "to")
	for _, name := range []string{full, one} {
		buildSet(t, name, policy.FastLocal(10), []uint64{1}, filterset.WithParts(1))
	}
	s := openSet(t, full)
	info := s.Info()
	s.Close()
	for i := 1; i < 1024; i++ {
		layer := info.Layers[0]
		layer.ID = fmt.Sprintf("%016x", i)
		info.Layers = append(info.Layers, layer)
	}
	text := must(info.MarshalText())
	manifest := filepath.Join(full, filterset.Manifest)
	if err := errors.Join(os.Remove(manifest), os.WriteFile(manifest, text, 0o666)); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	_, err := filterset.NewBuilder(full, policy.FastLocal(10), 1, setMemory, filterset.WithLayer())
	for how, err := range map[string]error{
		"built":            err,
		"merged into it":   filterset.Merge(full, one),
		"merged with one":  filterset.Merge(to, full, one),
		"merged with more": filterset.Merge(one, full),
	} {
		if err == nil || !strings.Contains(err.Error(), "above 1024") {
			t.Errorf("%s: %v", how, err)
		}
	}
	if after := tree(t, dir); !slices.Equal(after, before) {
		t.Errorf("%q, and before %q", after, before)
	}
	info.Layers = info.Layers[:1023] // and one more is not too many
	if err := errors.Join(os.Remove(manifest), os.WriteFile(manifest, must(info.MarshalText()), 0o666)); err != nil {
		t.Fatal(err)
	}
	if err := filterset.Merge(full, one); err != nil {
		t.Error(err)
	}
}
