package table

import (
	"errors"

	"github.com/simdbloom/simdbloom"
)

// keyTail returns the function that counts the bytes behind a user key in a data block.
func (v *verifier) keyTail(blocks []handle) (func(key []byte) int, error) {
	t := v.table
	inStores := func([]byte) int { return internalKeyBytes }
	switch {
	case t.FilterName == bashoName:
		return bashoTail, nil
	case t.Format.Database != databaseLevelDB:
		return inStores, nil
	}
	switch x, err := t.readDataIndex(); {
	case err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported):
		return nil, err // from reading the file
	case err != nil || !x.foreign:
		return inStores, nil
	}
	// The table may be one that LevelDB's TableBuilder wrote without a store, which the filter tells, or one that
	// goleveldb's recovery wrote: its index and filter have a store's keys as they are, with kinds and sequence
	// numbers.
	none := func([]byte) int { return 0 }
	for i, h := range blocks {
		what := blockName{kindData, i, len(blocks)}
		block, err := v.readData(h, what)
		if err != nil {
			continue
		}
		tail := none
		if ofStore(block) {
			tail = inStores
		}
		switch place := what.at(h); {
		case v.filters == nil && ofStore(block):
			v.found.NotVerified += "; goleveldb's recovery wrote the table, and Gets in it fail until the store is compacted"
			return tail, nil
		case v.filters == nil, v.filters.hasAll(block, place, none):
			return tail, nil
		case v.filters.hasAll(block, place, inStores):
			return inStores, nil
		}
		break
	}
	v.filters, v.found.NotVerified = nil, "the keys are not those of a store of LevelDB, and the filter does not have them as they are"
	return none, nil
}

// bashoTail is for Basho's LevelDB, which has a time behind some keys, in front of the kind and the sequence number
// (db/dbformat.h).
func bashoTail(key []byte) int {
	const withoutTime = 1 // kTypeValue is the last kind
	if n := len(key) - internalKeyBytes; n >= 0 && key[n] > withoutTime {
		return 2 * internalKeyBytes
	}
	return internalKeyBytes
}

// ofStore reports whether all keys of a data block end in a kind and a sequence number of a store, which has
// written fewer than 2^48.
func ofStore(block []byte) bool {
	const mostKind = 1 // kTypeValue
	r, err := newDataRows(block)
	for err == nil && r.more() {
		err = r.nextKey()
		n := len(r.key) - internalKeyBytes
		if n < 0 || r.key[n] > mostKind || r.key[n+6] != 0 || r.key[n+7] != 0 {
			return false
		}
	}
	return err == nil
}

// hasAll reports whether the filter of a data block has all of its keys.
func (c *filterCheck) hasAll(block []byte, place Block, tail func(key []byte) int) bool {
	r, err := newDataRows(block)
	for err == nil && r.more() {
		err = r.nextKey()
		n := len(r.key) - tail(r.key)
		if n < 0 || c.blockBased == nil || !c.open(filterAt(c.blockBased, place.Offset)).contains(r.key[:n]) {
			return false
		}
	}
	return err == nil
}
