package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	pebblestore "github.com/simdbloom/simdbloom/bench/internal/store"
)

// store is an open store and its expected values.
type store struct {
	*pebble.DB
	plan     *plan
	state    *expected
	tally    *tally
	counters counters
	faults   *faults
	quiet    sync.RWMutex // operations hold it for reading, and what explains a failure for writing
}

// failure is a wrong answer.
type failure struct {
	text   string
	key    int           // its number, -1 if no key is known
	reader pebble.Reader // a snapshot, or nil for the store
	want   span          // of the snapshot
	apart  bool          // no filter had a part in it: see explain
}

func (f *failure) Error() string { return f.text }

// check returns an error unless a read may have found this version of a key.
func (s *store) check(i int, by string, found version, want span) error {
	if want.allows(found) {
		return nil
	}
	got := "not found"
	if found.present() {
		got = found.String()
	}
	return s.wrong(i, by, got, want.String())
}

func (s *store) wrong(i int, by, got, want string) error {
	return &failure{key: i, text: fmt.Sprintf("key %q by %s: %s, but it must be %s\n  tables: %s\n  %v", appendKey(nil, i), by, got, want, s.tablesOf(i), s.plan)}
}

// tablesOf describes the tables that may have a key.
func (s *store) tablesOf(i int) string {
	levels, err := s.SSTables(pebble.WithProperties(), pebble.WithKeyRangeFilter(appendKey(nil, i), appendKey(nil, i+1)))
	if err != nil {
		return err.Error()
	}
	var tables []string
	for level := range levels {
		for _, table := range levels[level] {
			tables = append(tables, fmt.Sprintf("L%d %s, filter %q", level, pebblestore.TableName(table), table.Properties.FilterPolicyName))
		}
	}
	if tables == nil {
		return "none"
	}
	return strings.Join(tables, "; ")
}

// get is one of the ways to read a key.
type get struct {
	by string
	of func(r pebble.Reader, key []byte) ([]byte, io.Closer, error)
}

// DB.Get never queries the filters of L6. An iterator does.
var bothGets = []get{
	{"DB.Get", func(r pebble.Reader, key []byte) ([]byte, io.Closer, error) { return r.Get(key) }},
	{"an iterator", pebblestore.Get},
}

// found returns the version that a Get finds, 0 for none.
func (s *store) found(g get, i int) (version, error) { return s.foundIn(s.DB, g, i) }

// foundIn is found in a snapshot.
func (s *store) foundIn(r pebble.Reader, g get, i int) (version, error) {
	value, closer, err := g.of(r, appendKey(nil, i))
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	v, wrong := versionOf(i, value)
	if err := closer.Close(); err != nil {
		return 0, err // DB.Get has no value then: only Close reports that it could not read it
	}
	if wrong != nil {
		return 0, s.wrong(i, g.by, wrong.Error(), "one of its own")
	}
	return v, nil
}

// foundMany returns the versions that GetMany finds of keys, among which it looks up some missing ones, in random
// order.
func (s *store) foundMany(r pebble.Reader, numbers []int, random *rand.Rand) ([]version, error) {
	const by = "GetMany"
	var keys [][]byte
	for _, i := range numbers {
		keys = append(keys, appendKey(nil, i))
	}
	for j := 0; j < len(numbers); j += 8 {
		keys = append(keys, appendMissingKey(nil, numbers[j]))
	}
	order := random.Perm(len(keys))
	shuffled := make([][]byte, len(keys))
	for k, j := range order {
		shuffled[k] = keys[j]
	}
	found, last := make([]version, len(numbers)), []byte(nil)
	err := simdbloom.GetMany(r, shuffled, func(k int, value []byte) (err error) {
		j := order[k]
		if j >= len(numbers) {
			return s.wrong(numbers[(j-len(numbers))*8], by, "found with a - behind it", "not found")
		}
		if bytes.Compare(last, keys[j]) > 0 {
			return s.wrong(numbers[j], by, fmt.Sprintf("found after %q", last), "found in ascending order")
		}
		last = keys[j]
		if found[j], err = versionOf(numbers[j], value); err != nil {
			return s.wrong(numbers[j], by, err.Error(), "one of its own")
		}
		return nil
	})
	return found, err
}

// readMissing looks up a key that was never written.
func (s *store) readMissing(g get, i int) error {
	_, closer, err := g.of(s.DB, appendMissingKey(nil, i))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	_ = closer.Close() // whose error could be one that is allowed
	return s.wrong(i, g.by, "found with a - behind it", "not found")
}

// collect notes the versions of the keys from lo on that an iterator comes to. It stands where the
// iteration begins, if valid, and goes on by step. Keys on either side of those are passed over.
func (s *store) collect(by string, iter *pebble.Iterator, valid bool, step func() bool, lo int, found []version) error {
	last := -1
	for ; valid; valid = step() {
		i := keyNumber(iter.Key())
		if i < 0 || i >= s.plan.MaxKey || i == last {
			return s.wrong(max(i, 0), by, fmt.Sprintf("found as %q", iter.Key()), "a key that was written, once")
		}
		last = i
		value, err := iter.ValueAndErr()
		if err != nil {
			return err
		}
		if i < lo || i >= lo+len(found) {
			continue
		}
		if found[i-lo], err = versionOf(i, value); err != nil {
			return s.wrong(i, by, err.Error(), "one of its own")
		}
	}
	return iter.Error()
}

// prefixGroup returns the keys, from lo up to but not including hi, that share key i's prefix.
func (s *store) prefixGroup(i int) (prefix []byte, lo, hi int) {
	prefix = appendKey(nil, i)
	if s.state.prefixSize == 0 {
		return prefix, i, i + 1
	}
	head := len(appendHead(nil, i))
	prefix = prefix[:min(s.state.prefixSize, len(prefix))]
	least, size := i, 1 // the least number with i's number of digits, and how many numbers share the prefix
	if head > len(prefix) {
		least, size = power(head-2), power(head-len(prefix))
	}
	lo = i / size * size
	return prefix, max(lo, least), min(lo+size, s.plan.MaxKey)
}

// power returns the power of ten.
func power(exponent int) int {
	n := 1
	for range exponent {
		n *= 10
	}
	return n
}

// harmless counts errors that a read may return, and returns nil for them.
func (s *store) harmless(err error) error {
	if errors.Is(err, errorfs.ErrInjected) {
		s.tally[returned].Add(1)
		return nil
	}
	return err
}

// thread returns the keys that a thread writes: from lo up to but not including hi.
func (p *plan) thread(number int) (lo, hi int) {
	return number * p.MaxKey / p.Threads, (number + 1) * p.MaxKey / p.Threads
}

// inThreads calls do for the keys of each thread, in goroutines, and returns the first error.
func (p *plan) inThreads(do func(number, lo, hi int) error) error {
	errs := make(chan error, p.Threads)
	for number := range p.Threads {
		go func() {
			lo, hi := p.thread(number)
			errs <- do(number, lo, hi)
		}()
	}
	for range p.Threads {
		if err := <-errs; err != nil {
			return err // the process ends, and the other threads with it
		}
	}
	return nil
}
