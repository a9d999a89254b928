package main

import (
	"iter"

	pebbledb "github.com/cockroachdb/pebble/v2"
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
		found += one(f.policy.MayContain(pebbledb.TableFilter, filters[at], key))
		at = next(at, filters)
	}
	return found
}

func (f inPebble) branch(filters, keys [][]byte) (found int) {
	at := 0
	for _, key := range keys {
		if f.policy.MayContain(pebbledb.TableFilter, filters[at], key) {
			found += readTable()
		}
		at = next(at, filters)
	}
	return found
}
