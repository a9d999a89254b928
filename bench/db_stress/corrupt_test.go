package main

import (
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// TestTablesThatShareAPrefix: a lookup of key 12081 with the prefix 0000012 queries the filter of a level
// whose next key is 12112, and may end with that one's error.
func TestTablesThatShareAPrefix(t *testing.T) {
	table := func(first, last int) (info pebble.SSTableInfo) {
		info.Smallest.UserKey, info.Largest.UserKey = appendKey(nil, first), appendKey(nil, last)
		return info
	}
	for _, c := range []struct {
		prefixSize, first, last, from, to int
		want                              bool
	}{
		{0, 12081, 12109, 12112, 19999, false},
		{0, 12081, 12112, 12112, 19999, true},
		{7, 12081, 12109, 12112, 19999, true},
		{7, 12081, 12109, 10025, 12077, true},
		{7, 12081, 12109, 13000, 19999, false},
		{7, 12081, 12109, 10000, 11999, false},
		{7, 12081, 13000, 13999, 19999, true},
	} {
		state, _ := newState(t, 20_000, c.prefixSize)
		s := &store{plan: &plan{settings: settings{MaxKey: 20_000}}, state: state}
		if got := s.sharePrefix(table(c.first, c.last), table(c.from, c.to)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
