package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// store is an open store and what it must have.
type store struct {
	*pebble.DB
	plan  *plan
	state *expected
	tally *tally
}

// failure is a wrong answer.
type failure struct {
	Key             int
	By              string // the way of reading
	Got, Want       string
	Tables, Choices string // those that may have the key, and the run's
}

func (f *failure) Error() string {
	text := fmt.Sprintf("key %s by %s: %s, but it must be %s", appendKey(nil, f.Key), f.By, f.Got, f.Want)
	return text + "\n  tables: " + f.Tables + "\n  " + f.Choices
}

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
	return &failure{Key: i, By: by, Got: got, Want: want, Tables: s.tablesOf(i), Choices: s.plan.String()}
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
			tables = append(tables, fmt.Sprintf("L%d %s, filter %q", level, tableName(table), table.Properties.FilterPolicyName))
		}
	}
	if tables == nil {
		return "none"
	}
	return strings.Join(tables, "; ")
}

// tableName is the name of a table's file.
func tableName(table pebble.SSTableInfo) string {
	return fmt.Sprintf("%06d.sst", uint64(table.BackingSSTNum))
}

// get is one of the ways to read a key.
type get struct {
	by string
	of func(s *store, key []byte) ([]byte, io.Closer, error)
}

// DB.Get never queries the filters of L6. The adapter's Get does.
var bothGets = []get{
	{"DB.Get", func(s *store, key []byte) ([]byte, io.Closer, error) { return s.Get(key) }},
	{"the adapter's Get", func(s *store, key []byte) ([]byte, io.Closer, error) { return simdbloom.Get(s.DB, key) }},
}

// found returns the version that a Get finds, 0 for none.
func (s *store) found(g get, i int) (version, error) {
	value, closer, err := g.of(s, appendKey(nil, i))
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	v, wrong := versionOf(i, value)
	if err := closer.Close(); err != nil {
		return 0, err // DB.Get has no value then: it could not read it, and says so only here
	}
	if wrong != nil {
		return 0, s.wrong(i, g.by, wrong.Error(), "one of its own")
	}
	return v, nil
}

// readMissing looks up a key that was never written.
func (s *store) readMissing(g get, i int) error {
	_, closer, err := g.of(s, appendMissingKey(nil, i))
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
	size := 1
	if s.state.prefixSize > 0 {
		prefix = prefix[:s.state.prefixSize]
		for range keyBytes - s.state.prefixSize {
			size *= 10
		}
	}
	lo = i / size * size
	return prefix, lo, min(lo+size, s.plan.MaxKey)
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
