package filterset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/policy"
)

// TestNoRoom: if the system does not take all bytes of a part, building and merging say so, and the set is the old one.
func TestNoRoom(t *testing.T) {
	folder := t.TempDir()
	dir, from := filepath.Join(folder, "set"), filepath.Join(folder, "from")
	hashes := someHashes(1, 200_000) // 1.6 MB, and a part of 2.5 MB
	buildSet(t, dir, policy.FastLocal(10), hashes[:1])
	buildSet(t, from, policy.FastLocal(100), hashes, filterset.WithParts(1))
	part := filepath.Join(from, infoOf(t, from).Layers[0].Folder(), filterset.PartFile(0))
	if err := errors.Join(os.Rename(part, filepath.Join(from, "part")), os.Symlink("../part", part)); err != nil { // it is copied
		t.Fatal(err)
	}
	b := must(filterset.NewBuilder(dir, policy.FastLocal(100), 1, setMemory, filterset.WithParts(1)))
	defer b.Close()
	b.AddHashes(hashes)
	program.WithoutRoom(t, func() {
		for how, err := range map[string]error{"built": b.Finish(context.Background()), "merged": filterset.Merge(dir, from)} {
			if !errors.Is(err, syscall.EFBIG) {
				t.Errorf("%s: %v", how, err)
			}
		}
	})
	if info := infoOf(t, dir); info.Keys() != 1 || len(must(os.ReadDir(dir))) != 2 {
		t.Errorf("the set has %d keys", info.Keys())
	}
}
