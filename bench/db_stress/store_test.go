package main

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	pebblestore "github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/policy"
)

// opened is an empty store whose filters are wrapped.
func opened(t *testing.T, keys, prefixSize int, filter string, wrap func(pebble.FilterPolicy) pebble.FilterPolicy) *store {
	t.Helper()
	state, _ := newState(t, keys, prefixSize)
	p := &plan{
		settings: settings{MaxKey: keys, Threads: 1}, Policies: make([]levelPolicy, numLevels), Store: filepath.Join(t.TempDir(), "store"),
		Filters: allFilters, TableSize: 32 << 10, Format: int(pebble.FormatNewest),
	}
	for i := range p.Policies {
		p.Policies[i].Text = filter
	}
	s := &store{plan: p, state: state}
	s.open(t, wrap, func(pebble.DataCorruptionInfo) {})
	return s
}

// open opens the store, which was closed.
func (s *store) open(t *testing.T, wrap func(pebble.FilterPolicy) pebble.FilterPolicy, corruption func(pebble.DataCorruptionInfo)) {
	t.Helper()
	c := make(counters)
	o, err := storeOptions(s.plan, s.state.prefixSize, newFaults(0, 1), c, t.Output(), corruption, wrap)
	if err != nil {
		t.Fatal(err)
	}
	db, err := pebble.Open(s.plan.Store, o)
	if err != nil {
		t.Fatal(err)
	}
	s.DB, s.tally, s.counters, s.faults = db, new(tally), c, newFaults(0, 1)
	t.Cleanup(func() {
		if s.DB == db {
			s.close(t)
		}
	})
}

func (s *store) close(t *testing.T) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s.DB = nil
}

func sound(p pebble.FilterPolicy) pebble.FilterPolicy { return p }

// put puts keys, and has them in tables.
func (s *store) put(t *testing.T, keys ...int) {
	t.Helper()
	worker := &thread{store: s, random: generator(1, 1)}
	err := worker.commit(keys, true, func(batch *pebble.Batch, i int, v version) error {
		return batch.Set(appendKey(nil, i), appendValue(nil, i, v), nil)
	})
	if err = errors.Join(err, worker.sync(), s.Flush()); err != nil {
		t.Fatal(err)
	}
}

func TestVerificationFindsWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		what, found string
		policy      string
		wrap        func(pebble.FilterPolicy) pebble.FilterPolicy
		spoil       func(s *store) error
	}{
		{"nothing", "", "simdbloom.Paired:16", sound, func(*store) error { return nil }},
		{
			"a filter that says no", `key "217vvieczxwldmgdblqtjc" by an iterator: not found`, "simdbloom.Paired:16",
			func(p pebble.FilterPolicy) pebble.FilterPolicy { return losing{p} },
			func(s *store) error { // into L6, whose filters DB.Get does not query
				return s.Compact(t.Context(), appendKey(nil, 0), appendKey(nil, s.plan.MaxKey), false)
			},
		},
		{
			"a lost key", "key \"215\" by DB.Get: not found, but it must be version 1", "none", sound,
			func(s *store) error { return s.Delete(appendKey(nil, 15), nil) },
		},
		{
			"an old value", "key \"215\" by DB.Get: version 1, but it must be version 2", "none", sound,
			func(s *store) error {
				v, err := s.state.begin(15, true)
				return errors.Join(err, s.state.settle(15, v))
			},
		},
		{
			"a deletion that was lost", "key \"215\" by DB.Get: version 1, but it must be deleted by version 2", "none", sound,
			func(s *store) error {
				v, err := s.state.begin(15, false)
				return errors.Join(err, s.state.settle(15, v))
			},
		},
		{
			"another key's value", "never written to the key", "none", sound,
			func(s *store) error { return s.Set(appendKey(nil, 15), appendValue(nil, 16, 3), nil) },
		},
		{
			"a key that was never written", "by iteration: found as \"215+\"", "none", sound,
			func(s *store) error { return s.Set(append(appendKey(nil, 15), '+'), nil, nil) },
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := opened(t, 20, 0, c.policy, c.wrap)
			s.put(t, 10, 15, 17)
			if err := c.spoil(s); err != nil {
				t.Fatal(err)
			}
			err := s.verify()
			if c.found == "" && err != nil || c.found != "" && (err == nil || !strings.Contains(err.Error(), c.found)) {
				t.Errorf("%v, and not %q", err, c.found)
			}
		})
	}
}

// TestGetManyVerifiesEveryKey, alone and with others.
func TestGetManyVerifiesEveryKey(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		for lost := range n {
			s := opened(t, n, 0, "none", sound)
			for i := range n {
				s.put(t, i)
			}
			seen, err := s.verifyGets(0, n)
			if err = errors.Join(err, s.verifyMany(seen, 0, n), s.Delete(appendKey(nil, lost), nil)); err != nil {
				t.Fatal(err)
			}
			if err := s.verifyMany(seen, 0, n); err == nil || !strings.Contains(err.Error(), "by GetMany: not found") {
				t.Errorf("key %d of %d is lost: %v", lost, n, err)
			}
		}
	}
}

// yes has Pebble look up no key in filters.
type yes struct{ pebble.FilterPolicy }

func (yes) MayContain(pebble.FilterType, []byte, []byte) bool { return true }

func TestPebbleNeverGetsANo(t *testing.T) {
	s := opened(t, 1000, 0, "simdbloom.FastLocal:10", sound)
	var keys []int
	for i := range s.plan.MaxKey {
		keys = append(keys, i)
	}
	s.put(t, keys...)
	s.plan.Look = true
	for _, c := range []struct {
		wrap  func(pebble.FilterPolicy) pebble.FilterPolicy
		found bool
	}{{sound, false}, {func(p pebble.FilterPolicy) pebble.FilterPolicy { return yes{p} }, true}} {
		s.close(t)
		s.open(t, c.wrap, func(pebble.DataCorruptionInfo) {})
		if err := s.verify(); (err != nil) != c.found || err != nil && !strings.Contains(err.Error(), "Pebble's") {
			t.Error(err)
		}
	}
}

// Tables record the names that are listed, and their filters are what the names say.
func TestRecordedNames(t *testing.T) {
	policies := map[string]string{"none": ""}
	for _, kind := range kinds[1:] {
		for _, text := range append(kind.texts, kind.recorded+":%s") {
			policies[withBits(text, "10")] = kind.recorded
		}
	}
	delete(policies, pebbleName+":10") // which is no text
	for _, p := range policy.Readers() {
		if kindOf(p.Name()).recorded == "" {
			t.Errorf("%s is not listed", p.Name())
		}
	}
	for text, name := range policies {
		s := opened(t, 100, 0, text, sound)
		s.put(t, 10, 20, 30)
		if err := s.verify(); err != nil {
			t.Error(text, err)
		}
		paths, err := tablesIn(s.plan.Store)
		if err != nil || len(paths) != 1 {
			t.Fatal(paths, err)
		}
		b, err := filterOf(paths[0], 0)
		recorded := ""
		if b != nil {
			recorded = b.policy
		}
		if err != nil || recorded != name || kindOf(text).recorded != name {
			t.Errorf("%s: %q, %v", text, recorded, err)
		}
		s.close(t)
	}
}

func TestDamagedFilters(t *testing.T) {
	for _, kind := range kinds[1:] {
		t.Run(kind.recorded, func(t *testing.T) {
			s := opened(t, 480, 0, withBits(kind.texts[0], "10"), sound)
			for lo := 0; lo < s.plan.MaxKey; lo += 120 {
				var keys []int
				for i := lo; i < lo+120; i++ {
					keys = append(keys, i)
				}
				s.put(t, keys...)
			}
			s.close(t)
			s.plan.Look = true
			for _, rightChecksum := range []bool{false, true, false} {
				blocks, err := damage(s.plan.Store, 0, rightChecksum, generator(5, 5))
				if err != nil || len(blocks) == 0 {
					t.Fatalf("%d blocks, %v", len(blocks), err)
				}
				s.plan.Corrupt = nil
				for _, b := range blocks {
					if !rightChecksum {
						s.plan.Corrupt = append(s.plan.Corrupt, b.table())
					}
				}
				var lock sync.Mutex
				found := make(map[string]bool)
				s.open(t, sound, func(info pebble.DataCorruptionInfo) {
					lock.Lock()
					defer lock.Unlock()
					found[filepath.Base(info.Path)] = true
				})
				if err := s.verify(); err != nil {
					t.Error(err)
				}
				if len(found) != len(s.plan.Corrupt) || (s.tally[reported].Load() > 0) == rightChecksum {
					t.Errorf("%d corrupt tables, %v were reported, in %d lookups", len(s.plan.Corrupt), found, s.tally[reported].Load())
				}
				s.close(t)
				if err := blocks.restore(); err != nil {
					t.Fatal(err)
				}
			}
			s.plan.Corrupt = nil
			s.open(t, sound, func(info pebble.DataCorruptionInfo) { t.Error(info) })
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCorruptFiltersBelowDeletedRanges: no lookup comes to a table of which a deleted range above covers all
// keys, and so none reports it. If one of its keys, 10 and 11, is not covered, one must.
func TestCorruptFiltersBelowDeletedRanges(t *testing.T) {
	for hi, isReported := range map[int]bool{11: true, 12: false} {
		s := opened(t, 100, 0, "simdbloom.FastLocal:10", sound)
		s.put(t, 10, 11)
		deleted := (&thread{store: s, random: generator(1, 1)}).deleteKeys(10, hi) // which stays in the log
		s.close(t)
		blocks, err := damage(s.plan.Store, 0, false, generator(5, 5))
		s.plan.Look, s.plan.Corrupt = true, []string{blocks[0].table()}
		s.open(t, sound, func(pebble.DataCorruptionInfo) {})
		if deleted != nil || err != nil || (s.readCorrupt(func(string) bool { return false }) != nil) != isReported || (s.tally[reported].Load() > 0) != isReported {
			t.Errorf("keys 10 to %d deleted: %d reports, %v", hi-1, s.tally[reported].Load(), err)
		}
	}
}

// closing returns its error.
type closing struct{ error }

func (c closing) Close() error { return c.error }

// DB.Get says only in its closer that it could not read a value, and a key that was never written must
// not be found, whatever the closer says.
func TestErrorsOfClosers(t *testing.T) {
	s := opened(t, 20, 0, "none", sound)
	for _, c := range []struct {
		value   []byte
		err     error
		version version
		wrong   bool
	}{
		{appendValue(nil, 15, 3), nil, 3, false},
		{nil, nil, 0, true},
		{nil, errorfs.ErrInjected, 0, false},
	} {
		g := get{"DB.Get", func(pebble.Reader, []byte) ([]byte, io.Closer, error) { return c.value, closing{c.err}, nil }}
		v, err := s.found(g, 15)
		if v != c.version || s.harmless(err) != nil != c.wrong {
			t.Errorf("%x, %v: version %v, %v", c.value, c.err, v, err)
		}
		if err := s.readMissing(g, 15); s.harmless(err) == nil {
			t.Errorf("%x, %v: a key that was never written is found", c.value, c.err)
		}
	}
}

// A group has all keys of a prefix, and no others.
func TestPrefixGroups(t *testing.T) {
	for _, prefixSize := range []int{0, 1, 2, 3, 4, 5, headBytes} {
		state, _ := newState(t, 3000, prefixSize)
		s := &store{plan: &plan{settings: settings{MaxKey: 3000}}, state: state}
		split := pebblestore.PrefixComparer(prefixSize).Split
		for at := 0; at < s.plan.MaxKey; {
			prefix, lo, hi := s.prefixGroup(at)
			if lo != at || hi <= lo {
				t.Fatalf("prefixes of %d bytes: keys %d to %d follow %d", prefixSize, lo, hi, at)
			}
			for i := lo; i < hi; i++ {
				key := appendKey(nil, i)
				same, from, to := s.prefixGroup(i)
				if string(key[:split(key)]) != string(prefix) || string(same) != string(prefix) || from != lo || to != hi {
					t.Fatalf("prefixes of %d bytes: key %q, %q of %d to %d", prefixSize, key, prefix, lo, hi)
				}
			}
			if next := appendKey(nil, hi); string(next[:split(next)]) == string(prefix) && hi < s.plan.MaxKey {
				t.Fatalf("prefixes of %d bytes: key %q is not among %d to %d", prefixSize, next, lo, hi)
			}
			at = hi
		}
	}
}

func TestKeysAndValues(t *testing.T) {
	lengths, before := make(map[int]bool), []byte(nil)
	for i := range 20_000 {
		key := appendKey(nil, i)
		if keyNumber(key) != i || keyNumber(appendMissingKey(nil, i)) != -1 || bytes.Compare(before, key) >= 0 {
			t.Errorf("%d is %q, behind %q", i, key, before)
		}
		lengths[len(key)], before = true, key
	}
	for length := 1; length <= 300; length++ {
		if !lengths[length] {
			t.Errorf("no key of %d bytes", length)
		}
	}
	for _, i := range []int{0, 7, 19_999} {
		v := version(4).next(true)
		value := appendValue(nil, i, v)
		if got, err := versionOf(i, value); err != nil || got != v {
			t.Errorf("version %v: %v", got, err)
		}
		for _, wrong := range [][]byte{nil, value[:7], append(value[:len(value):len(value)], 1), appendValue(nil, i, v.next(false))} {
			if got, err := versionOf(i, wrong); err == nil {
				t.Errorf("%x is %v", wrong, got)
			}
		}
	}
}
