package consumer

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostLines is how long a file that is written by hand may be.
const mostLines = 400

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestNoFileIsLong requires files that can be read in one go. Generated ones are not read.
func TestNoFileIsLong(t *testing.T) {
	for _, name := range tracked(t) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		text := read(t, filepath.Join(clone(t), name))
		if lines := strings.Count(text, "\n"); lines > mostLines && !generated.MatchString(text) {
			t.Errorf("%s has %d lines, more than %d", name, lines, mostLines)
		}
	}
}
