package pebble_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/policy"
)

// TestByLevel opens a store again with a policy for each level, and finds every key.
func TestByLevel(t *testing.T) {
	fs := vfs.NewMem()
	open := func(policies [7]pebble.FilterPolicy) *pebble.DB {
		o := &pebble.Options{FS: fs, Logger: silent{}, Comparer: comparer}
		setPolicies(o, policies[:]...)
		db, err := pebble.Open("store", o)
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	p := policy.FastLocal(10)
	var expected [7]int64
	expected[0], expected[5], expected[6] = 1000, 10_000, 100_000
	policies := simdbloom.ByLevel(p, expected)
	names := make(map[string]bool)
	for i, p := range policies {
		names[p.Name()] = true
		if text := fmt.Sprint(p); (expected[i] == 0) != strings.HasSuffix(text, ":10") {
			t.Errorf("L%d, %d keys: %s", i, expected[i], text)
		}
	}
	if len(names) != 1 {
		t.Errorf("names %v", names)
	}
	db := open(policies)
	write := func(from, to int) {
		for i := from; i < to; i++ {
			if err := db.Set(fmt.Appendf(nil, "key %06d", i), nil, pebble.NoSync); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	write(0, 20_000)
	if err := compact(t, db, []byte("key"), []byte("kez")); err != nil {
		t.Fatal(err)
	}
	write(20_000, 20_300)
	keys, err := simdbloom.KeysByLevel(db)
	if sum := keys[0] + keys[1] + keys[2] + keys[3] + keys[4] + keys[5] + keys[6]; err != nil || sum != 20_300 || keys[6] < 20_000 {
		t.Errorf("%v keys by level, %v", keys, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(simdbloom.ByLevel(p, keys))
	defer db.Close()
	write(20_300, 20_600)
	for i := range 20_600 {
		if _, closer, err := db.Get(fmt.Appendf(nil, "key %06d", i)); err != nil {
			t.Fatalf("key %d: %v", i, err)
		} else {
			closer.Close()
		}
	}
}

func TestByLevelPanics(t *testing.T) {
	for name, call := range map[string]func(){
		"ByLevel: the policy is nil": func() { simdbloom.ByLevel(nil, [7]int64{}) },
		"at least 0, not -1":         func() { simdbloom.ByLevel(policy.FastLocal(10), [7]int64{3: -1}) },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, name) {
					t.Errorf("%s: %s", name, said)
				}
			}()
			call()
		}()
	}
}
