//go:build unix

package filterset

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLocksOfFolders: one at a time has a folder. Whoever waits for it gets the one of that name, if it was replaced
// meanwhile, and leaves the other one to whoever wants it.
func TestLocksOfFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	moved := dir + ".moved"
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	held, err := lockFolder(dir, false)
	if err != nil || !held.certain() {
		t.Skip("the file system has no locks")
	}
	if _, err := lockFolder(dir, false); !errors.Is(err, errLocked) {
		t.Errorf("a folder is locked twice: %v", err)
	}
	if !held.isAt(dir) {
		t.Error("a folder that was locked is another one")
	}
	waited := make(chan *folderLock)
	go func() {
		got, err := (&setFolder{dir: dir}).hold(false)
		if err != nil {
			t.Error(err)
		}
		waited <- got
	}()
	time.Sleep(5 * time.Millisecond) // it probably waits now
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if held.isAt(dir) {
		t.Error("a folder is there that was moved")
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if held.isAt(dir) || !held.isAt(moved) {
		t.Error("a folder was locked that has taken the place of another")
	}
	held.unlock()
	got := <-waited
	if _, err := lockFolder(dir, false); !errors.Is(err, errLocked) || !got.isAt(dir) {
		t.Errorf("the folder that has taken the place of another is not locked: %v", err)
	}
	old, err := lockFolder(moved, false)
	if err != nil {
		t.Fatal(err)
	}
	old.unlock()
	got.unlock()
}
