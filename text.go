package simdbloom

import (
	"encoding"
	"encoding/base64"
	"fmt"
)

var (
	_ encoding.TextMarshaler   = (*Filter)(nil)
	_ encoding.TextUnmarshaler = (*Filter)(nil)
	_ encoding.TextUnmarshaler = (*Mutable)(nil)
	_ encoding.TextUnmarshaler = (*Concurrent)(nil)
)

// MarshalText returns MarshalBinary's bytes in base64 (RFC 4648, with padding). So packages such as
// encoding/json and encoding/xml encode a *Filter as a string; of a Filter that is no pointer and cannot be
// addressed they see no fields. [Filter.UnmarshalText] reads it.
//
// The text is a third longer than the filter. Its errors are MarshalBinary's.
func (f *Filter) MarshalText() ([]byte, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.AppendEncode(nil, data), nil
}

// UnmarshalText is UnmarshalBinary of the bytes that the text is in base64, which may be broken into lines.
// Any other text is an error that wraps [ErrCorrupt].
func (f *Filter) UnmarshalText(text []byte) error { return unmarshalText(f, text) }

// UnmarshalText is UnmarshalBinary of the bytes that the text is in base64: see [Filter.UnmarshalText].
func (m *Mutable) UnmarshalText(text []byte) error { return unmarshalText(m, text) }

// UnmarshalText is UnmarshalBinary of the bytes that the text is in base64: see [Filter.UnmarshalText].
func (c *Concurrent) UnmarshalText(text []byte) error { return unmarshalText(c, text) }

func unmarshalText(to encoding.BinaryUnmarshaler, text []byte) error {
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return fmt.Errorf("simdbloom: %w: the text is not base64: %w", ErrCorrupt, err)
	}
	return to.UnmarshalBinary(data)
}
