package sst

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/table"
)

// TestReportsOfFilterFiles: the keys that the header has, from one on, the filter's own estimate of its rate, and why
// it may contain every key.
func TestReportsOfFilterFiles(t *testing.T) {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	b.AddString("key")
	f, err := b.Filter()
	if err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) (filterFile, *report) {
		t.Helper()
		file, err := readFilterFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return file, file.report()
	}
	for _, keys := range []int{0, 1, 2} {
		data, err := filterfile.Append(nil, f, filterfile.WithKeys(keys))
		if err != nil {
			t.Fatal(err)
		}
		if _, r := read(data); r.Keys != uint64(keys) || (r.KeysFrom != "") != (keys > 0) {
			t.Errorf("%d keys: %d from %q", keys, r.Keys, r.KeysFrom)
		}
	}
	data, err := filterfile.Append(nil, f, filterfile.WithBitsPerKey(0.7))
	if err != nil {
		t.Fatal(err)
	}
	if _, r := read(data); len(r.Notes) != 1 || r.Notes[0] != "its builder was given 0.7 bits/key" {
		t.Errorf("0.7 bits per key: %q", r.Notes)
	}
	readAs := func(format string, filter []byte) (filterFile, *report) {
		t.Helper()
		made, err := stored.New(format, filter, stored.PieceBytes)
		if err != nil {
			t.Fatal(err)
		}
		return read(made.AppendTo(nil))
	}
	line, _ := legacyFilter(1)
	if file, r := readAs("simdbloom.Legacy.RocksDB32", line); *r.FPR != figures.SixDigits(file.filter.EstimatedFPR()) {
		t.Errorf("a rate of %v, not %v", *r.FPR, file.filter.EstimatedFPR())
	}
	reserved := append(bytes.Clone(f.Bytes()[:f.SizeBytes()-1]), 1)
	for format, why := range map[string]string{
		"simdbloom.Later.XX64": "unknown kind", "simdbloom.FastLocal.own": "key hash is unknown, own", "simdbloom.FastLocal.XX64": "always true",
	} {
		file, r := readAs(format, reserved)
		answers := file.answers([]table.Query{{Key: []byte("absent")}, {Key: []byte("a"), Prefix: true}})
		if !answers[1].MayContain || !strings.Contains(answers[1].Why, "whether it has prefixes") {
			t.Errorf("a prefix: %+v", answers[1])
		}
		if !answers[0].MayContain || !strings.Contains(answers[0].Why, why) || !strings.Contains(r.text(), why) {
			t.Errorf("%s: %+v, %q", format, answers, r.Notes)
		}
	}
}
