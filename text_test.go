package simdbloom_test

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestHostileText: what is wrong inside of base64 is tested with the bytes, by every format's contract.
func TestHostileText(t *testing.T) {
	f := filterOf("apple", "banana")
	text := string(contract.Must(f.MarshalText()))
	m, c := contract.Must(bloom.NewMutable(0, 10, keyhash.XX64)), contract.Must(bloom.NewConcurrent(0, 10, keyhash.XX64))
	for name, read := range map[string]encoding.TextUnmarshaler{"Filter": f, "Mutable": m, "Concurrent": c} {
		broken := text[:7] + "\r\n" + text[7:60] + "\n" + text[60:]
		if err := read.UnmarshalText([]byte(broken)); err != nil {
			t.Errorf("%s, in lines: %v", name, err)
		}
		url := strings.NewReplacer("+", "-", "/", "_").Replace(text)
		if url == text {
			t.Fatal("the text has no character that is another one in URLs")
		}
		for _, wrong := range []string{"", "=", "A", "AAAA", "{}", "null", url, text + "A", text + "=", text + text, "A" + text, " " + text, text[:60] + "\x00" + text[61:], strings.Repeat("=", 1000)} {
			if err := read.UnmarshalText([]byte(wrong)); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s, %.20q: %v", name, wrong, err)
			}
		}
		for n := range len(text) {
			if err := read.UnmarshalText([]byte(text[:n])); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s, cut after %d characters: %v", name, n, err)
			}
		}
		for _, wrong := range []string{"7", "[]", "{}", "true", `"apple"`} {
			if err := json.Unmarshal([]byte(wrong), read); err == nil {
				t.Errorf("%s: JSON %s is no error", name, wrong)
			}
		}
		if found, ok := read.(interface{ ContainsString(string) bool }); !ok || !found.ContainsString("apple") || found.ContainsString("cherry") {
			t.Errorf("%s: an error changed the filter", name)
		}
	}
	if want := base64.StdEncoding.EncodeToString(contract.Must(f.MarshalBinary())); text != want {
		t.Error("other text than base64 of the bytes")
	}
}
