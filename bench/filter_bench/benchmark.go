package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"unsafe"

	"gonum.org/v1/gonum/mathext/prng"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// benchmark is RocksDB's benchmark, run -runs times.
func benchmark(s *settings, out io.Writer) error {
	for i := range s.runs {
		b := &bench{settings: s, out: out, seed: uint32(s.seed + 100*i), random: prng.NewMT19937()}
		if err := b.run(); err != nil {
			return err
		}
	}
	return nil
}

// bench is one run.
type bench struct {
	*settings
	out     io.Writer
	seed    uint32
	random  *prng.MT19937 // the sequence of RocksDB's Random32
	makers  []*keyMaker   // one for each key of a batch
	filters []benchFilter
	stored  float64 // bits per key of the filters
	rates   rates   // of the mode that ran last
}

// benchFilter is one of the filters that are built and queried.
type benchFilter struct {
	filter
	id   uint32 // goes into the keys
	keys int

	outsideQueries, falsePositives int // in the mode that runs
}

func (b *bench) run() error {
	for range b.batchSize {
		b.makers = append(b.makers, newKeyMaker(b.settings))
	}
	queries := 1e6 * b.mQueries
	memory := b.workingMemSizeMB * megabyte
	if b.quick {
		queries /= 7
	} else if b.bestCase {
		queries /= 3
		memory /= 10
	}
	writef(b.out, "Building...\n")
	if err := b.build(memory); err != nil {
		return err
	}
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
	if b.rates.queries > 0 {
		b.rates.print(b.out, !b.quick && !b.bestCase)
	}
	writef(b.out, rule+"Done. (For more info, run with -legend or -help.)\n")
	return nil
}

// build builds filters up to the wanted number of bytes or keys.
func (b *bench) build(memory float64) error {
	mostKeys := math.MaxInt
	if b.mKeysTotalMax > 0 {
		mostKeys = int(1e6 * b.mKeysTotalMax)
		memory = 0
	}
	mostBytes := math.MaxInt
	if memory > 0 {
		mostBytes = max(1, int(memory))
	}

	// Varied by up to v, a number of keys has 2v+1 values.
	values := 1 + 2*uint32(b.varyKeyCountRatio*float64(b.averageKeysPerFilter))
	bytes, keys := 0, 0
	before := heapBytes()
	b.random.Seed(uint64(b.seed))
	start := timing.Now()
	var builder *simdbloom.Builder
	for bytes < mostBytes && keys < mostKeys {
		f := benchFilter{id: b.random.Uint32()}
		f.keys = int(b.averageKeysPerFilter) + int(fastRange(b.random.Uint32(), values)) - int(values/2)
		f.keys = min(max(f.keys, 1), mostKeys-keys) // RocksDB's may be 0, and then stops
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
		bytes += len(data)
		keys += f.keys
	}
	elapsed := timing.Since(start)
	allocated := heapBytes() - before - cap(b.filters)*int(unsafe.Sizeof(benchFilter{}))
	b.stored = 8 * float64(bytes) / float64(keys)
	writef(b.out, "Build avg ns/key: %v\n", float64(elapsed.Nanoseconds())/float64(keys))
	writef(b.out, "Number of filters: %d\n", len(b.filters))
	writef(b.out, "Total size (MB): %v\n", float64(bytes)/megabyte)
	if allocated > 0 {
		writef(b.out, "Reported total allocated memory (MB): %v\n", float64(allocated)/megabyte)
		writef(b.out, "Reported internal fragmentation: %v%%\n", float64(allocated-bytes)*100/float64(bytes))
	}
	writef(b.out, "Bits/key stored: %v\n", b.stored)
	writef(b.out, "Predicted FP rate %%: %v\n", 100*b.predictedRate())
	return nil
}

// heapBytes returns the size of the live heap. It collects twice, since a pool's
// memory survives once.
func heapBytes() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// predictedRate is the mean of the filters' predicted rates, from a sample of the filters:
// predicting costs half a millisecond for a paired filter, and 0.2 seconds for a legacy one.
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
	outside := int(math.Min(queries/float64(len(b.filters)), outsideBit)) // there are no more different keys
	tolerable := math.Exp2(-(b.stored - 1) / (1.4 + b.stored/50))
	writef(b.out, "Best possible FP rate %%: %v\n", 100*math.Exp2(-b.stored))
	writef(b.out, "Tolerable FP rate %%: %v\n", 100*tolerable)
	writef(b.out, rule+"Verifying...\n")
	if outside == 0 && !b.allowBadFPRate {
		return fmt.Errorf("-m_queries=%v is less than one query for each of the %d filters", b.mQueries, len(b.filters))
	}
	falsePositives, err := b.verifyFilters(outside)
	if err != nil {
		return err
	}
	rate := float64(falsePositives) / float64(outside) / float64(len(b.filters))
	writef(b.out, " No FNs :)\n Prelim FP rate %%: %v\n", 100*rate)
	if rate < tolerable || b.allowBadFPRate {
		return nil
	}
	return fmt.Errorf(`the false-positive rate is bad: %s %% of outside keys, and at %s bits/key stored %s %% is tolerable (predicted: %s %%). Three things to do:
  1. If the rate is as predicted, the setting is to blame. Filters of few keys are rounded up to whole blocks or
     batches, bits that their number of probes was not chosen for: try more -average_keys_per_filter, other
     -bits_per_key or another -impl.
  2. If it is well above the prediction, count again with more -m_queries and another -seed; if it stays there,
     filter or hash is broken: report it with the flags and the first line of this output.
  3. If only speed matters now, go on with -allow_bad_fp_rate`,
		six(100*rate), six(b.stored), six(100*tolerable), six(100*b.predictedRate()))
}

func (b *bench) verifyFilters(outside int) (falsePositives int, err error) {
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
			return 0, fmt.Errorf("%w: filter %d has %d of its %d keys", errFalseNegative, i, found, f.keys)
		}
		falsePositives += count(f, outside, outsideBit)
	}
	return falsePositives, nil
}

var errFalseNegative = errors.New("FALSE NEGATIVE, which must not happen")
