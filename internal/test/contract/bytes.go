package contract

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// testBytes stores filters that were opened, and copies of them, and opens them again.
func (p Package) testBytes(t *testing.T) {
	queried := vectors.Hashes(vectors.NegativeSeed, 2000)
	for name, data := range map[string][]byte{
		"built":    p.build(t, 10, vectors.Hashes(1, 1000)),
		"empty":    nil,
		"always":   p.AlwaysTrue,
		"reserved": make([]byte, 6),
		"foreign":  bytes.Repeat([]byte{42}, 100),
	} {
		data = append([]byte{1, 2, 3}, data...)[3:] // at any address
		f, err := p.Open(data, keyhash.XXPH3)
		if p.Strict && (name == "reserved" || name == "foreign") {
			if !errors.Is(err, p.ErrCorrupt) || !p.MayContainHash(data, 1) {
				t.Errorf("%s: %v, or MayContainHash said no", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		aligned := p.CopyAligned(f)
		for what, g := range map[string]Filter{"opened": f, "CopyAligned": aligned, "twice": p.CopyAligned(aligned)} {
			if !bytes.Equal(g.Bytes(), data) || g.SizeBytes() != len(data) || g.Hash() != keyhash.XXPH3 {
				t.Errorf("%s, %s: %d other bytes, or another key hash", name, what, g.SizeBytes())
			}
			again, err := p.Open(g.Bytes(), g.Hash())
			if err != nil || !slices.Equal(again.AppendHits(nil, queried), f.AppendHits(nil, queried)) || probes(again) != probes(f) {
				t.Errorf("%s, %s: its bytes are another filter (%v)", name, what, err)
			}
		}
		if len(data) == 0 {
			continue
		}
		if &f.Bytes()[0] != &data[0] {
			t.Errorf("%s: Bytes are a copy", name)
		}
		if at := &aligned.Bytes()[0]; at == &data[0] || uintptr(unsafe.Pointer(at))%64 != 0 {
			t.Errorf("%s: CopyAligned's bytes are no aligned copy", name)
		}
	}
}
