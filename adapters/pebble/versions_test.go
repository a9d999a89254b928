package pebble_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// What the tests need of Pebble that v1 has otherwise: adapters/pebblev1 has a file of
// this name, too, and no others: "go run copy.go -test" there.

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

func create(fs vfs.FS, name string) (vfs.File, error) {
	return fs.Create(name, vfs.WriteCategoryUnspecified)
}

func ingest(t testing.TB, db *pebble.DB, table string) error {
	return db.Ingest(t.Context(), []string{table})
}

// goldenWriters wrote the tables in testdata/golden that this Pebble reads.
var goldenWriters = []string{"pebble", "pebblev1"}

// goldenTables are tables with every filter that this version writes.
func goldenTables(t *testing.T) map[string][]byte {
	tables := make(map[string][]byte)
	for name, p := range simdbloom.Filters() {
		tables["pebble-"+name] = goldenTable(p, pebble.FormatNewest.MaxTableFormat())
	}
	for _, text := range rocksDBTexts {
		name, _, _ := strings.Cut(text, ":")
		tables["pebble.ForRocksDB-"+name] = goldenTable(simdbloom.ForRocksDB(parse(t, text), nil), sstable.TableFormatRocksDBv2)
	}
	return tables
}
