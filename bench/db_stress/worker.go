package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/filterblock"
)

// workerVariable is set in the environment of the process that has the store, and is killed. It
// reads its plan as JSON from the standard input, and ends when that ends. It writes messages as
// JSON to the standard output.
const workerVariable = "SIMDBLOOM_DB_STRESS_WORKER"

// workerFailed is the exit status of such a process that found something wrong.
const workerFailed = 3

// message is its report: all that it counted so far.
type message struct {
	Verified bool // all keys, and operations begin
	Closed   bool
	Counts   counts
	Corrupt  []string // tables with blocks that Pebble reported as corrupt
	Failure  string
	Wrong    bool // the failure is a wrong answer
	Apart    bool // and no filter had a part in it
}

const betweenMessages = 50 * time.Millisecond

type worker struct {
	plan   plan
	tally  tally
	faults *faults
	counts counters
	log    io.Writer
	wrap   func(pebble.FilterPolicy) pebble.FilterPolicy

	lock    sync.Mutex // of what follows
	out     *json.Encoder
	message message
}

// runWorker is that process. Only tests change policies by wrap. It returns the exit status.
func runWorker(in io.Reader, out, log io.Writer, wrap func(pebble.FilterPolicy) pebble.FilterPolicy) int {
	w := &worker{out: json.NewEncoder(out), log: log, counts: make(counters), wrap: wrap}
	if err := json.NewDecoder(in).Decode(&w.plan); err != nil {
		fmt.Fprintln(log, "no plan:", err)
		return workerFailed
	}
	w.faults = newFaults(w.plan.ReadFaultOneIn, w.plan.Seed)
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, in) // also ends with the process that has the other end
		w.faults.Off()                 // or writes could wait for compactions that fail again and again
		close(stop)
	}()
	if err := w.do(stop); err != nil {
		var wrong *failure
		w.say(func(m *message) {
			m.Failure, m.Wrong = err.Error(), errors.As(err, &wrong)
			m.Apart = m.Wrong && wrong.apart
		})
		return workerFailed
	}
	return 0
}

// say changes the message and writes it.
func (w *worker) say(change func(*message)) {
	w.lock.Lock()
	defer w.lock.Unlock()
	change(&w.message)
	c := &w.message.Counts
	for i := range c.N {
		c.N[i] = w.tally[i].Load()
	}
	c.N[injected] = w.faults.counter.Load()
	c.Filters = make(map[string]filterblock.Counts)
	for name, of := range w.counts {
		if read := of.Read(); read.Queries() > 0 {
			c.Filters[name] = read
		}
	}
	if err := w.out.Encode(&w.message); err != nil {
		fmt.Fprintln(w.log, err)
	}
}

func (w *worker) do(stop <-chan struct{}) error {
	p := &w.plan
	state, err := openExpected(p.Expected)
	if err != nil {
		return err
	}
	if len(state.keys) != p.MaxKey {
		return fmt.Errorf("%s has %d keys, not %d", p.Expected, len(state.keys), p.MaxKey)
	}
	o, err := storeOptions(p, state.prefixSize, w.faults, w.counts, w.log, w.corrupt, w.wrap)
	if err != nil {
		return err
	}
	go func() {
		for range time.Tick(betweenMessages) {
			w.say(func(*message) {})
		}
	}()
	db, err := pebble.Open(p.Store, o)
	if err != nil {
		return fmt.Errorf("opening the store: %w", err)
	}
	s := &store{DB: db, plan: p, state: state, tally: &w.tally, counters: w.counts, faults: w.faults}
	if err := w.describe(db); err != nil {
		return err
	}
	if err := errors.Join(s.readCorrupt(w.hasReported), s.verify()); err != nil {
		return s.explained(err)
	}
	w.faults.On()
	w.say(func(m *message) { m.Verified = true })
	if !p.Look {
		if err := s.stress(stop); err != nil {
			return err
		}
	}
	w.faults.Off()
	if err := errors.Join(db.Close(), state.close()); err != nil {
		return fmt.Errorf("closing the store: %w", err)
	}
	w.say(func(m *message) { m.Closed = true })
	return nil
}

// corrupt notes the table of a corrupt block.
func (w *worker) corrupt(info pebble.DataCorruptionInfo) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if name := filepath.Base(info.Path); !slices.Contains(w.message.Corrupt, name) {
		w.message.Corrupt = append(w.message.Corrupt, name)
	}
}

// hasReported reports whether Pebble has reported a table as corrupt.
func (w *worker) hasReported(table string) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	return slices.Contains(w.message.Corrupt, table)
}

// describe counts the tables by the names of their filters.
func (w *worker) describe(db *pebble.DB) error {
	levels, err := db.SSTables(pebble.WithProperties())
	if err != nil {
		return err
	}
	tables := make(map[string]int)
	for _, table := range slices.Concat(levels...) {
		tables[table.Properties.FilterPolicyName]++
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.message.Counts.Tables = tables
	return nil
}
