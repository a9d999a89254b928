//go:build copies

package pebblev1_test

import (
	"testing"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebblev1"
)

// TestAStoreGetsASplit is what the documentation tells stores that have v1's default
// Comparer: iterators use the filters of tables from before, too.
func TestAStoreGetsASplit(t *testing.T) {
	fs, policy := vfs.NewMem(), onAllLevels(simdbloom.Paired(23.4))
	without := func(o *pebble.Options) {
		policy(o)
		o.Comparer = nil
	}
	keys, absent := numbered(0, 4000), absentAmong(1000)
	s := open(t, fs, without)
	s.flush(keys[:2000])
	s.compact()
	s.must(s.Close())

	s = open(t, fs, policy)
	s.flush(keys[2000:])
	s.checkPresent(keys)
	if n := s.rejected(s.withL6, absent); n < 990 {
		t.Errorf("%d of %d absent keys rejected", n, len(absent))
	}
	s.compact()
	s.must(s.Close())

	s = open(t, fs, without)
	for _, key := range keys {
		_, closer, err := s.Get(key)
		s.must(err)
		s.must(closer.Close())
	}
	s.must(s.Close())
}
