package pebble_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/policy"
)

// TestOwnFilter has a store with a filter of one's own. A store that does not know it reads every key, too.
func TestOwnFilter(t *testing.T) {
	queried := 0
	own := simdbloom.FilterPolicy(policy.New("example.LowBytes", policy.Own{
		SizeBytes: func(keys int) int { return keys },
		Build: func(hashes []uint64) (data []byte, err error) {
			for _, hash := range hashes {
				data = append(data, byte(hash))
			}
			return data, nil
		},
		MayContain: func(data []byte, hash uint64) bool {
			queried++
			return bytes.IndexByte(data, byte(hash)) >= 0
		},
	}))
	fs := vfs.NewMem()
	for i, p := range []pebble.FilterPolicy{own, own, simdbloom.FastLocal(10)} {
		o := &pebble.Options{FS: fs, Logger: silent{}, Comparer: comparer, Filters: simdbloom.Filters(p)}
		setPolicies(o, p)
		db, err := pebble.Open("store", o)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 100 {
			key := fmt.Appendf(nil, "key %d", k)
			if i == 0 {
				err = db.Set(key, key, pebble.NoSync)
			} else if value, closer, failed := (store{db, t}).withL6(key); failed != nil || !bytes.Equal(value, key) {
				t.Fatalf("%v: %s is %s, %v", p, key, value, failed)
			} else {
				err = closer.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if queried != 100 {
		t.Errorf("%d queries of the filter", queried)
	}
}
