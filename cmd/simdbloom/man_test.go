package main

import "testing"

// TestRoffText: what is indented stays as it is, with the empty lines in it; of the rest, each empty line begins a
// paragraph.
func TestRoffText(t *testing.T) {
	for text, want := range map[string]string{
		"One-line.":              "One\\-line.\n",
		"a\nb\n\nc":              "a\nb\n.PP\nc\n",
		"\n\na\n":                "a\n",
		"a:\n\n  b\n\n  c\n\nd":  "a:\n.PP\n.PP\n.nf\n  b\n\n  c\n\n.fi\n.PP\nd\n",
		"a:\n  b\n  c\nd\n\n  e": "a:\n.PP\n.nf\n  b\n  c\n.fi\n.PP\nd\n.PP\n.PP\n.nf\n  e\n.fi\n",
		"a\n.b\n'c\nd.\ne\\n":    "a\n\\&.b\n\\&'c\nd.\ne\\en\n",
		"a\n  .b\n.c":            "a\n.PP\n.nf\n  .b\n.fi\n.PP\n\\&.c\n",
	} {
		if got := roffText(text); got != want {
			t.Errorf("%q\n%q, want\n%q", text, got, want)
		}
	}
}
