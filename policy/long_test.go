package policy_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/policy"
)

// TestTextsInErrors: up to 200 bytes they are whole, in quotes if they are not printable.
func TestTextsInErrors(t *testing.T) {
	for _, first := range []string{"a", "\n"} {
		for n, whole := range map[int]bool{200: true, 201: false} {
			text := first + strings.Repeat("a", n-1)
			want := text
			if first != "a" {
				want = strconv.Quote(text)
			}
			if _, err := policy.Parse(text); err == nil || strings.Contains(err.Error(), ": "+want+": ") != whole || !strings.Contains(err.Error(), text[1:200]) {
				t.Errorf("%d bytes from %q on: %v", n, first, err)
			}
		}
	}
}

// TestErrorsOfLongTextsAreShort: errors have the beginning of what was given.
func TestErrorsOfLongTextsAreShort(t *testing.T) {
	const n = 1 << 20
	for _, text := range []string{
		strings.Repeat("a", n), strings.Repeat("\n", n), strings.Repeat("{", n), "bloomfilter:" + strings.Repeat("x", n),
		"rocksdb.BloomFilter:" + strings.Repeat("x", n), "id=" + strings.Repeat("x", n), "{id=bloomfilter:10;" + strings.Repeat("b", n) + "=1}",
		"{id=bloomfilter:10;bits_per_key=" + strings.Repeat("b", n) + "}",
	} {
		_, parsed := policy.Parse(text)
		_, named := policy.ForName(text)
		for _, err := range []error{parsed, named} {
			if err != nil && len(err.Error()) > 2000 {
				t.Errorf("%.40q…: an error of %d bytes", text, len(err.Error()))
			}
		}
		if named == nil {
			t.Errorf("%.40q… is a name", text)
		}
	}
}
