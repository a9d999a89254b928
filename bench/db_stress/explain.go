package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	pebblestore "github.com/simdbloom/simdbloom/bench/internal/store"
)

// explained adds to a failure about a key what every way to read the key finds once no read fails any more. If a full
// iteration, which uses no filter, is wrong as well, and the filters of all tables with the key have it, no filter had
// a part: the failure is apart, where reads were to fail. TestPebbleLosesValues shows how Pebble comes to that.
func (s *store) explained(err error) error {
	var f *failure
	if !errors.As(err, &f) || f.key < 0 {
		return err
	}
	s.faults.Off()
	s.quiet.Lock()
	defer s.quiet.Unlock()
	reader, want := f.reader, f.want
	if reader == nil {
		snapshot := s.NewSnapshot()
		defer snapshot.Close()
		reader, want = snapshot, s.state.since(f.key, s.state.before(f.key))
	}
	text := []string{fmt.Sprintf("without read errors, of what must be %v", want)}
	right := false // what the full iteration finds is
	for _, way := range []struct {
		by    string
		value func() (value []byte, err error)
	}{
		{"full iteration", func() ([]byte, error) { return byIteration(reader, f.key) }},
		{bothGets[0].by, func() ([]byte, error) { return byGet(bothGets[0], reader, f.key) }},
		{bothGets[1].by, func() ([]byte, error) { return byGet(bothGets[1], reader, f.key) }},
	} {
		value, err := way.value()
		found, allowed := "", false
		if err == nil {
			found, allowed = described(f.key, value, want)
		} else {
			found = err.Error()
		}
		// An error says nothing about the key.
		if way.by == "full iteration" {
			right = allowed || err != nil
		}
		text = append(text, fmt.Sprintf("%s: %s", way.by, found))
	}
	tables, hides := s.tablesWith(f.key)
	f.text += "\n  " + strings.Join(append(text, tables...), "\n  ")
	f.apart = !right && !hides && s.plan.ReadFaultOneIn > 0
	return f
}

// described describes a value, nil for none, and whether it may be the key's.
func described(i int, value []byte, want span) (text string, allowed bool) {
	if value == nil {
		return "not found", want.allows(0)
	}
	v, err := versionOf(i, value)
	if err != nil {
		return err.Error(), false
	}
	return v.String(), want.allows(v)
}

// byIteration iterates over everything, from the first key on, and returns a copy of a key's value.
func byIteration(r pebble.Reader, i int) (found []byte, err error) {
	iter, err := r.NewIter(nil)
	if err != nil {
		return nil, err
	}
	key := appendKey(nil, i)
	for valid := iter.First(); valid; valid = iter.Next() {
		if bytes.Equal(iter.Key(), key) {
			value, err := iter.ValueAndErr()
			if err != nil {
				return nil, errors.Join(err, iter.Close())
			}
			found = append([]byte{}, value...)
		}
	}
	return found, errors.Join(iter.Error(), iter.Close())
}

func byGet(g get, r pebble.Reader, i int) ([]byte, error) {
	value, closer, err := g.of(r, appendKey(nil, i))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := append([]byte{}, value...)
	return found, closer.Close()
}

// tablesWith describes the tables that have a key, read outside of Pebble's store, and their filters' answers. It
// reports whether one is "no".
func (s *store) tablesWith(i int) (text []string, hides bool) {
	levels, err := s.SSTables(pebble.WithKeyRangeFilter(appendKey(nil, i), appendKey(nil, i+1)))
	if err != nil {
		return []string{err.Error()}, false
	}
	readers, prefix := simdbloom.Filters(), s.entryOf(i)
	for level, tables := range levels {
		for _, table := range tables {
			name := pebblestore.TableName(table)
			b, err := filterOf(filepath.Join(s.plan.Store, name), s.state.prefixSize)
			says := "no filter"
			switch {
			case err != nil:
				says = err.Error()
			case b == nil:
			case !slices.ContainsFunc(b.keys, func(key []byte) bool { return bytes.Equal(key, prefix) }):
				says = "not in the filter's keys"
			case readers[b.policy] == nil:
				says = "no policy for its filter"
			case readers[b.policy].MayContain(pebble.TableFilter, b.filter(), prefix):
				says = "the filter has it"
			default:
				says, hides = "the filter of "+b.policy+" says no", true
			}
			text = append(text, fmt.Sprintf("L%d %s: %s", level, name, says))
		}
	}
	return text, hides
}

// entryOf returns the entry that filters have of a key.
func (s *store) entryOf(i int) []byte {
	prefix, _, _ := s.prefixGroup(i)
	return prefix
}
