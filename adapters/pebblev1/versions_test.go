//go:build copies

package pebblev1_test

import (
	"testing"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebblev1"
)

// What the tests need of Pebble that v2 has otherwise: adapters/pebble has a file of this
// name, too, and the tests, without which this file does not compile: "go run copy.go -test".

// comparer is Pebble's own with a Split, which GetMany needs.
var comparer = func() *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Split = func(key []byte) int { return len(key) }
	return &c
}()

const levels = 7

// needsSuccessor says whether Pebble needs the Comparer's ImmediateSuccessor to look up a prefix.
const needsSuccessor = false

// setPolicies sets the policies of all levels, taking the given ones in turn.
func setPolicies(o *pebble.Options, given ...pebble.FilterPolicy) {
	o.Levels = make([]pebble.LevelOptions, levels)
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = given[i%len(given)]
	}
}

// setTableSize sets the size of tables in all levels.
func setTableSize(o *pebble.Options, bytes int64) {
	if o.Levels == nil {
		o.Levels = make([]pebble.LevelOptions, levels)
	}
	for i := range o.Levels {
		o.Levels[i].TargetFileSize = bytes
	}
}

func setMemTableSize(o *pebble.Options, bytes int64) { o.MemTableSize = uint64(bytes) }

func compact(_ testing.TB, db *pebble.DB, start, end []byte) error {
	return db.Compact(start, end, true)
}

// numTables is how many tables a level has.
func numTables(level pebble.LevelMetrics) int64 { return level.NumFiles }

func create(fs vfs.FS, name string) (vfs.File, error) { return fs.Create(name) }

func ingest(_ testing.TB, db *pebble.DB, table string) error { return db.Ingest([]string{table}) }

// goldenWriters wrote the tables in testdata/golden that this Pebble reads.
var goldenWriters = []string{"pebblev1"}

// goldenTables is one table. The rest is the same as in adapters/pebble.
func goldenTables(*testing.T) map[string][]byte {
	p := simdbloom.FastLocal(10)
	return map[string][]byte{"pebblev1-" + p.Name(): goldenTable(p, pebble.FormatNewest.MaxTableFormat())}
}
