package fuzz

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// FuzzOpenBlobloomJSON has any text: what is opened has the blocks that encoding/json finds.
func FuzzOpenBlobloomJSON(f *testing.F) {
	block := base64.URLEncoding.EncodeToString(make([]byte, 64))
	for _, text := range []string{
		`{"k":5,"b":["` + block + `"]}`, `{"b":["` + block + `","` + block + `"],"k":1e1}`, `{"k":2,"b":["_-` + block[2:] + `"]}`,
		`{"K":5,"B":["\u0041` + block[1:] + `"]}`, `{"k":5,"b":[null]}`, `{"k":4294967295,"b":["` + block + "\\n\"]}", `[]`, `{"k":`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		filter, err := blobloom.OpenJSON(text, keyhash.XX64)
		if err != nil {
			if !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, simdbloom.ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		var stored struct {
			K int64
			B []string
		}
		if err := json.Unmarshal(text, &stored); err != nil || filter.SizeBytes() != 64+64*len(stored.B) || int64(filter.NumProbes()) != min(stored.K-1, 1024) {
			t.Fatalf("%d bytes, %d probes of %+v, %v", filter.SizeBytes(), filter.NumProbes(), stored, err)
		}
		filter.ContainsHash(uint64(len(text)))
	})
}
