package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
)

// levelTimes are the times of a format's kernels at a level, with filters of a size. Half of the keys that are
// looked up are present. Keys are hashes: hashing is not timed.
type levelTimes struct {
	Format     string  `json:"format"`
	BitsPerKey float64 `json:"bits_per_key"` // that were asked for
	Level      string  `json:"level"`
	Bytes      int     `json:"bytes"`    // of a filter, about
	All        times   `json:"all_ns"`   // all hashes in a call
	Few        times   `json:"few_ns"`   // eight hashes a call
	One        times   `json:"one_ns"`   // one a call
	Build      times   `json:"build_ns"` // of one goroutine

	newBuilder func(bitsPerKey float64, hash keyhash.Hash, options ...root.Option) (*root.Builder, error)
	format     root.Format
	level      cpu.Level
	keys       int
}

// ofLevels are the rows: FastLocal and Ribbon for a rate of about 1 in 100, Paired and Linear for 1 in 60,000.
func ofLevels(largest int) (rows []*levelTimes) {
	for _, f := range []levelTimes{
		{Format: "FastLocal", format: root.FastLocal, BitsPerKey: 10, newBuilder: bloom.NewBuilder},
		{Format: "Paired", format: root.Paired, BitsPerKey: 23.4, newBuilder: paired.NewBuilder},
		{Format: "Linear", format: root.Linear, BitsPerKey: 16.6, newBuilder: linear.NewBuilder},
		{Format: "Ribbon", format: root.Ribbon, BitsPerKey: 10, newBuilder: ribbon.NewBuilder},
	} {
		for _, level := range []cpu.Level{cpu.AVX512, cpu.AVX2, cpu.NEON, cpu.Generic} {
			if !cpu.Current().Includes(level) {
				continue
			}
			for _, bytes := range []int{16 << 10, 1 << 20, 32 << 20} {
				row := f
				row.level, row.Level, row.Bytes, row.keys = level, level.String(), bytes, int(8*float64(bytes)/f.BitsPerKey)
				if row.keys <= largest {
					rows = append(rows, &row)
				}
			}
		}
	}
	return rows
}

// levels times the kernels of all levels that this machine has.
func (s *settings) levels(r *runResults, terminal io.Writer) error {
	r.Levels = newPart[levelTimes]()
	r.Levels.Rows = ofLevels(s.sizes[len(s.sizes)-1])
	bar := progress.Start(terminal, "Levels", s.rounds*len(r.Levels.Rows))
	defer bar.Done()
	for turn := range s.rounds * len(r.Levels.Rows) {
		row := r.Levels.Rows[turnOf(turn, len(r.Levels.Rows))]
		if err := row.time(s.queries, rand.New(rand.NewPCG(s.keys.seed, uint64(turn)))); err != nil {
			return fmt.Errorf("%s, %s, %d bytes: %w", row.Format, row.Level, row.Bytes, err)
		}
		bar.Add(1)
	}
	return nil
}

func (l *levelTimes) time(queries int, coin *rand.Rand) error {
	defer cpu.Limit(l.level)()
	hashes := make([]uint64, l.keys)
	for i := range hashes {
		hashes[i] = coin.Uint64()
	}
	defer machine.Pin()()
	data, err := l.build(&l.Build, hashes, 1)
	if err != nil {
		return err
	}
	return l.lookUps(data, hashes, queries, coin)
}

// lookUps times lookups in a filter's bytes, half of them of the hashes that were added.
func (l *levelTimes) lookUps(data []byte, hashes []uint64, queries int, coin *rand.Rand) error {
	f, err := root.Open(l.format, data, keyhash.XX64)
	if err != nil {
		return err
	}
	asked, hits := make([]uint64, queries), make([]bool, queries)
	lookUp := func(t *times, inACall int) error {
		var present []int
		for i := range asked {
			if asked[i] = coin.Uint64(); asked[i]&1 == 0 {
				asked[i] = hashes[coin.IntN(len(hashes))]
				present = append(present, i)
			}
		}
		runtime.GC()
		*t = append(*t, timing.PerKey(queries, func() {
			if inACall == 1 {
				for i, hash := range asked {
					hits[i] = f.ContainsHash(hash)
				}
				return
			}
			for from := 0; from < len(asked); from += inACall {
				to := min(from+inACall, len(asked))
				f.ContainsHashes(asked[from:to], hits[from:to])
			}
		}))
		for _, i := range present {
			if !hits[i] {
				return errFalseNegative
			}
		}
		return nil
	}
	var warm times
	for _, way := range []struct {
		times   *times
		inACall int
	}{{&warm, queries}, {&l.All, queries}, {&l.Few, 8}, {&l.One, 1}} {
		if err := lookUp(way.times, way.inACall); err != nil {
			return err
		}
	}
	return nil
}

// build builds filters with enough keys in all for the clock, and returns the last one's bytes.
func (l *levelTimes) build(t *times, hashes []uint64, goroutines int) (data []byte, err error) {
	const leastKeys = 1 << 18
	builder, err := l.newBuilder(l.BitsPerKey, keyhash.XX64, root.WithConcurrency(goroutines))
	if err != nil {
		return nil, err
	}
	if err := lendForBuilding(len(hashes)); err != nil {
		return nil, err
	}
	builds := (leastKeys + len(hashes) - 1) / len(hashes)
	*t = append(*t, timing.PerKey(builds*len(hashes), func() {
		for range builds {
			builder.AddHashes(hashes)
			if data, err = builder.Finish(); err != nil {
				return
			}
		}
	}))
	return data, err
}

// countHits counts answers without a branch.
func countHits(contains func(key []byte) bool, keys [][]byte) (hits int) {
	for _, key := range keys {
		hits += tables.One(contains(key))
	}
	return hits
}
