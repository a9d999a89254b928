package command

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPathIsSeenFromTheUsersDirectory(t *testing.T) {
	user := t.TempDir()
	t.Chdir(t.TempDir()) // as "go -C" does
	t.Setenv("PWD", user)
	if got := Path("keys.txt"); got != filepath.Join(user, "keys.txt") {
		t.Errorf("a relative name: %s", got)
	}
	for _, name := range []string{"", filepath.Join(user, "keys.txt")} {
		if got := Path(name); got != name {
			t.Errorf("%q: %q", name, got)
		}
	}
	os.Unsetenv("PWD")
	if got := Path("keys.txt"); got != "keys.txt" {
		t.Errorf("without PWD: %s", got)
	}
}
