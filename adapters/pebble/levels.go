package pebble

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// numLevels is the number of Pebble's levels.
const numLevels = 7

// ByLevel returns a policy for each of Pebble's levels, given its number of keys, which [KeysByLevel] counts in a
// store: [policy.Policy.ByLevel]. Together their filters take no more memory than p's in every level, and let the
// fewest absent keys read a table. They have one name, so tables may move between levels, and numbers of keys may
// change.
//
//	for i, p := range simdbloom.ByLevel(policy.FastLocal(10), keys) {
//		opts.Levels[i].FilterPolicy = p
//	}
//
// Pebble's DB.Get uses no filters of L6: see [Get]. A level of 0 keys gets p: give L0 the keys of a few memtables.
// The options are FilterPolicy's. It panics where [FilterPolicy] does and on a negative number of keys.
func ByLevel(p *policy.Policy, keys [numLevels]int64, options ...simdbloom.Option) (policies [numLevels]pebble.FilterPolicy) {
	if p == nil {
		panic("pebble: ByLevel: the policy is nil")
	}
	levels, err := p.ByLevel(keys[:]...)
	if err != nil {
		panic("pebble: " + err.Error())
	}
	for i, l := range levels {
		policies[i] = FilterPolicy(l, options...)
	}
	return policies
}

// KeysByLevel returns the numbers of keys in the tables of a store's levels, versions and deletions included. It
// reads the properties of all tables.
func KeysByLevel(db *pebble.DB) (keys [numLevels]int64, err error) {
	levels, err := db.SSTables(pebble.WithProperties())
	if err != nil {
		return keys, fmt.Errorf("pebble: %w", err)
	}
	for i, tables := range levels {
		for _, table := range tables {
			keys[i] += int64(table.Properties.NumEntries)
		}
	}
	return keys, nil
}
