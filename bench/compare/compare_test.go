package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/internal/test/measured/committed"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestEveryPeer looks up keys in every way that is timed.
func TestEveryPeer(t *testing.T) {
	const keys = 9 * (1 << 13) / 10
	set := keySet{seed: 7}
	q := newQueries(1 << 14)
	q.fill(set, rand.New(rand.NewPCG(1, 2)), keys, keys, half)
	present := count(q.present)
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			asked := p.asked[(len(p.asked)-1)/2]
			f, err := p.build(set, keys, asked, new(timing.Stopwatch))
			if err != nil {
				t.Fatal(err)
			}
			f.batch(q.keys, q.hits)
			hits := count(q.hits)
			if lost := q.lost(); lost > 0 {
				t.Fatalf("%d keys lost", lost)
			}
			if most := present + len(q.keys)/20; hits > most {
				t.Errorf("%d hits of %d present keys", hits, present)
			}
			if one := f.each(q.keys); one != hits {
				t.Errorf("one key at a time: %d hits, in a batch %d", one, hits)
			}
			if s, ok := f.(storedFilter); ok {
				if one := s.eachInStore(q.keys); one != hits {
					t.Errorf("by a store's interface: %d hits, in a batch %d", one, hits)
				}
			}
			if h, ok := f.(hashFilter); ok {
				clear(q.hits)
				h.batchHashes(q.hashesFor(h), q.hits)
				if got := count(q.hits); got != hits {
					t.Errorf("with hashes: %d hits, with keys %d", got, hits)
				}
			}
			least := 0.98 * asked
			if p.name == "Ribbon" { // it has FastLocal's rate in less memory
				least = 0.6 * asked
			}
			if bits := 8 * float64(f.sizeBytes()) / keys; bits < least || bits > 2*asked {
				t.Errorf("%v bits/key, asked for %v", bits, asked)
			}
		})
	}
}

// TestRun measures everything with little work, and one part of it again.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "compare.json")
	few := []string{"-rounds=2", "-queries=1000", "-rate_queries=1000", "-o=" + file}
	var r *runResults
	measured := func(args ...string) {
		t.Helper()
		var log bytes.Buffer
		if status := run(append(few, args...), io.Discard, &log); status != 0 {
			t.Fatalf("status %d: %s", status, &log)
		}
		var err error
		if r, err = measured.Load[runResults](file); err != nil {
			t.Fatal(err)
		}
	}
	measured("-largest=13", "-peers=Linear|Ribbon|fuse|Legacy|Pebble")
	own, pebbles := r.peer("Legacy"), r.peer("Pebble")
	for i, rate := range own.Rates {
		if theirs := pebbles.Rates[i]; rate.BitsPerKey != theirs.BitsPerKey || rate.FalsePositives != theirs.FalsePositives {
			t.Errorf("Legacy has the rate %+v, and Pebble %+v", *rate, *theirs)
		}
	}
	if len(r.Peers) != 5 || len(r.Adders.Rows) != 0 {
		t.Fatalf("%d peers, %d adders", len(r.Peers), len(r.Adders.Rows))
	}
	for _, p := range r.Peers {
		size := p.at(7372, 100)
		if size == nil || size.fpr() > 1./90 || size.fpr() < 1./300 || size.Asked == 0 || len(size.One) != 2 || len(size.OneAbsent) != 2 || len(size.Batch) != 2 || len(size.Build) != 2 {
			t.Errorf("%s: times %+v", p.Name, size)
		}
		if hashed := len(size.Hashes); hashed != 2 && (hashed != 0 || p.Name != "Legacy" && p.Name != "Pebble") {
			t.Errorf("%s: %d times of hashes", p.Name, hashed)
		}
		if len(p.Rates) == 0 || p.Rates[0].Queries == 0 {
			t.Errorf("%s has no rates", p.Name)
		}
		if has, want := p.at(7372, 55_000) != nil, !strings.Contains("Legacy Pebble", p.Name); has != want {
			t.Errorf("%s has a rate of 1 in 55,000: %v", p.Name, has)
		}
		if (p.Version == "") != p.Own || p.Loops == p.Own {
			t.Errorf("%s has version %q, loops %v", p.Name, p.Version, p.Loops)
		}
	}
	for _, l := range r.Levels.Rows {
		if len(l.All) != 2 || len(l.Few) != 2 || len(l.One) != 2 || len(l.Build) != 2 || l.Level == "" {
			t.Errorf("%+v", l)
		}
	}
	measured("-largest=19", "-only=adders")
	if len(r.Adders.Rows) != len(adders) || len(r.Levels.Rows) == 0 || r.peer("Ribbon").at(7372, 100) == nil {
		t.Errorf("%d adders, %d levels: %+v", len(r.Adders.Rows), len(r.Levels.Rows), r.peer("Ribbon"))
	}
	for _, g := range r.Adders.Rows {
		if len(g.One) != 2 || len(g.Turns) != 2 || len(g.Batch) > 0 != (g.Own || g.Name == "parquet-go") || len(g.Two) > 0 && !strings.Contains("Concurrent blobloom sync holiman", g.Name) {
			t.Errorf("%+v", g)
		}
	}
}

// TestForgetfulFilter: a filter that loses a key makes every part fail.
func TestForgetfulFilter(t *testing.T) {
	never := func([]byte) bool { return false }
	g := &adderTimes{new: func(int) (adder, error) {
		return adder{add: func([]byte) {}, contains: never}, nil
	}}
	if err := g.time(keySet{}, 1000, 100, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, errFalseNegative) {
		t.Errorf("adders: %v", err)
	}
	l := &levelTimes{BitsPerKey: 10, format: root.FastLocal, level: cpu.Current(), keys: 1000}
	l.newBuilder = func(float64, keyhash.Hash, ...root.Option) (*root.Builder, error) {
		return bloom.NewBuilder(10, keyhash.XX64)
	}
	b, err := l.newBuilder(10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	b.AddHash(1)
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.lookUps(data, []uint64{2 << 40, 3 << 40, 5 << 40, 7 << 40}, 100, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, errFalseNegative) {
		t.Errorf("levels: %v", err)
	}
}

// TestCommittedPages: the tables and the plots of the clone are those of bench/compare.json.
func TestCommittedPages(t *testing.T) {
	r, files := committed.Pages(t, "../..", "compare.json", (*runResults).files)
	for _, p := range r.Peers {
		if !strings.Contains(string(files["docs/measured.md"]), "| "+bold(p.Name, p.Own)+" |") {
			t.Errorf("measured.md has no %s", p.Name)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	for _, args := range [][]string{
		{"-peers=none"},
		{"-peers=("},
		{"-only=all", "-o=x"},
		{"-only=rates"},
		{"-only=times", "-peers=Ribbon", "-o=x"},
		{"-quick", "-peers=Ribbon"},
		{"-quick", "-o=x"},
	} {
		if status := run(args, io.Discard, io.Discard); status != 2 {
			t.Errorf("%q: status %d, want 2", args, status)
		}
	}
}
