//go:build unix

package filterset_test

import (
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestPipeForManifest: nobody waits for a writer.
func TestPipeForManifest(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, filterset.Manifest), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 2)
	go func() {
		_, err := filterset.Open(dir)
		done <- err
		_, err = filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithLayer())
		done <- err
	}()
	for range 2 {
		select {
		case err := <-done:
			if err == nil {
				t.Error("no error")
			}
		case <-time.After(10 * time.Second):
			t.Fatal("somebody waits for a writer of the pipe")
		}
	}
}

// TestOpenedSetsStay what they are when others take their place: their files are mapped.
func TestOpenedSetsStay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	hashes := someHashes(1, 2)
	buildSet(t, dir, policy.FastLocal(20), hashes[:1])
	s := openSet(t, dir)
	buildSet(t, dir, policy.FastLocal(20), hashes[1:])
	if !s.ContainsHash(hashes[0]) || s.ContainsHash(hashes[1]) || s.Err() != nil {
		t.Errorf("the opened set is another one: %v", s.Err())
	}
}

// TestBuildersOfOneFolder and of its parents begin at the same time, and are aborted: the one that removes a folder is
// nobody's error.
func TestBuildersOfOneFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	var builders sync.WaitGroup
	for _, name := range []string{"a/b/set", "a/b/set", "a/b/c/d/e/set", "a/b/c/d/set"} {
		builders.Add(1)
		go func() {
			defer builders.Done()
			for i := range 200 {
				b, err := filterset.NewBuilder(name, policy.FastLocal(10), 1, setMemory)
				if err != nil {
					t.Error(i, err)
					return
				}
				b.Close()
			}
		}()
	}
	builders.Wait()
}
