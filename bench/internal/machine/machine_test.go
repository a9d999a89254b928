package machine

import (
	"strings"
	"testing"
)

func TestDescriptionSaysWhatMatters(t *testing.T) {
	d := Describe()
	line := d.String()
	for _, word := range []string{d.CPU, d.OS + "/" + d.Arch, d.Go, "level " + d.Level, d.MachineLevel} {
		if word == "" || !strings.Contains(line, word) {
			t.Errorf("no %q in %q", word, line)
		}
	}
}
