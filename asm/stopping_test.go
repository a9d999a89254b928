package asm_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestTheWorldStopsDuringABatch tests that the garbage collector need not wait for the end
// of a long batch: the world stops several times within one call. Assembly cannot be
// preempted, so a kernel must return to Go now and then. How long a stop takes is not
// tested.
func TestTheWorldStopsDuringABatch(t *testing.T) {
	// With one there would be no stop before the scheduler's next turn. Many
	// probes in a body beyond the caches make a call last long.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	body := randomBody(rand.New(rand.NewPCG(1, 83)), 32<<20)
	// The hashes repeat, and so do their answers: the first ones are enough.
	const period, most = 1 << 18, 10_000_000
	hashes := slices.Repeat(vectors.Hashes(34, period), most/period+1)[:most]
	full := bytes.Repeat([]byte{0xff}, len(body)) // every key needs both blocks
	hits, want := make([]uint64, asm.Words(len(hashes))), make([]uint64, asm.Words(period))
	bools := make([]bool, len(hashes))
	// right reports whether the answers to n hashes are those in want.
	right := func(n int) bool {
		for from := 0; from < n; from += period {
			to := min(from+period, n) / 64 * 64 // the last answers are in part of a word
			if !slices.Equal(hits[from/64:to/64], want[:(to-from)/64]) {
				return false
			}
		}
		return hits[(n-1)/64]&(1<<(n%64)-1) == want[(n-1)%period/64]&(1<<(n%64)-1)
	}
	for name, f := range map[string]struct {
		query func(n int)
		right func(n int) bool
	}{
		"FastLocal": {
			func(n int) { fastLocal(30).containsBits(body, hashes[:n], hits) },
			func(n int) bool {
				fallback.FastLocalContainsBatch(body, 30, hashes[:period], want)
				return right(n)
			},
		},
		"Legacy": {
			func(n int) {
				f := asm.NewLegacy(body, uint32(len(body)/asm.BlockBytes), 30)
				f.ContainsBits(hashes[:n], hits)
			},
			func(n int) bool {
				fallback.LegacyContainsBatch(body, uint32(len(body)/asm.BlockBytes), 30, hashes[:period], want)
				return right(n)
			},
		},
		"Paired": {
			func(n int) { paired(128, 30).containsBits(body, hashes[:n], hits) },
			func(n int) bool {
				fallback.PairedContainsBatch(body, 128, 30, hashes[:period], want)
				return right(n)
			},
		},
		"Paired, bools of a full body": {
			func(n int) { paired(128, 30).containsBools(full, hashes[:n], bools) },
			func(n int) bool { return bytes.Count(testmem.Bytes(bools[:n]), []byte{1}) == n },
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachLevel(t, func(t *testing.T) {
				if asm.Level() == cpu.Generic {
					t.Skip("loops in Go can be preempted")
				}
				clear(hits)
				clear(bools)
				keys := keysIn(100*time.Millisecond, len(hashes), f.query)
				stopDuring(t, func() { f.query(keys) })
				if !f.right(keys) {
					t.Error("interruptions changed the answers")
				}
			})
		})
	}
}

// keysIn returns how many keys, at most the given number, take about the given time: all
// of them except under an emulator or the race detector.
func keysIn(duration time.Duration, most int, batch func(n int)) int {
	sample := most / 100
	batch(sample)
	start := time.Now()
	batch(sample)
	return int(min(float64(most), float64(sample)*float64(duration)/float64(time.Since(start)+1)))
}

// stopDuring calls f again and again until the world has stopped often enough
// within one call of it.
func stopDuring(t *testing.T, f func()) {
	t.Helper()
	const (
		// A kernel that never returns to Go lets the world stop once before it and
		// once after it within a call.
		enough   = 3
		patience = 30 * time.Second
	)
	var (
		calls atomic.Int64 // odd during one
		leave atomic.Bool
		left  = make(chan struct{})
	)
	go func() {
		defer close(left)
		for !leave.Load() {
			calls.Add(1)
			f()
			calls.Add(1)
		}
	}()
	defer func() {
		leave.Store(true)
		<-left
	}()

	var stats runtime.MemStats
	within, most := 0, 0
	for call, deadline := int64(0), time.Now().Add(patience); most < enough; {
		if time.Now().After(deadline) {
			t.Errorf("the world stopped %d times at most during a batch, not %d times", most, enough)
			return
		}
		time.Sleep(time.Millisecond) // lets f go on
		before := calls.Load()
		if before != call {
			call, within = before, 0
		}
		runtime.ReadMemStats(&stats) // stops the world
		if before%2 == 1 && calls.Load() == before {
			within++
			most = max(most, within)
		}
	}
}
