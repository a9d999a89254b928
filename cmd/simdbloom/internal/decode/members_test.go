package decode

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// zeros are endless.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestPaddingTakesNoMemory: zero bytes are read, and not kept.
func TestPaddingTakesNoMemory(t *testing.T) {
	const padding, most = 16 << 20, 12 << 20
	for name, list := range map[string]string{"gzip": gzipped("a\n"), "bzip2": bzipped} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := read(io.MultiReader(strings.NewReader(list), io.LimitReader(zeros{}, padding)), Lines)
		runtime.ReadMemStats(&after)
		if err != nil || !strings.HasPrefix(got, "a\n") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("%s: %d bytes of padding took %d bytes of memory", name, padding, n)
		}
	}
}

// TestManyMembers: members without bytes do not end a list, and those of a byte are all read.
func TestManyMembers(t *testing.T) {
	const n = 1000
	for member, want := range map[string]string{"": "b", "a": strings.Repeat("a", n) + "b"} {
		for _, padding := range []string{"", "\x00", strings.Repeat("\x00", 300)} {
			list := strings.Repeat(gzipped(member)+padding, n) + gzipped("b")
			if got, err := read(strings.NewReader(list), Lines); err != nil || got != want {
				t.Errorf("%d members of %q, padded by %d bytes: %d bytes, %v", n, member, len(padding), len(got), err)
			}
		}
	}
}

// TestKeysBeforeDamage: what is behind the members gives an error, and no bytes.
func TestKeysBeforeDamage(t *testing.T) {
	for _, behind := range []string{"\x00garbage behind it", "garbage behind it", "\x00\x1f", "\x1f\x8b\x08\x08name"} {
		if got, err := read(strings.NewReader(gzipped("a\n")+behind), Lines); err == nil || got != "a\n" {
			t.Errorf("%q: %q, %v", behind, got, err)
		}
	}
}
