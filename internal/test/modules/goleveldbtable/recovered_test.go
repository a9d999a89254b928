// Package goleveldbtable has goleveldb write and recover stores. It has only tests.
package goleveldbtable

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	simdbloom "github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/table"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"
)

var (
	seed   = flag.Uint64("seed", 0, "of the first of TestRecovered's stores; 0 is another one each time")
	stores = flag.Int("stores", 60, "the number of TestRecovered's stores")
)

// filters are those that a store may have.
func filters() []filter.Filter {
	return []filter.Filter{
		filter.NewBloomFilter(10), simdbloom.BuiltIn(10), simdbloom.LevelDB(10), simdbloom.FastLocal(10), simdbloom.Paired(23.4),
		simdbloom.Linear(17), simdbloom.Ribbon(10), simdbloom.SplitBlock(10), simdbloom.Legacy(10),
	}
}

// TestRecovered lets goleveldb recover random stores, some of which have a changed bit in a data block, some without a
// filter, and some compacted afterwards. Verify finds that the filters of tables that the recovery wrote lack their
// keys, and nothing wrong in others. This repeats a store:
//
//	go test -run TestRecovered -seed=N -stores=1 ./goleveldbtable
func TestRecovered(t *testing.T) {
	first := *seed
	for first == 0 {
		first = rand.Uint64()
	}
	t.Log("the first seed is", first)
	rebuilt, missing := 0, uint64(0)
	for i := range *stores {
		t.Run(fmt.Sprint("seed=", first+uint64(i)), func(t *testing.T) {
			r, m := recovered(t, rand.New(rand.NewPCG(first+uint64(i), 0)))
			rebuilt, missing = rebuilt+r, missing+m
		})
	}
	t.Logf("%d damaged stores, %d keys missing", rebuilt, missing)
}

func recovered(t *testing.T, random *rand.Rand) (rebuilt int, missing uint64) {
	all := filters()
	o := &opt.Options{
		Filter: all[random.IntN(len(all))], BlockSize: 1 << (7 + random.IntN(7)), BlockRestartInterval: 1 + random.IntN(20),
		FilterBaseLg: 8 + random.IntN(20), CompactionTableSize: 1 << (14 + random.IntN(8)), WriteBuffer: 1 << (14 + random.IntN(8)),
		Compression: opt.Compression(1 + random.IntN(2)),
		// No compactions but those that are asked for.
		CompactionL0Trigger: 1000, WriteL0SlowdownTrigger: 1000, WriteL0PauseTrigger: 1000, DisableSeeksCompaction: true,
	}
	damage, filtered, compacted := random.IntN(4) > 0, random.IntN(4) > 0, random.IntN(3) == 0
	n := 1 + random.IntN(3000)
	dir := t.TempDir()
	db, err := leveldb.OpenFile(dir, o)
	must(t, err)
	var keys [][]byte
	value := make([]byte, 1+random.IntN(60))
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "key%0*d", 1+random.IntN(12), i))
		must(t, db.Put(keys[i], value, nil))
	}
	must(t, db.Close())
	db, err = leveldb.OpenFile(dir, o) // which writes the journal to a table
	must(t, err)
	must(t, db.Close())
	before := make(map[string]bool) // tables' bytes
	for _, name := range tables(t, dir) {
		before[contents(t, name)] = true
	}
	if damage {
		for _, name := range tables(t, dir) {
			damageTable(t, name, random)
		}
		rebuilt = 1
	}
	recovery := *o
	if !filtered {
		recovery.Filter = nil
	}
	db, err = leveldb.RecoverFile(dir, &recovery)
	must(t, err)
	must(t, db.Close())
	db, err = leveldb.OpenFile(dir, o)
	must(t, err)
	if compacted {
		must(t, db.CompactRange(util.Range{}))
	}
	must(t, db.Close())
	db, err = leveldb.OpenFile(dir, o)
	must(t, err)
	defer db.Close()
	// The keys of the tables, as an iterator has them.
	lost, panics := 0, 0
	iter := db.NewIterator(nil, nil)
	defer iter.Release()
	var there [][]byte
	for iter.Next() {
		key := bytes.Clone(iter.Key())
		there = append(there, key)
		switch found, err := get(db, key); {
		case err != nil:
			panics++
		case !found:
			lost++
		}
	}
	must(t, iter.Error())
	silent := make([]bool, len(there)) // or found
	for _, name := range tables(t, dir) {
		read, v := verify(t, name)
		missing += v.Missing
		wrong := v.Damaged > 0 || (v.NotVerified != "") != (read.Layout == "none")
		switch ofRecovery := damage && !compacted && !before[contents(t, name)]; {
		case ofRecovery && !filtered:
			wrong = wrong || !strings.Contains(v.NotVerified, "goleveldb's recovery")
		case ofRecovery: // some are found by accident
			wrong = wrong || 4*v.Missing < 3*v.Entries
		default:
			wrong = wrong || v.Missing > 0 || strings.Contains(v.NotVerified, "recovery")
		}
		if wrong {
			t.Errorf("%s: %+v", filepath.Base(name), v)
		}
		for _, order := range []table.Order{table.AnyOrder, table.Bytewise} {
			read := open(t, name, table.WithOrder(order))
			queries := make([]table.Query, len(there))
			for i, key := range there {
				queries[i].Key = key
			}
			answers, err := read.Answers(queries)
			must(t, err)
			for i, a := range answers {
				silent[i] = silent[i] || a.MayContain || v.Missing > 0 && a.Why != ""
			}
		}
	}
	for i, known := range silent {
		if !known {
			t.Fatalf("%q is in no table, for no reason", there[i])
		}
	}
	what := fmt.Sprintf("filter %s, damage %v, recovered with a filter %v, compacted %v", o.Filter.Name(), damage, filtered, compacted)
	if lost+panics > 0 && (!damage || compacted) { // otherwise the index loses more of them than the filter
		t.Errorf("%s: %d keys are lost, %d panics", what, lost, panics)
	}
	t.Logf("%s: %d of %d keys are lost, %d panics", what, lost, len(there), panics)
	return rebuilt, missing
}

// get reports whether a Get finds a key. Gets in recovered tables may panic: their index is of keys that goleveldb
// cannot read.
func get(db *leveldb.DB, key []byte) (found bool, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%v", panicked)
		}
	}()
	_, err = db.Get(key, nil)
	if err == leveldb.ErrNotFound {
		return false, nil
	}
	return err == nil, err
}

func tables(t *testing.T, dir string) []string {
	names, err := filepath.Glob(filepath.Join(dir, "*.ldb"))
	must(t, err)
	return names
}

func contents(t *testing.T, name string) string {
	data, err := os.ReadFile(name)
	must(t, err)
	return string(data)
}

// damageTable changes a bit in one of the table's data blocks.
func damageTable(t *testing.T, name string, random *rand.Rand) {
	data := []byte(contents(t, name))
	data[random.IntN(len(data)/16+1)] ^= 1 << random.IntN(8)
	must(t, os.WriteFile(name, data, 0o600))
}

func verify(t *testing.T, name string) (*table.Table, *table.Verification) {
	read := open(t, name)
	v, err := read.Verify(context.Background(), table.VerifyOptions{})
	must(t, err)
	return read, v
}

func open(t *testing.T, name string, options ...table.Option) *table.Table {
	data := contents(t, name)
	read, err := table.Open(strings.NewReader(data), int64(len(data)), options...)
	must(t, err)
	return read
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
