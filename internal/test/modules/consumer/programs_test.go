package consumer

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestNoProgramIsTracked finds what "go build" leaves in a tool's folder.
func TestNoProgramIsTracked(t *testing.T) {
	for _, file := range tracked(t) {
		data, err := os.ReadFile(filepath.Join(clone(t), file))
		if err != nil {
			t.Fatal(err)
		}
		for _, magic := range []string{"\x7fELF", "MZ\x90", "\xcf\xfa\xed\xfe"} {
			if bytes.HasPrefix(data, []byte(magic)) {
				t.Errorf("%s is a program", file)
			}
		}
	}
}
