package kernel

import (
	"strings"
	"testing"
)

// TestWrap: comments have at most 120 columns, unless a word has more. Code stays as it is.
func TestWrap(t *testing.T) {
	words := strings.Repeat("a word, ", 15)
	for text, want := range map[string]string{
		"// " + words[:117] + "\n":              "// " + words[:117] + "\n",
		"// " + words + "more\nVZEROUPPER\n":    "// " + words[:113] + "\n// word, more\nVZEROUPPER\n",
		"\t" + words + "more\n":                 "\t" + words + "more\n",
		"// " + strings.Repeat("x", 200) + "\n": "// " + strings.Repeat("x", 200) + "\n",
	} {
		if got, err := wrap([]byte(text), nil); err != nil || string(got) != want {
			t.Errorf("%q: %q, want %q, %v", text, got, want, err)
		}
	}
}
