package filterfile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
)

// TestOwnMethods: filters that store themselves, also those that policies opened, write the same
// bytes, and are the same after reading them.
func TestOwnMethods(t *testing.T) {
	for _, s := range sources(t, 12) {
		own, ok := s.filter.(contract.Stored)
		if !ok {
			if !strings.Contains(s.name, " of rocksdb.") { // and of another hash than the policy's
				t.Errorf("%s does not store itself", s.name)
			}
			continue
		}
		want, err := filterfile.Append(nil, s.filter)
		if err != nil {
			t.Fatal(err)
		}
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
		if again, err := filterfile.Append(nil, s.filter); err != nil || !bytes.Equal(again, want) {
			t.Errorf("%s: another filter after reading its own bytes (%v)", s.name, err)
		}
		for _, key := range s.keys {
			if !own.Contains(key) {
				t.Fatalf("%s: a key is lost", s.name)
			}
		}
	}
}
