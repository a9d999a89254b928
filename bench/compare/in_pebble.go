package main

import (
	"iter"

	pebbledb "github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// inPebble is a filter as Pebble has it.
type inPebble struct{ policy pebbledb.FilterPolicy }

func (f inPebble) write(keys iter.Seq[[]byte]) []byte {
	w := f.policy.NewWriter(pebbledb.TableFilter)
	for key := range keys {
		w.AddKey(key)
	}
	return w.Finish(nil)
}

func (f inPebble) added(filters, keys [][]byte) (found int) {
	at := 0
	for _, key := range keys {
		found += tables.One(f.policy.MayContain(pebbledb.TableFilter, filters[at], key))
		at = tables.Next(at, filters)
	}
	return found
}

func (f inPebble) branch(filters, keys [][]byte) (found int) {
	at := 0
	for _, key := range keys {
		if f.policy.MayContain(pebbledb.TableFilter, filters[at], key) {
			found += tables.Read()
		}
		at = tables.Next(at, filters)
	}
	return found
}
