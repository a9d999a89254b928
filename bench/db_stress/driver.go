package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// driver starts and kills the processes that have the store.
type driver struct {
	*settings
	random *rand.Rand
	begun  time.Time
	bar    *progress.Bar

	store      string
	plan       plan // of the last run
	prefixSize int
	runsLeft   int  // of this store
	forRocksDB bool // it may have tables that ForRocksDB's policies wrote
	stderr     io.Writer
	totals     totals
}

// stress is the program.
func stress(s *settings, stdout, stderr io.Writer) (err error) {
	d := &driver{settings: s, random: generator(s.seed, 0), begun: time.Now(), stderr: stderr}
	fmt.Fprintf(stdout, "seed %d\n", s.seed)
	temporary := s.db == ""
	if temporary {
		if s.db, err = measured.TempDir("db_stress"); err != nil {
			return err
		}
		d.store = filepath.Join(s.db, "store")
	} else {
		d.store = s.db
	}
	if err := d.openStore(); err != nil {
		return err
	}
	d.bar = progress.Start(stderr, "killing stores", int(s.duration/time.Second))
	err = d.runs()
	d.bar.Done()
	d.totals.print(stdout)
	lost := 0
	if wrong := new(wrongAnswer); errors.As(err, &wrong) {
		lost = 1 // which ends the program
	}
	fmt.Fprintf(stdout, "lost without a filter's part  %d\n", d.totals.apart)
	fmt.Fprintf(stdout, "lost or wrong  %d\n", lost)
	if err != nil {
		return fmt.Errorf("%w\n  store: %s\n  expected state: %s\n  seed %d, %v", err, d.store, expectedFile(d.store), s.seed, &d.plan)
	}
	if temporary {
		return os.RemoveAll(s.db)
	}
	return nil
}

// openStore begins a store, or goes on with one that was kept.
func (d *driver) openStore() error {
	entries, err := os.ReadDir(d.store)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) == 0 {
		if d.verifyOnly {
			return fmt.Errorf("no store in %s", d.store)
		}
		return d.newStore()
	}
	state, err := openExpected(expectedFile(d.store))
	if err != nil {
		return fmt.Errorf("%s is not empty, and there is no expected state to go on with: %w", d.store, err)
	}
	d.MaxKey, d.prefixSize, d.runsLeft = len(state.keys), state.prefixSize, d.random.IntN(20)
	d.plan.Format = int(formats[len(formats)-1])
	d.forRocksDB = d.prefixSize == 0
	if d.Threads > d.MaxKey {
		err = fmt.Errorf("-threads must be at most %d, the number of keys in %s", d.MaxKey, d.store)
	}
	return errors.Join(err, state.close())
}

// newStore replaces the last store by a new one. Only a new one can have other prefixes.
func (d *driver) newStore() error {
	if err := os.RemoveAll(d.store); err != nil {
		return err
	}
	if d.prefixSize = d.settings.prefixSize; d.prefixSize == -1 {
		// Whole keys, or prefixes of 10, 100 or 1000 keys.
		d.prefixSize = 0
		if drop := d.random.IntN(6); drop < 3 {
			d.prefixSize = max(len(appendHead(nil, d.MaxKey-1))-1-drop, 1)
		}
	}
	d.plan.Format = int(formats[d.random.IntN(len(formats))])
	d.forRocksDB = d.prefixSize == 0 && d.filterURI == random && d.random.IntN(2) == 0 // RocksDB has whole keys
	d.runsLeft = 5 + d.random.IntN(16)
	d.totals.stores++
	if err := os.MkdirAll(d.store, 0o777); err != nil {
		return err
	}
	return newExpected(expectedFile(d.store), d.MaxKey, d.prefixSize)
}

// nextPlan chooses the next run's options.
func (d *driver) nextPlan() *plan {
	before := d.plan
	d.plan = plan{
		settings: *d.settings, Run: before.Run + 1, Format: before.Format,
		Store: d.store, Expected: expectedFile(d.store), ForRocksDB: d.forRocksDB,
	}
	d.plan.choose(d.settings, d.random)
	if before.Run > 0 && !slices.Equal(before.Policies, d.plan.Policies) {
		d.totals.policyChanges++
	}
	for _, p := range d.plan.Policies {
		d.totals.sawPolicy(p.Text)
	}
	return &d.plan
}

// runs goes on until there was enough, and ends with the verification of the last store.
func (d *driver) runs() error {
	for !d.verifyOnly && !d.enough() {
		if err := d.apart(d.next()); err != nil {
			return err
		}
		d.bar.To(int(time.Since(d.begun) / time.Second))
	}
	return d.apart(d.verifyAndClose())
}

// next does one run, in a new store once the last has had enough.
func (d *driver) next() error {
	if d.runsLeft == 0 {
		if err := d.verifyAndClose(); err != nil {
			return err
		}
		if err := d.newStore(); err != nil {
			return err
		}
	}
	d.runsLeft--
	if err := d.oneRun(); err != nil {
		return err
	}
	if d.oneIn(d.corruptOneIn) && !d.enough() {
		return d.corrupt()
	}
	return nil
}

// apart counts a loss in which no filter had a part, reports it, and goes on with a new store.
func (d *driver) apart(err error) error {
	if !errors.As(err, new(*lostApart)) {
		return err
	}
	d.totals.apart++
	fmt.Fprintf(d.stderr, "lost without a filter's part: %v\n", err)
	if d.verifyOnly {
		return nil // it is somebody's store
	}
	return d.newStore()
}

func (d *driver) oneIn(times int) bool { return times > 0 && d.random.IntN(times) == 0 }

func (d *driver) enough() bool {
	return time.Since(d.begun) >= d.duration || d.kills > 0 && d.totals.kills >= d.kills
}

// oneRun opens the store and has it killed, or closes it.
func (d *driver) oneRun() error {
	p := d.nextPlan()
	end := killedLater
	switch n := d.random.IntN(16); {
	case n < 2:
		end = killedEarly
	case n == 2:
		end = closed
	}
	return d.run(p, end, killTime(d.random, end, d.killInterval))
}

// verifyAndClose verifies the store, and closes it.
func (d *driver) verifyAndClose() error {
	p := d.nextPlan()
	p.OpsPerThread = 0
	return d.run(p, closed, 0)
}

// run runs a plan and counts it.
func (d *driver) run(p *plan, end ending, killAfter time.Duration) error {
	before, err := tablesIn(d.store)
	if err != nil {
		return err
	}
	m, err := p.run(end, killAfter)
	if err == nil {
		err = d.checkNames(before)
	}
	d.totals.add(&m.Counts)
	switch {
	case m.Closed:
		d.totals.closed++
	case err == nil:
		d.totals.kills++
		if !m.Verified {
			d.totals.early++
		}
	}
	return err
}

// checkNames returns an error about a table that the last run wrote whose name of a filter is not that
// of one of its policies.
func (d *driver) checkNames(before []string) error {
	after, err := tablesIn(d.store)
	if err != nil {
		return err
	}
	for _, path := range after {
		if slices.Contains(before, path) {
			continue
		}
		b, err := filterOf(path, d.prefixSize)
		if err != nil || b == nil {
			continue // a kill leaves half of a table; a level may have no filters
		}
		if !slices.ContainsFunc(d.plan.Policies, func(p levelPolicy) bool { return p.recorded() == b.policy }) {
			return &wrongAnswer{fmt.Sprintf("table %s records a filter of %q, which is the name of none of the run's policies", b.table(), b.policy)}
		}
	}
	return nil
}

// corrupt flips bits of filter blocks, has all keys read, and restores the blocks.
func (d *driver) corrupt() (err error) {
	rightChecksum := d.random.IntN(3) == 0
	blocks, err := damage(d.store, d.prefixSize, rightChecksum, d.random)
	defer func() { err = errors.Join(err, blocks.restore()) }()
	if err != nil || len(blocks) == 0 {
		return err
	}
	p := d.nextPlan()
	p.Look, p.Filters = true, allFilters
	p.CacheSize = 0 // each read of a corrupt block looks for the bit that flipped
	if !rightChecksum {
		for _, b := range blocks {
			p.Corrupt = append(p.Corrupt, b.table())
		}
	}
	m, err := p.run(closed, 0)
	d.totals.N[reported] += m.Counts.N[reported]
	d.totals.N[verified] += m.Counts.N[verified]
	var tables []string
	for _, b := range blocks {
		tables = append(tables, fmt.Sprintf("%s %q at %d", b.table(), b.policy, b.offset))
	}
	if err != nil {
		return fmt.Errorf("with changed filter blocks (%s; since restored): %w", strings.Join(tables, ", "), err)
	}
	for _, b := range blocks {
		switch {
		case rightChecksum:
			d.totals.loosened++
		case slices.Contains(m.Corrupt, b.table()):
			d.totals.reportedBlocks++
		default:
			d.totals.unread++
		}
	}
	return nil
}
