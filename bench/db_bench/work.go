package main

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// work is one run of a benchmark by several threads.
type work struct {
	*benchmark
	settings *settings
	db       *database
	keys     keyMaker
	batch    int64
	tables   *store.Description // before the benchmark, of one that looks keys up

	bar     *progress.Bar
	stopped atomic.Bool  // the time is over, or a thread failed, or the user stopped it
	readers atomic.Int64 // threads that are not done, without the writer
}

// thread is one goroutine's part of the work.
type thread struct {
	*work
	number int
	random *rand.Rand
	values *valueMaker // of threads that write
	left   int64       // operations to do; below 0, until the time is over
	stats  stats
}

// newWork prepares a benchmark.
func newWork(b *benchmark, s *settings, db *database) *work {
	w := &work{benchmark: b, settings: s, db: db, keys: s.keys(), batch: s.batchSize}
	if b.prepare != nil {
		b.prepare(w)
	}
	return w
}

// operations returns how many each thread does, or -1 if the time decides.
func (w *work) operations() int64 {
	if w.settings.duration > 0 && !w.timeless {
		return -1
	}
	switch w.kind {
	case "write":
		return w.settings.orNum(w.settings.writes)
	case "delete":
		return w.settings.orNum(w.settings.deletes)
	}
	return w.settings.orNum(w.settings.reads)
}

// do runs the benchmark's threads, and returns their statistics, those of the writer left out.
// The first number of the threads makes their random numbers others than those of the
// session's other threads.
func (w *work) do(ctx context.Context, first int) (*stats, error) {
	defer context.AfterFunc(ctx, w.stop)()
	operations := w.operations()
	finish := w.startBar(operations)
	defer finish()
	if operations < 0 {
		defer time.AfterFunc(time.Duration(w.settings.duration)*time.Second, w.stop).Stop()
	}
	w.readers.Store(int64(w.settings.threads))
	var threads []*thread
	for i := range w.settings.threads {
		t := w.newThread(i, first, operations)
		if w.kind == "write" {
			t.makeValues()
		}
		threads = append(threads, t)
	}
	errs := make([]error, len(threads)+1)
	var wait sync.WaitGroup
	for i, t := range threads {
		wait.Go(func() {
			t.stats.start()
			if errs[i] = w.run(t); errs[i] != nil {
				w.stop()
			}
			t.stats.stop()
			w.readers.Add(-1)
		})
	}
	if w.writer {
		t := w.newThread(len(threads), first, -1)
		t.makeValues()
		wait.Go(func() {
			if errs[len(threads)] = writeMeanwhile(t); errs[len(threads)] != nil {
				w.stop()
			}
		})
	}
	wait.Wait()
	all := &threads[0].stats
	for _, t := range threads[1:] {
		all.merge(&t.stats)
	}
	return all, errors.Join(append(errs, context.Cause(ctx))...)
}

func (w *work) stop() { w.stopped.Store(true) }

func (w *work) newThread(number, first int, operations int64) *thread {
	// The benchmark's name makes runs with the same seed on an existing store differ.
	name := fnv.New64a()
	name.Write([]byte(w.name))
	random := rand.New(rand.NewPCG(uint64(w.settings.seed), name.Sum64()+uint64(first+number)))
	t := &thread{work: w, number: number, random: random, left: operations}
	t.stats.histogram = newHistogram(w.settings.histogram)
	return t
}

func (t *thread) makeValues() {
	t.values = newValues(t.random, t.settings.valueSize, t.settings.compressionRatio)
}

// take returns how many operations to do next, at most n: 0 if the thread is done.
func (t *thread) take(n int64) int64 {
	if t.stopped.Load() {
		return 0
	}
	if t.left < 0 {
		return n
	}
	n = min(n, t.left)
	t.left -= n
	return n
}

// did counts finished operations, which were one call.
func (t *thread) did(operations, bytes int64) {
	const step = 1 << 10 // of the bar
	before := t.stats.operations
	t.stats.add(operations, bytes)
	if steps := t.stats.operations/step - before/step; steps > 0 && t.left >= 0 {
		t.bar.Add(int(steps * step))
	}
}

// randomKey writes a random key to buf.
func (t *thread) randomKey(buf []byte) []byte {
	return t.keys.key(buf, t.random.Int64N(t.settings.num))
}

// startBar shows how far the work is: by its operations, or by the time.
func (w *work) startBar(operations int64) (finish func()) {
	if operations >= 0 {
		w.bar = progress.Start(w.settings.stderr, w.name, int(operations)*w.settings.threads)
		return w.bar.Done
	}
	const steps = 10 // a second
	w.bar = progress.Start(w.settings.stderr, w.name, steps*w.settings.duration)
	end := every(time.Second/steps, func() { w.bar.Add(1) })
	return func() {
		end()
		w.bar.Done()
	}
}

// every does something now and then, until end is called.
func every(interval time.Duration, do func()) (end func()) {
	ended := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				do()
			}
		}
	})
	return func() {
		close(ended)
		wait.Wait()
	}
}
