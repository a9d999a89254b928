package keys

import "testing"

// TestCaseOfUUIDs: braces, groups and a prefix are kept, and each digit is changed, the last one too.
func TestCaseOfUUIDs(t *testing.T) {
	for key, want := range map[string]string{
		"{01234567-89AB-CDEF-0123-456789ABCDEF}": "{01234567-89ab-cdef-0123-456789abcdef}",
		"{ABCDEF}":                               "{abcdef}",
		"0XABCDEF":                               "0xabcdef",
		"AB:CD:EF:AB:CD:EF":                      "ab:cd:ef:ab:cd:ef",
		"{ABCDEG}":                               "{ABCDEG}",
		"{AB":                                    "{AB",
		"ABCD:EF":                                "ABCD:EF", // a hash and its count
		"AB:CD":                                  "ab:cd",
	} {
		f, parsed := Format{Size: len(key), Case: Lower}, new(Parsed)
		f.add(parsed, []byte(key), 0, len(key))
		if parsed.data = parsed.copies; string(parsed.Keys()[0]) != want {
			t.Errorf("%q, want %q", parsed.Keys()[0], want)
		}
	}
	for key, other := range map[string]bool{"ABC": true, "Z": true, "abc": false, "[": false, "@": false, "z{": false, "": false} {
		if Lower.hasOther([]byte(key)) != other {
			t.Errorf("%q has letters of the other case: not %v", key, other)
		}
	}
	for key, other := range map[string]bool{"abc": true, "z": true, "ABC": false, "{": false, "`": false, "Z[": false} {
		if Upper.hasOther([]byte(key)) != other {
			t.Errorf("%q has letters of the other case: not %v", key, other)
		}
	}
}
