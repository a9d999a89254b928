package measured

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFilesAreSeenFromTheUsersDirectory(t *testing.T) {
	user := t.TempDir()
	t.Chdir(t.TempDir()) // as "go -C" does
	t.Setenv("PWD", user)
	absolute := filepath.Join(user, "keys.txt")
	for name, want := range map[string]string{"keys.txt": absolute, absolute: absolute, "": ""} {
		if got := fromUser(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
	os.Unsetenv("PWD")
	if got := fromUser("keys.txt"); got != "keys.txt" {
		t.Errorf("without PWD: %s", got)
	}
}

func TestResultsAreSavedWhole(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	for _, want := range []int{2, 3} {
		if err := Save(file, nil, []int{want}); err != nil {
			t.Fatal(err)
		}
		if got, err := Load[[]int](file); err != nil || len(*got) != 1 || (*got)[0] != want {
			t.Errorf("%v, %v", got, err)
		}
	}
	if err := Save(file, nil, func() {}); err == nil {
		t.Error("a function is no result")
	}
	if got, err := Load[[]int](file); err != nil || (*got)[0] != 3 {
		t.Errorf("after an error: %v, %v", got, err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load[[]int](file); err == nil {
		t.Error("half a file is no error")
	}
}
