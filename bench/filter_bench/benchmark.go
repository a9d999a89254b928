package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"gonum.org/v1/gonum/mathext/prng"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// benchmark is RocksDB's benchmark, as often as -runs says.
func benchmark(s *settings, out *output) error {
	var lines [][]byte
	if s.keys != "" {
		var err error
		if lines, err = fileLines(s.keys); err != nil {
			return err
		}
	}
	for i := range s.runs {
		seed := uint32(s.seed + 100*i)
		b := &bench{
			settings: s, output: out, lines: lines, seed: seed, random: prng.NewMT19937(),
			report: &runReport{Seed: seed, Policy: s.policy.String()},
		}
		out.Runs = append(out.Runs, b.report)
		if err := b.run(); err != nil {
			return err
		}
	}
	return nil
}

// bench is one run.
type bench struct {
	*settings
	*output
	lines   [][]byte // of -keys, or nil
	seed    uint32
	random  *prng.MT19937 // the sequence of RocksDB's Random32
	makers  []keyMaker    // as many as a batch has keys
	filters []benchFilter
	report  *runReport
}

// benchFilter is one of the filters that are built and queried.
type benchFilter struct {
	filter
	id        uint32 // goes into made keys
	firstLine int    // of -keys' lines
	keys      int

	outsideQueries, falsePositives int // in the mode that runs
}

func (b *bench) run() error {
	for range b.batchSize {
		if b.lines != nil {
			b.makers = append(b.makers, &lineKeys{lines: b.lines})
		} else {
			b.makers = append(b.makers, newMadeKeys(b.settings))
		}
	}
	queries := 1e6 * b.mQueries
	memory := b.workingMemSizeMB * megabyte
	if b.quick {
		queries /= 7
	} else if b.bestCase {
		queries /= 3
		memory /= 10
	}
	writef(b.text, "Building...\n")
	if err := b.build(memory); err != nil {
		return err
	}
	b.report.printBuild(b.text)
	if !b.quick && !b.bestCase {
		if err := b.verify(queries); err != nil {
			return err
		}
	}
	chosen := mixes
	if b.quick {
		chosen = mixes[:1]
	}
	for _, m := range chosen {
		if err := b.queryAll(m, max(1, int(queries+0.5))); err != nil {
			return err
		}
	}
	if b.report.LastRate != nil {
		b.report.LastRate.print(b.text, !b.quick && !b.bestCase)
	}
	writef(b.text, rule+"Done. (For more info, run with -legend or -help.)\n")
	return nil
}

// build builds filters up to the wanted number of bytes or keys.
func (b *bench) build(memory float64) error {
	mostKeys := math.MaxInt
	if b.mKeysTotalMax > 0 {
		mostKeys = int(1e6 * b.mKeysTotalMax)
		memory = 0
	}
	if b.lines != nil {
		mostKeys = min(mostKeys, len(b.lines))
	}
	mostBytes := math.MaxInt
	if memory > 0 {
		mostBytes = max(1, int(memory))
	}
	bar := progress.Start(b.progress, "Building", 1000)
	defer bar.Done()
	shown := 0

	// Varied by up to v, a number of keys has 2v+1 values.
	values := 1 + 2*uint32(b.varyKeyCountRatio*float64(b.averageKeysPerFilter))
	report := b.report
	before := heapBytes()
	b.random.Seed(uint64(b.seed))
	start := time.Now()
	var builder *simdbloom.Builder
	for report.TotalBytes < mostBytes && report.Keys < mostKeys {
		f := benchFilter{id: b.random.Uint32(), firstLine: report.Keys}
		f.keys = int(b.averageKeysPerFilter) + int(fastRange(b.random.Uint32(), values)) - int(values/2)
		f.keys = min(max(f.keys, 1), mostKeys-report.Keys) // RocksDB's may be 0, and then stops
		if builder == nil || b.newBuilder {
			builder = b.policy.NewBuilder()
		}
		for number := range uint32(f.keys) {
			builder.Add(b.makers[0].key(&f, number))
		}
		data, err := builder.Finish()
		if err != nil {
			return err
		}
		if f.filter, err = b.policy.Open(data); err != nil {
			return err
		}
		b.filters = append(b.filters, f)
		report.TotalBytes += len(data)
		report.Keys += f.keys
		done := max(float64(report.Keys)/float64(mostKeys), float64(report.TotalBytes)/float64(mostBytes))
		if step := int(1000 * done); step > shown {
			bar.Add(step - shown)
			shown = step
		}
	}
	elapsed := time.Since(start)
	report.AllocatedBytes = heapBytes() - before - cap(b.filters)*int(unsafe.Sizeof(benchFilter{}))
	report.Filters = len(b.filters)
	report.BuildNSPerKey = float64(elapsed.Nanoseconds()) / float64(report.Keys)
	report.BitsPerKeyStored = 8 * float64(report.TotalBytes) / float64(report.Keys)
	report.PredictedFPRate = b.predictedRate()
	return nil
}

// heapBytes returns what is alive on the heap. It collects twice, since a pool's
// memory survives once.
func heapBytes() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// predictedRate is the mean of the filters' predicted rates, from a sample of the filters:
// predicting takes half a millisecond for a paired filter, and 0.2 seconds for a legacy one.
func (b *bench) predictedRate() float64 {
	most := 200
	if strings.HasPrefix(b.policy.String(), legacyPolicy) {
		most = 5
	}
	sum, keys := 0.0, 0
	for i := 0; i < len(b.filters); i += 1 + len(b.filters)/most {
		n := b.filters[i].keys
		sum += float64(n) * b.policy.PredictedFPR(n)
		keys += n
	}
	return sum / float64(keys)
}

// verify looks up all keys of every filter in it, and its share of outside keys.
func (b *bench) verify(queries float64) error {
	stored := b.report.BitsPerKeyStored
	outside := int(math.Min(queries/float64(len(b.filters)), outsideBit)) // as many different keys there are
	v := &verifyReport{
		BestPossibleFPRate: math.Exp2(-stored),
		TolerableFPRate:    math.Exp2(-(stored - 1) / (1.4 + stored/50)),
		OutsideQueries:     outside * len(b.filters),
	}
	b.report.Verified = v
	v.printBounds(b.text)
	writef(b.text, rule+"Verifying...\n")
	if outside == 0 && !b.allowBadFPRate {
		return fmt.Errorf("-m_queries=%v is less than one query for each of the %d filters", b.mQueries, len(b.filters))
	}
	if err := b.verifyFilters(outside, v); err != nil {
		return err
	}
	rate := float64(v.FalsePositives) / float64(outside) / float64(len(b.filters))
	if outside > 0 {
		v.PrelimFPRate = rate
	}
	v.printRate(b.text, rate)
	if rate < v.TolerableFPRate || b.allowBadFPRate {
		return nil
	}
	return fmt.Errorf(`the false-positive rate is bad: %s %% of outside keys, and at %s bits/key stored %s %% is tolerable (predicted: %s %%). Three things to do:
  1. If the rate is as predicted, the setting is to blame. Filters of few keys are rounded up to whole blocks or
     batches, bits that their number of probes was not chosen for: try more -average_keys_per_filter, other
     -bits_per_key or another -impl.
  2. If it is well above the prediction, count again with more -m_queries and another -seed; if it stays there,
     filter or hash is broken: report it with the flags and the first line of this output.
  3. If only speed matters now, go on with -allow_bad_fp_rate`,
		six(100*rate), six(stored), six(100*v.TolerableFPRate), six(100*b.report.PredictedFPRate))
}

func (b *bench) verifyFilters(outside int, v *verifyReport) error {
	bar := progress.Start(b.progress, "Verifying", len(b.filters))
	defer bar.Done()
	hash, maker := b.policy.Hash(), b.makers[0]
	var hashes [4096]uint64
	var hits [len(hashes)]bool
	// count looks up the keys of the given numbers.
	count := func(f *benchFilter, numbers int, bit uint32) (found int) {
		for from := 0; from < numbers; from += len(hashes) {
			n := min(len(hashes), numbers-from)
			for i := range n {
				hashes[i] = hash.Sum64(maker.key(f, uint32(from+i)|bit))
			}
			f.ContainsHashes(hashes[:n], hits[:])
			for _, hit := range hits[:n] {
				if hit {
					found++
				}
			}
		}
		return found
	}
	for i := range b.filters {
		f := &b.filters[i]
		if found := count(f, f.keys, 0); found != f.keys {
			return fmt.Errorf("%w: filter %d has %d of its %d keys", errFalseNegative, i, found, f.keys)
		}
		v.FalsePositives += count(f, outside, outsideBit)
		bar.Add(1)
	}
	return nil
}

var errFalseNegative = errors.New("FALSE NEGATIVE, which must not happen")
