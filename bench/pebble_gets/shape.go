package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// shape is which levels a store's tables are in.
type shape string

const (
	filled    shape = "filled" // by ordinary writes, flushes and compactions
	inL0      shape = "L0"     // in tables that overlap
	compacted shape = "compacted"
	mixed     shape = "mixed" // half of the keys is in L6, half in L0
)

const tablesInL0 = 64 // half of them if mixed

func (s *shape) set(text string) error {
	switch shape(text) {
	case filled, inL0, compacted, mixed:
		*s = shape(text)
		return nil
	}
	return fmt.Errorf("%q is not filled, L0, compacted or mixed", text)
}

// after does what gives the store its shape once n of its keys are written.
func (s shape) after(ctx context.Context, db *pebble.DB, n, keys int) error {
	if s == filled {
		return nil
	}
	if n*tablesInL0/keys > (n-1)*tablesInL0/keys {
		if err := db.Flush(); err != nil {
			return err
		}
	}
	if s == compacted && n == keys || s == mixed && n == keys/2 {
		return db.Compact(ctx, []byte{}, bytes.Repeat([]byte{0xff}, keyBytes+1), false)
	}
	return nil
}
