package decode

import (
	"fmt"
	"strings"
	"testing"
)

// TestKindsAreNamed: files that are read by other programs, or have no keys, by their first bytes as the file program
// knows them.
func TestKindsAreNamed(t *testing.T) {
	for want, begins := range map[string][]string{
		"LZMA":              {"\x5d\x00\x00\x80"},
		"lzip -dc":          {"LZIP\x01\x0c"},
		"lzop -dc":          {"\x89LZO\x00\r\n\x1a\n\x10"},
		"lz4 -dc":           {"\x02\x21\x4c\x18\x01", "\x03\x21\x4c\x18\x01"},
		"snzip -dc":         {"\xff\x06\x00\x00sNaPpY"},
		"mz d -c":           {"\xff\x06\x00\x00MinLz"},
		"s2d -c":            {"\xff\x06\x00\x00S2sTwO"},
		"zlib-flate":        {"x\x01\x00", "x\xda\x00"},
		"compress":          {"\x1f\xa0\x00"},
		"pack":              {"\x1f\x1e\x00"},
		"lrzip -dc":         {"LRZI\x00\x06"},
		"unzip -p":          {"PK\x07\x08PK"},
		"empty ZIP archive": {"PK\x05\x06\x00"},
		"cabextract":        {"MSCF\x00\x00\x00\x00"},
		"ar p":              {"!<arch>\ndebian"},
		"sequence file":     {"SEQ\x06\x19", "SEQ\x05\x19", "SEQ\x04\x19"},
		"HDF5":              {"\x89HDF\r\n\x1a\n\x00"},
		"NumPy":             {"\x93NUMPY\x01"},
		"pickle":            {"\x80\x02]", "\x80\x03]", "\x80\x04\x95", "\x80\x05\x95"},
		"pg_restore":        {"PGDMP\x01"},
		"old format":        {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
		"pdftotext":         {"%PDF-1.7", "%PDF-2.0"},
		"picture":           {"\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0"},
		"program":           {"\x7fELF\x02", "MZ\x90\x00\x03", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm"},
		"UTF-32":            {"\x00\x00\xfe\xff\x00\x00\x00a"},
		"it has zero bytes": {"\x00a\n", "a\x00"},
	} {
		for _, in := range begins {
			if got, err := read(strings.NewReader(in), Lines); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %q, %v, want %q", in, got, err, want)
			}
		}
	}
	for nibble := range 16 { // all are skippable frames
		in := fmt.Sprintf("%c\x2a\x4d\x18\x01\x00\x00\x00x", 0x50+nibble) + zstandard("a\n")
		if got, err := read(strings.NewReader(in), Lines); err != nil || got != "a\n" {
			t.Errorf("a frame of %#x: %q, %v", 0x50+nibble, got, err)
		}
	}
	for _, behind := range []string{"\x1f", "\x1fa", "a\x8b"} {
		if got, err := read(strings.NewReader(gzipped("a\n")+behind), Lines); err == nil || strings.Contains(err.Error(), "cut short") != (behind == "\x1f") {
			t.Errorf("%q behind gzip's data: %q, %v", behind, got, err)
		}
	}
}
