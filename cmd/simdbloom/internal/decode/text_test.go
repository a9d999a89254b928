package decode

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSlowUTF16: text in UTF-16 is an error also if a pipe has its first bytes before the others.
func TestSlowUTF16(t *testing.T) {
	for _, little := range []bool{false, true} {
		for _, words := range []string{"password\n", "password\n1234\n", "пар\nы\n", "é\né\né\n"} {
			in := inUTF16(words, little, false)
			for _, text := range []Text{ByteLines, Lines} {
				for n := range len(in) {
					slow := io.MultiReader(iotest.OneByteReader(strings.NewReader(in[:n])), strings.NewReader(in[n:]))
					if got, err := read(slow, text); err == nil {
						t.Errorf("%q byte by byte, and then %q: %q", in[:n], in[n:], got)
					}
				}
			}
		}
	}
}
