package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestNamesOfAList end with newlines, or with zero bytes if there are any, also as the first one.
func TestNamesOfAList(t *testing.T) {
	t.Chdir(t.TempDir())
	broken := errors.New("broken")
	if _, err := (&input{filesFrom: "-"}).fileNames(&streams{in: iotest.ErrReader(broken)}, nil); !errors.Is(err, broken) {
		t.Error(err)
	}
	for text, want := range map[string][]string{
		"a\nb c\r\n\nd":   {"a", "b c", "d"},
		"\x00a\nb\x00c":   {"a\nb", "c"},
		"a\x00b\r\x00":    {"a", "b\r"},
		"\xef\xbb\xbfa\n": {"a"},
	} {
		for _, name := range want {
			if err := os.WriteFile(name, nil, 0o666); err != nil {
				t.Skip("a system without such names: ", err)
			}
		}
		got, err := (&input{filesFrom: "-"}).fileNames(&streams{in: strings.NewReader(text)}, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}
