package blobloom_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// milvus is what github.com/weiliu1031/blobloom, at v0.0.0-20240530105622-1e0e104a7160, writes of a filter of 1,024
// bits and k = 5 with twenty hashes: the first multiples of 0x9e3779b97f4a7c15.
const milvus = `{"k":5,"b":["EwSAEAAABAAEICgAAAEAAAhAAEAgAEACgAAQAACAAAABBQACAAAAAgAAAAAACCQQEAAIAAQIAgABwADAGCAAEA==",` +
	`"AAABABAAAIEAAAAEAAAqABAAAQAADAAAQABAAIoAABAAAAAQAAAAAgAEIAAAAAAQAEgAFAAiAAGAAEAAIAAQgA=="]}`

func TestOpenJSON(t *testing.T) {
	f := contract.Must(blobloom.OpenJSON([]byte(milvus), keyhash.XX64))
	m := contract.Must(blobloom.New(1024, 5, keyhash.XX64))
	for i := range uint64(20) {
		m.AddHash(i * 0x9e3779b97f4a7c15)
	}
	if string(f.Bytes()) != string(m.Bytes()) || f.Name() != "simdbloom.Blobloom.XX64" {
		t.Errorf("%s, and other bytes than of the same keys: %x", f.Name(), f.Bytes())
	}
	for _, blocks := range []int{1, 3, 1000} {
		m := contract.Must(blobloom.New(uint64(512*blocks), 8, keyhash.XX64))
		m.AddHashes(vectors.Hashes(64, 40*blocks))
		var texts []string
		for block := m.Bytes()[64:]; len(block) > 0; block = block[64:] {
			texts = append(texts, base64.URLEncoding.EncodeToString(block[:64]))
		}
		text := contract.Must(json.MarshalIndent(map[string]any{"b": texts, "other": []any{1}, "k": 8}, "", " "))
		if f := contract.Must(blobloom.OpenJSON(text, keyhash.XX64)); string(f.Bytes()) != string(m.Bytes()) {
			t.Errorf("%d blocks: other bytes", blocks)
		}
	}
	if f := contract.Must(blobloom.OpenJSON([]byte(strings.Replace(milvus, "5", "2", 1)), keyhash.XX64)); f.NumProbes() != 1 {
		t.Errorf("k=2: %d probes", f.NumProbes())
	}
	if _, err := blobloom.OpenJSON([]byte(milvus), keyhash.Hash{}); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("the zero Hash: %v", err)
	}
}

func TestCorruptJSON(t *testing.T) {
	block := base64.URLEncoding.EncodeToString(make([]byte, 64))
	for text, says := range map[string]string{
		"":                                       "JSON",
		milvus[:len(milvus)-1]:                   "JSON",
		milvus + "x":                             "invalid character 'x'",
		"null":                                   "k must be 2 to 4294967295, not 0",
		"[]":                                     "array",
		`{"k":5}`:                                "no blocks",
		`{"k":5,"b":[]}`:                         "no blocks",
		`{"b":["` + block + `"]}`:                "k must be",
		`{"k":1,"b":["` + block + `"]}`:          "k must be",
		`{"k":-5,"b":["` + block + `"]}`:         "k must be 2 to 4294967295, not -5",
		`{"k":4294967296,"b":["` + block + `"]}`: "not 4294967296",
		`{"k":1e99,"b":["` + block + `"]}`:       "1e99",
		`{"k":"5","b":["` + block + `"]}`:        "string",
		`{"k":5,"b":"` + block + `"}`:            "string",
		`{"k":5,"b":["` + block + `",""]}`:       "block 1 has 0 bytes, not 64",
		`{"k":5,"b":["` + block[4:] + `"]}`:      "block 0 has 61 bytes",
		`{"k":5,"b":["AAAA` + block + `"]}`:      "block 0 has 67 bytes",
		`{"k":5,"b":["` + block[:86] + `"]}`:     "block 0 is no base64",
		`{"k":5,"b":["/` + block[1:] + `"]}`:     "block 0 is no base64",
		`{"k":5,"b":["` + block + `",7]}`:        "number",
		strings.Repeat(`{"b":`, 20_000):          "depth",
	} {
		_, err := blobloom.OpenJSON([]byte(text), keyhash.XX64)
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), says) || !strings.HasPrefix(err.Error(), "blobloom: ") {
			t.Errorf("%.60s: %v, want %q", text, err, says)
		}
	}
}
