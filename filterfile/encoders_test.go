package filterfile_test

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
)

// TestOwnMethods: filters store themselves in the bytes of this package, and are the same after reading them.
func TestOwnMethods(t *testing.T) {
	for _, s := range sources(t, 12) {
		want := must(filterfile.Append(nil, s.filter))
		own := s.filter.(*simdbloom.Filter).CopyAligned() // sources are shared
		got, err := own.MarshalBinary()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes (%v)", s.name, err)
		}
		if err := own.UnmarshalBinary(want); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if n, err := own.ReadFrom(bytes.NewReader(want)); err != nil || n != int64(len(want)) {
			t.Errorf("%s: %v", s.name, err)
		}
		if again, err := filterfile.Append(nil, own); err != nil || !bytes.Equal(again, want) {
			t.Errorf("%s: another filter after reading its own bytes (%v)", s.name, err)
		}
		for _, key := range s.keys {
			if !own.Contains(key) {
				t.Fatalf("%s: a key is lost", s.name)
			}
		}
	}
}
