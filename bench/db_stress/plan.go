package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/cpu"
)

// plan is the work of one run of the process that has the store.
type plan struct {
	settings
	Run       int
	Seed      uint64
	Store     string
	Expected  string
	Format    int // Pebble's FormatMajorVersion
	Policies  []levelPolicy
	Filters   filters
	TableSize int64
	CacheSize int64 // of blocks; 0: Pebble's default, which keeps most of a store
	// ForRocksDB is set if the store has tables with RocksDB's newer filters under the name of Pebble's own, whose
	// policy must not read them.
	ForRocksDB bool
	CPU        string // the level of the instructions that the process may use
	// Look reads all keys from a store that stays as it is.
	Look bool
	// Corrupt tables have a filter block with a wrong checksum. Where filters are queried, errors about
	// corrupt blocks are allowed then.
	Corrupt []string
}

// filters are Options.Filters, which read tables with the filters of earlier runs.
type filters string

const (
	allFilters   filters = "all formats"                  // of simdbloom
	ownFilters   filters = "all formats, Pebble's reader" // for Pebble's own
	levelFilters filters = "the levels' only"             // other tables are read without filters
)

// String is the plan's choices in one line.
func (p *plan) String() string {
	var policies []string
	for _, level := range p.Policies {
		policies = append(policies, level.String())
	}
	if first := policies[0]; !slices.ContainsFunc(policies, func(text string) bool { return text != first }) {
		policies = policies[:1]
	}
	return fmt.Sprintf("run %d: policies %s; read by: %s; tables of %d KiB, format %d; %s",
		p.Run, strings.Join(policies, " "), p.Filters, p.TableSize>>10, p.Format, p.CPU)
}

// generator returns the random numbers for something that a seed and a number name.
func generator(seed uint64, number int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(number)))
}

// choose makes the choices of a run.
func (p *plan) choose(s *settings, r *rand.Rand) {
	p.Policies = make([]levelPolicy, numLevels)
	p.TableSize = 8 << 10 << r.IntN(6)
	bits := someBitsPerKey
	if r.IntN(4) == 0 {
		p.TableSize, bits = 4<<20, manyBitsPerKey
	}
	one := randomPolicy(r, bits)
	same := r.IntN(4) == 0
	for i := range p.Policies {
		switch {
		case s.filterURI != random:
			p.Policies[i] = levelPolicy{Text: s.filterURI}
		case same:
			p.Policies[i] = one
		default:
			p.Policies[i] = randomPolicy(r, bits)
		}
	}
	p.Filters = []filters{allFilters, allFilters, allFilters, ownFilters, levelFilters}[r.IntN(5)]
	if p.ForRocksDB {
		p.Filters = allFilters
		for i := range p.Policies {
			p.Policies[i].ForRocksDB = s.filterURI == random && kindOf(p.Policies[i].Text).ofRocksDB() && r.IntN(2) == 0
		}
	}
	if r.IntN(2) == 0 {
		p.CacheSize = 64 << 10 // so that most reads can fail
	}
	p.CPU = instructions[r.IntN(len(instructions))]
	p.Seed = r.Uint64()
}

const numLevels = 7 // L0 to L6

// instructions are the levels that this machine has.
var instructions = func() (names []string) {
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if cpu.Current().Includes(level) {
			names = append(names, level.String())
		}
	}
	return names
}()

// formats are the table formats' versions that a store may have.
var formats = []pebble.FormatMajorVersion{pebble.FormatMinSupported, pebble.FormatNewest, pebble.FormatNewest}
