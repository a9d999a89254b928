package consumer

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
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

// mostColumns is the length of the longest comment line. A tab has 4 columns.
const mostColumns = 120

var (
	comment = regexp.MustCompile(`^\s*//`)
	output  = regexp.MustCompile(`^\s*// (Unordered output|Output):`)
)

// TestNoCommentIsWide also reads generated files. What an example writes, and a word without spaces, cannot be broken.
func TestNoCommentIsWide(t *testing.T) {
	for _, name := range tracked(t) {
		if ext := filepath.Ext(name); ext != ".go" && ext != ".s" {
			continue
		}
		outputs := false
		for i, line := range strings.Split(read(t, filepath.Join(clone(t), name)), "\n") {
			if !comment.MatchString(line) {
				outputs = false
				continue
			}
			outputs = outputs || output.MatchString(line)
			columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if columns > mostColumns && !outputs && len(strings.Fields(line)) > 2 {
				t.Errorf("%s:%d has %d columns, at most %d are read", name, i+1, columns, mostColumns)
			}
		}
	}
}
