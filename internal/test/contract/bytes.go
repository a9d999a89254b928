package contract

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// testBytes stores filters that were opened, and copies of them, and opens them again.
func (f Format) testBytes(t *testing.T) {
	queried := f.Hashes(vectors.NegativeSeed, 2000)
	for name, data := range map[string][]byte{
		"built":    f.Build(t, 10, f.Hashes(1, 1000)),
		"empty":    nil,
		"always":   f.AlwaysTrue,
		"reserved": make([]byte, 6),
		"foreign":  bytes.Repeat([]byte{42}, 100),
	} {
		data = append([]byte{1, 2, 3}, data...)[3:] // at any address
		opened, err := f.Open(data, f.Hash)
		if f.Strict && (name == "reserved" || name == "foreign") {
			if !errors.Is(err, simdbloom.ErrCorrupt) || !f.MayContainHash(data, 1) {
				t.Errorf("%s: %v, or MayContainHash said no", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]simdbloom.Format{"built": f.Format, "empty": simdbloom.Empty}[name]
		if name == "foreign" && (f.Format == simdbloom.FastLocal || f.Format == simdbloom.Ribbon) {
			want = simdbloom.Legacy // by its marker
		}
		if f.Strict && name == "always" || f.Format == simdbloom.LevelDB && name != "empty" {
			want = f.Format
		}
		aligned := opened.CopyAligned()
		for what, g := range map[string]*simdbloom.Filter{"opened": opened, "CopyAligned": aligned, "twice": aligned.CopyAligned()} {
			if !bytes.Equal(g.Bytes(), data) || g.SizeBytes() != len(data) || g.Hash() != f.Hash || want != g.Format() {
				t.Errorf("%s, %s: %d other bytes, another key hash, or the format %v", name, what, g.SizeBytes(), g.Format())
			}
			again, err := f.Open(g.Bytes(), g.Hash())
			if err != nil || !slices.Equal(again.AppendHits(nil, queried), opened.AppendHits(nil, queried)) || again.NumProbes() != opened.NumProbes() {
				t.Errorf("%s, %s: its bytes are another filter (%v)", name, what, err)
			}
		}
		for _, hash := range queried {
			hit := opened.ContainsHash(hash)
			if f.MayContainHash(data, hash) != hit || f.Narrow && opened.ContainsHash(hash|5<<32) != hit {
				t.Fatalf("%s: hash %#x: MayContainHash, or the upper half, gives another answer", name, hash)
			}
		}
		if len(data) == 0 {
			continue
		}
		if &opened.Bytes()[0] != &data[0] {
			t.Errorf("%s: Bytes are a copy", name)
		}
		if at := &aligned.Bytes()[0]; at == &data[0] || uintptr(unsafe.Pointer(at))%64 != 0 {
			t.Errorf("%s: CopyAligned's bytes are no aligned copy", name)
		}
	}
}

// testNames opens bytes by the name that is recorded for them.
func (f Format) testNames(t *testing.T) {
	for _, hash := range f.KeyHashes {
		b := Must(f.builder(10, hash))
		keys := vectors.Keys("user8", 0, 2000)
		b.AddKeys(keys[:1000])
		data := f.Finish(t, b)
		opened := Must(f.Open(data, hash))
		want := f.Recorded(hash)
		if opened.Name() != want {
			t.Errorf("its name is %s, not %s", opened.Name(), want)
		}
		hits, named := make([]bool, len(keys)), make([]bool, len(keys))
		opened.ContainsKeys(keys, hits)
		for _, given := range []keyhash.Hash{hash, {}} {
			g, err := simdbloom.OpenNamed(want, data, given)
			if given.IsZero() && hash == OwnHash {
				if !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), hash.Name()) {
					t.Errorf("%s without the hash: %v", want, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(want, err)
			}
			g.ContainsKeys(keys, named)
			if !slices.Equal(named, hits) || &g.Bytes()[0] != &data[0] || g.Name() != want || g.Format() != f.Format || g.Hash() != hash {
				t.Errorf("%s opens another filter", want)
			}
		}
		for _, wrong := range []struct {
			name string
			hash keyhash.Hash
		}{{want, otherHash}, {want + "x", hash}, {want + "x", keyhash.Hash{}}, {"simdbloom.None.XX64", keyhash.XX64}, {"", keyhash.XX64}} {
			if _, err := simdbloom.OpenNamed(wrong.name, data, wrong.hash); !errors.Is(err, simdbloom.ErrUnknown) {
				t.Errorf("%s: %v", wrong.name, err)
			}
		}
		if _, err := simdbloom.OpenNamed(want, []byte{0xff}, hash); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s of a byte: %v", want, err)
		}
	}
}

// otherHash is one that no filter here has.
var otherHash = keyhash.New("other", keyhash.XX64.Sum64)
