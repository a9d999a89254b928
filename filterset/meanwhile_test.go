package filterset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestSetReplacedMeanwhile: a layer is not added to a set that was replaced by one of another format since it was
// begun, and that set stays.
func TestSetReplacedMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), []uint64{1})
	b := must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithLayer()))
	defer b.Close()
	b.AddHash(2)
	buildSet(t, dir, policy.Linear(12), []uint64{3})
	want := infoOf(t, dir)
	if err := b.Finish(context.Background()); err == nil || !strings.Contains(err.Error(), want.Format) {
		t.Error(err)
	}
	if info := infoOf(t, dir); info.Format != want.Format || len(info.Layers) != 1 || info.Layers[0].ID != want.Layers[0].ID {
		t.Errorf("%+v, want %+v", info, want)
	}
}

// TestErrOfLazySets: Err is nil until a lookup reads what is wrong, and then names the part.
func TestErrOfLazySets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	hashes := someHashes(1, 200_000)
	buildSet(t, dir, policy.FastLocal(10), hashes, filterset.WithParts(1))
	parts := must(filepath.Glob(filepath.Join(dir, "*", "*")))
	if len(parts) != 1 {
		t.Fatal(parts)
	}
	data := must(os.ReadFile(parts[0]))
	data[must(filterfile.OpenBytes(data)).Info().Offset+1000] ^= 1
	if err := os.WriteFile(parts[0], data, 0o666); err != nil {
		t.Fatal(err)
	}
	s := openSet(t, dir, filterfile.WithLazyCheck())
	if err := s.Err(); err != nil {
		t.Error("before a lookup:", err)
	}
	for _, hash := range hashes {
		if !s.ContainsHash(hash) {
			t.Fatal("a key is lost")
		}
	}
	if err := s.Err(); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), parts[0]) {
		t.Error(err)
	}
}

// TestPermissionsOfSets are those that the system gives new files and folders.
func TestPermissionsOfSets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has others")
	}
	dir := t.TempDir()
	file, folder, set := filepath.Join(dir, "file"), filepath.Join(dir, "folder"), filepath.Join(dir, "set")
	if err := errors.Join(os.WriteFile(file, nil, 0o666), os.Mkdir(folder, 0o777)); err != nil {
		t.Fatal(err)
	}
	buildSet(t, set, policy.FastLocal(10), []uint64{1})
	for made, like := range map[string]string{set: folder, filepath.Join(set, filterset.Manifest): file} {
		if got, want := must(os.Stat(made)).Mode(), must(os.Stat(like)).Mode(); got != want {
			t.Errorf("%s: %v, want %v", made, got, want)
		}
	}
}

// TestOneGoroutine is the smallest number, and 0 is an error.
func TestOneGoroutine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), []uint64{1}, filterset.WithConcurrency(1))
	if !openSet(t, dir).ContainsHash(1) {
		t.Error("a key is lost")
	}
	if b, err := filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithConcurrency(0)); b != nil || err == nil {
		t.Error(err)
	}
}
