package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/linear"
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

// TestRun runs the command for some peers with little work.
func TestRun(t *testing.T) {
	var out, log bytes.Buffer
	args := []string{"-rounds=2", "-queries=1000", "-largest=13", "-rate_queries=1000", "-peers=Linear|Ribbon|fuse|Legacy|Pebble"}
	if status := run(args, &out, &log); status != 0 {
		t.Fatalf("status %d: %s", status, &log)
	}
	measured := new(results.Run)
	if err := json.Unmarshal(out.Bytes(), measured); err != nil {
		t.Fatal(err)
	}
	if len(measured.Peers) != 5 {
		t.Fatalf("%d peers, want 5", len(measured.Peers))
	}
	own, pebbles := measured.Peer("Legacy"), measured.Peer("Pebble")
	for i, rate := range own.Rates {
		if theirs := pebbles.Rates[i]; rate.BitsPerKey != theirs.BitsPerKey || rate.FalsePositives != theirs.FalsePositives {
			t.Errorf("Legacy has the rate %+v, and Pebble %+v", *rate, *theirs)
		}
	}
	for _, p := range measured.Peers {
		size := p.At(7372, 100)
		if size == nil || size.FPR() > 1./90 || size.FPR() < 1./300 || size.Asked == 0 || len(size.One) != 2 || len(size.OneAbsent) != 2 || len(size.Batch) != 2 || len(size.Build) != 2 {
			t.Errorf("%s: times %+v", p.Name, size)
		}
		if hashed := len(size.Hashes); hashed != 2 && (hashed != 0 || p.Name != "Legacy" && p.Name != "Pebble") {
			t.Errorf("%s: %d times of hashes", p.Name, hashed)
		}
		if len(p.Rates) == 0 || p.Rates[0].Queries == 0 {
			t.Errorf("%s has no rates", p.Name)
		}
		for _, rate := range p.Rates {
			if rate.Predicted > 0 != p.Own {
				t.Errorf("%s: %+v", p.Name, rate)
			}
		}
		if has, want := p.At(7372, 55_000) != nil, !strings.Contains("Legacy Pebble", p.Name); has != want {
			t.Errorf("%s has a rate of 1 in 55,000: %v", p.Name, has)
		}
		if (p.Version == "") != p.Own || p.Loops == p.Own || p.Steps != (p.Name == "Linear") {
			t.Errorf("%s has version %q, loops %v, steps %v", p.Name, p.Version, p.Loops, p.Steps)
		}
	}
}

// TestLevelDBHasGoleveldbsBytes, since they are drawn as one line.
func TestLevelDBHasGoleveldbsBytes(t *testing.T) {
	const keys, bitsPerKey = 1000, 12
	build := func(of func(int, float64) (builder, error)) filter {
		f, err := (&peer{new: of}).build(keySet{seed: 7}, keys, bitsPerKey, new(timing.Stopwatch))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	own, theirs := build(newLevelDB).(*levelDB), build(newGoleveldb).(*goleveldb)
	if !bytes.Equal(own.data, theirs.data) {
		t.Error("other bytes")
	}
}

// TestStepsOfLinearFilters: more bits per key than a step's change no rate before the next one.
func TestStepsOfLinearFilters(t *testing.T) {
	for i, bits := range steps[1:] {
		if own, before := linear.PredictedFPR(rateKeys, bits), linear.PredictedFPR(rateKeys, bits-0.001); own != math.Ldexp(1, -8-i) || before != 2*own {
			t.Errorf("%v bits/key: rate %v, and %v before", bits, own, before)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	for _, args := range [][]string{
		{"-rounds=0"},
		{"-largest=40"},
		{"-largest=3"},
		{"-peers=none"},
		{"-peers=("},
		{"more"},
		{"-step=0"},
		{"-only=all", "-o=x"},
		{"-only=rates"},
		{"-only=times", "-peers=Ribbon", "-o=x"},
	} {
		if status := run(args, io.Discard, io.Discard); status != 2 {
			t.Errorf("%q: status %d, want 2", args, status)
		}
	}
}
