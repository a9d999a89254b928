package main

import (
	"strings"
	"testing"
)

// TestManual: it begins with how each command is called, on lines of their own.
func TestManual(t *testing.T) {
	text := must(t, "", "", "man")
	_, synopsis, _ := strings.Cut(text, ".SH SYNOPSIS\n")
	synopsis, _, found := strings.Cut(synopsis, ".SH DESCRIPTION\n")
	calls := strings.Split(synopsis, "\n.br\n")
	if !found || len(calls) != len(commands()) || strings.Contains(synopsis, "\n\n") {
		t.Error(synopsis)
	}
	for i, c := range commands() {
		if !strings.HasPrefix(calls[i], `\fBsimdbloom `+c.name+`\fR`) {
			t.Errorf("%q, want %s", calls[i], c.name)
		}
	}
	flag := ".TP\n\\fB\\-memory\\fR \\fIbytes\\fR\ntake about this number of bytes of memory at most: 512MiB, 4GiB (default 1GiB)\n.TP\n\\fB\\-o\\fR \\fIfolder\\fR\nwrite the set to this folder, or file\n"
	if !strings.Contains(text, flag) || !strings.HasSuffix(text, ".SH SEE ALSO\nhttps://github.com/simdbloom/simdbloom\n") || strings.Count(text, ".SH EXIT STATUS\nThe exit status is\n") != 1 {
		t.Error(text)
	}
}

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
