package pebble_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// What the tests need of Pebble that v1 has otherwise: adapters/pebblev1 has a file of
// this name, too, and copies of the others.

// comparer is Pebble's own.
var comparer = pebble.DefaultComparer

// needsSuccessor says whether Pebble needs the Comparer's ImmediateSuccessor to look up a prefix.
const needsSuccessor = true

// setPolicies sets the policies of all levels, taking the given ones in turn.
func setPolicies(o *pebble.Options, given ...pebble.FilterPolicy) {
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = given[i%len(given)]
	}
}

// setTableSize sets the size of tables in all levels.
func setTableSize(o *pebble.Options, bytes int64) {
	for i := range o.TargetFileSizes {
		o.TargetFileSizes[i] = bytes
	}
}

func setMemTableSize(o *pebble.Options, bytes int64) { o.MemTableSize = uint64(bytes) }

func compact(t testing.TB, db *pebble.DB, start, end []byte) error {
	return db.Compact(t.Context(), start, end, true)
}

// numTables is how many tables a level has.
func numTables(level pebble.LevelMetrics) int64 { return level.TablesCount }
