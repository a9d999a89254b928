package sst

import (
	"encoding/hex"
	"unicode/utf8"
)

// keyOrPrefix has a key or a prefix, in one of two ways.
type keyOrPrefix struct {
	Key       *string `json:"key,omitempty"`
	KeyHex    *string `json:"key_hex,omitempty"` // with -hex, and for keys that are not UTF-8
	Prefix    *string `json:"prefix,omitempty"`
	PrefixHex *string `json:"prefix_hex,omitempty"`
}

func newKeyOrPrefix(key []byte, isPrefix, asHex bool) (k keyOrPrefix) {
	plain, inHex := &k.Key, &k.KeyHex
	if isPrefix {
		plain, inHex = &k.Prefix, &k.PrefixHex
	}
	if text := string(key); !asHex && utf8.ValidString(text) {
		*plain = &text
	} else {
		text = hex.EncodeToString(key)
		*inHex = &text
	}
	return k
}

// String returns it in words.
func (k keyOrPrefix) String() string {
	for _, text := range []struct {
		what string
		text *string
	}{{"", k.Key}, {"0x", k.KeyHex}, {"the prefix ", k.Prefix}, {"the prefix 0x", k.PrefixHex}} {
		if text.text != nil && *text.text == "" {
			return text.what + `""`
		}
		if text.text != nil {
			return text.what + printable(*text.text)
		}
	}
	return ""
}
