package building

import (
	"errors"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestOwn builds filters that are no format's: their bytes are what a function made of all hashes, and its error and
// filters that lack a hash are the builder's errors.
func TestOwn(t *testing.T) {
	broken := errors.New("broken")
	var built []uint64
	var fails error
	var nothing bool
	lacks := uint64(0)
	own := Own{
		SizeBytes: func(keys int) int { return keys - 1 },
		Build: func(hashes []uint64) (data []byte, err error) {
			built = hashes
			for _, hash := range hashes {
				data = append(data, byte(hash))
			}
			if nothing {
				data = nil
			}
			return data, fails
		},
		MayContain: func(_ []byte, hash uint64) bool { return hash != lacks },
	}
	hashes := vectors.Hashes(1, 300)
	for _, verify := range []bool{false, true} {
		b, err := NewOwn(own, keyhash.XX64, &Options{Concurrency: 1, Verification: verify})
		if err != nil {
			t.Fatal(err)
		}
		if data, err := b.Finish(); len(data) != 0 || err != nil || b.SizeBytes() != 0 {
			t.Errorf("without keys: %d bytes, %v, SizeBytes %d", len(data), err, b.SizeBytes())
		}
		for n, size := range map[int]int{1: 1, 2: 1, 300: 299} {
			b.AddHashes(hashes[:n])
			got := b.SizeBytes()
			data, err := b.Finish()
			if err != nil || got != size || len(data) != n || data[n-1] != byte(hashes[n-1]) || !slices.Equal(built, hashes[:n]) {
				t.Errorf("%d keys: SizeBytes %d, %d bytes, %v", n, got, len(data), err)
			}
		}
		b.AddHashes(hashes)
		for want, prepare := range map[error]func(){broken: func() { fails = broken }, ErrVerification: func() { lacks = hashes[7] }, nil: func() { nothing = true }} {
			prepare()
			data, err := b.Finish()
			fails, lacks, nothing = nil, 0, false
			if wrong := want == ErrVerification && !verify; !wrong && (data != nil || err == nil || want != nil && err != want || b.Len() != 300) {
				t.Errorf("%v: %d bytes, %v, %d keys left", want, len(data), err, b.Len())
			} else if wrong {
				b.AddHashes(hashes)
			}
		}
	}
	for _, o := range []Options{{}, {Concurrency: 1, Given: GivenLevel}, {Concurrency: 1, Limit: AtMost(100)}} {
		if b, err := NewOwn(own, keyhash.XX64, &o); b != nil || err == nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
