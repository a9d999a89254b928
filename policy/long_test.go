package policy_test

import (
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/policy"
)

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
