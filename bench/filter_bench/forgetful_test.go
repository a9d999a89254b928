package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
)

// forgetful is a policy whose filters lose a key in one of the ways to query them.
type forgetful struct {
	filterPolicy
	way    string
	builds *int
}

func (p forgetful) NewBuilder(options ...simdbloom.Option) *simdbloom.Builder {
	*p.builds++
	return p.filterPolicy.NewBuilder(options...)
}

type forgetfulFilter struct {
	filter
	forgetful
	queried *int
}

func (p forgetful) Open(data []byte) (filter, error) {
	f, err := p.filterPolicy.Open(data)
	return forgetfulFilter{f, p, new(int)}, err
}

// lose takes a present key's answer away: in calls for one key from the hundredth on, else at once.
func (f forgetfulFilter) lose(way string, hits []bool) {
	*f.queried++
	if way != f.way || len(hits) == 1 && *f.queried < 100 {
		return
	}
	if at := slices.Index(hits, true); at >= 0 {
		hits[at] = false
	}
}

func (f forgetfulFilter) one(way string, hit bool) bool {
	hits := []bool{hit}
	f.lose(way, hits)
	return hits[0]
}

func (f forgetfulFilter) Contains(key []byte) bool {
	return f.one("Contains", f.filter.Contains(key))
}

func (f forgetfulFilter) ContainsHash(hash uint64) bool {
	return f.one("ContainsHash", f.filter.ContainsHash(hash))
}

func (f forgetfulFilter) ContainsKeys(keys [][]byte, hits []bool) {
	f.filter.ContainsKeys(keys, hits)
	f.lose("ContainsKeys", hits)
}

func (f forgetfulFilter) ContainsHashes(hashes []uint64, hits []bool) {
	f.filter.ContainsHashes(hashes, hits)
	f.lose("ContainsHashes", hits)
}

func TestFalseNegativesAreFound(t *testing.T) {
	for way, flags := range map[string]string{"": "", "Contains": "-quick", "ContainsKeys": "", "ContainsHashes": ""} {
		s, err := parseSettings(append(strings.Fields(flags), "-m_queries=0.1", "-m_keys_total_max=0.02", "-new_builder"), new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		builds := 0
		s.policy = forgetful{s.policy, way, &builds}
		var out bytes.Buffer
		if err := benchmark(s, &out); errors.Is(err, errFalseNegative) != (way != "") {
			t.Errorf("lost by %q: %v", way, err)
		}
		if builds < 2 || !strings.Contains(out.String(), fmt.Sprintf("Number of filters: %d\n", builds)) {
			t.Errorf("%d builders: %s", builds, &out)
		}
	}
}

func TestFalseNegativesAreFoundInTheTable(t *testing.T) {
	for _, way := range []string{"", "Contains", "ContainsKeys"} {
		tab, err := newTable(numberedLines(t, 20_000), defaultRows[:1])
		if err != nil {
			t.Fatal(err)
		}
		r, forgets := tab.rows[3], forgetful{way: way}
		build := r.build
		r.build = func(keys [][]byte) (keyFilter, error) {
			f, err := build(keys)
			return forgetfulFilter{f.(filter), forgets, new(int)}, err
		}
		err = tab.measure(io.Discard, io.Discard)
		if errors.Is(err, errFalseNegative) != (way != "") {
			t.Errorf("lost by %q: %v", way, err)
		}
	}
}
