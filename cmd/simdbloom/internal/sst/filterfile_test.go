package sst

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// filterFiles returns a file of every policy's filter, and of filters that no policy reads.
func filterFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	add := func(f filterfile.Source, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		made, err := filterfile.New(f, filterfile.WithKeys(1000), filterfile.WithBitsPerKey(12.5))
		if err != nil {
			t.Fatal(err)
		}
		if files[made.Info().Format], err = made.MarshalBinary(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range policy.Readers() {
		b := p.NewBuilder()
		b.AddKeys(tableKeys(1000))
		data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		add(p.Open(data))
		if p.Name() == "simdbloom.FastLocal.XX64" {
			f, err := bloom.Open(data, keyhash.New("somebody's", keyhash.XX64.Sum64))
			add(f, err)
		}
		if p.Name() == "simdbloom.Paired32.XXPH3" {
			f, err := paired.Open(data, keyhash.New("somebody's", keyhash.XX64.Sum64))
			add(f, err)
		}
	}
	return files
}

func TestFilterFiles(t *testing.T) {
	folder := t.TempDir()
	for format, data := range filterFiles(t) {
		name := filepath.Join(folder, format)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		own := strings.HasSuffix(format, "somebody's")
		var out, problems bytes.Buffer
		if status := run([]string{name}, nil, &out, &problems); status != 0 {
			t.Fatalf("%s: %d, %s", format, status, problems.String())
		}
		for _, want := range []string{"filter file, version 1", format, "1000 (the file's header)", "was given 12.5 bits/key", "estimated FPR"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: there is no %q in\n%s", format, want, &out)
			}
		}
		if strings.Contains(out.String(), "unknown") != own {
			t.Errorf("%s:\n%s", format, &out)
		}
		for key, want := range map[string]int{string(tableKeys(1000)[77]): 0, "there is no such key": 1} {
			if own {
				want = 0
			}
			out.Reset()
			if status := run([]string{"-key", key, name}, nil, &out, &problems); status != want || strings.Contains(out.String(), "unknown") != own {
				t.Errorf("%s, key %q: status %d, %s %s", format, key, status, &out, &problems)
			}
		}
		out.Reset()
		if status := run([]string{"-json", name}, nil, &out, &problems); status != 0 || !strings.Contains(out.String(), `"keys":1000`) {
			t.Errorf("%s: %s", format, &out)
		}
		write(t, name, data[:len(data)-1])
		if status := run([]string{"-verify", name}, nil, &out, &problems); status != failed || !strings.Contains(problems.String(), "cut short") {
			t.Errorf("%s: -verify of a part: status %d, %s", format, status, &problems)
		}
	}
}

// TestChangedFilterFiles: every changed byte is found out.
func TestChangedFilterFiles(t *testing.T) {
	for format, data := range filterFiles(t) {
		for at := range data {
			data[at] ^= 1 << (at % 8)
			if _, err := inspectBytes(data); err == nil {
				t.Errorf("%s: byte %d was changed", format, at)
			}
			data[at] ^= 1 << (at % 8)
		}
		for n := range data {
			if _, err := lookUpIn(bytes.NewReader(data), int64(n), nil); err == nil || !strings.Contains(err.Error(), "cut short") {
				t.Fatalf("%s, the first %d bytes of %d: %v", format, n, len(data), err)
			}
		}
	}
}
