package main

import (
	"bytes"
	"fmt"
	"iter"

	legacy "github.com/cockroachdb/pebble/v2/bloom"
	leveldb "github.com/syndtr/goleveldb/leveldb/filter"

	simdgoleveldb "github.com/simdbloom/simdbloom/adapters/goleveldb"
	simdpebble "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/policy"
)

// The bits per key of -single: what databases are set to, and what Paired and Linear are for.
const (
	usualBitsPerKey  = 10
	pairedBitsPerKey = 23.4
	linearBitsPerKey = 16
)

// usualRibbon is the Ribbon filter with the rate that FastLocal has at the usual bits per key.
var usualRibbon = func() *policy.Policy {
	p, err := policy.Parse(fmt.Sprint("rocksdb.internal.Standard128RibbonFilter:", usualBitsPerKey))
	if err != nil {
		panic(err) // the name is this program's own
	}
	return p
}()

// databases returns the filters of databases, and simdbloom's in them.
func databases(s *settings, fill filling) []*entrant {
	own := []cpu.Level{cpu.Current()} // whose kernels are not simdbloom's
	add := func(title, reference string, bitsPerKey float64, levels []cpu.Level, in inDatabase) *entrant {
		return &entrant{
			contestant: &database{title: title, s: s, levels: levels, in: in},
			passes:     1, bitsPerKey: bitsPerKey, reference: reference,
		}
	}
	ribbon := func(title, reference string, in inDatabase) *entrant {
		e := ribbonEntrant(&database{title: title, s: s, levels: s.levels.values, in: in}, fill)
		e.reference = reference
		return e
	}
	entrants := []*entrant{
		add("pebble", "pebble", usualBitsPerKey, own, inPebble{legacy.FilterPolicy(usualBitsPerKey)}),
		add("pebble Legacy", "pebble", usualBitsPerKey, s.levels.values, inPebble{simdpebble.Legacy(usualBitsPerKey)}),
		add("pebble FastLocal", "pebble", usualBitsPerKey, s.levels.values, inPebble{simdpebble.FastLocal(usualBitsPerKey)}),
		add("pebble Paired", "pebble", pairedBitsPerKey, s.levels.values, inPebble{simdpebble.Paired(pairedBitsPerKey)}),
		add("pebble Linear", "pebble", linearBitsPerKey, s.levels.values, inPebble{simdpebble.Linear(linearBitsPerKey)}),
		ribbon("pebble Ribbon", "pebble", inPebble{simdpebble.FilterPolicy(usualRibbon)}),
		add("goleveldb", "goleveldb", usualBitsPerKey, own, inGoleveldb{leveldb.NewBloomFilter(usualBitsPerKey)}),
		add("goleveldb BuiltIn", "goleveldb", usualBitsPerKey, own, inGoleveldb{simdgoleveldb.BuiltIn(usualBitsPerKey)}),
		add("goleveldb FastLocal", "goleveldb", usualBitsPerKey, s.levels.values, inGoleveldb{simdgoleveldb.FastLocal(usualBitsPerKey)}),
		add("goleveldb Paired", "goleveldb", pairedBitsPerKey, s.levels.values, inGoleveldb{simdgoleveldb.Paired(pairedBitsPerKey)}),
		add("goleveldb Linear", "goleveldb", linearBitsPerKey, s.levels.values, inGoleveldb{simdgoleveldb.Linear(linearBitsPerKey)}),
		ribbon("goleveldb Ribbon", "goleveldb", inGoleveldb{simdgoleveldb.Filter(usualRibbon)}),
	}
	for i, e := range entrants {
		if e.name() == "pebble Legacy" || e.name() == "goleveldb BuiltIn" {
			e.contestant.(*database).same = entrants[i-1].contestant.(*database)
		}
	}
	return entrants
}

// database is a filter as a database has it: bytes, and a method that takes them with
// one key.
type database struct {
	title  string
	s      *settings
	levels []cpu.Level
	in     inDatabase

	filters [][]byte  // equal ones
	same    *database // that has the same bytes; nil for none
}

// inDatabase is a filter behind a database's interface.
type inDatabase interface {
	// write returns the filter's bytes.
	write(keys iter.Seq[[]byte]) []byte

	// added and branch count hits. They are loops that call the database's interface,
	// and nothing else beside it: methods of their own, since the compiler inlines no
	// more into what is in a large function.
	added(filters, keys [][]byte) (found int)
	branch(filters, keys [][]byte) (found int)
}

func (d *database) name() string { return d.title }

func (d *database) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	data := d.in.write(fill.keysOf(d.s.seed, hashes))
	each := fill.bytes + spareBytes
	if len(data) > each-d.s.offset {
		return 0, chosen{}, fmt.Errorf("%d bytes are beyond what there was room for", len(data))
	}
	memory = memory[:fill.filters*each]
	for i := range fill.filters {
		place := memory[i*each+d.s.offset:][:len(data)]
		copy(place, data)
		d.filters = append(d.filters, place)
	}
	return len(data), chosen{}, nil
}

// verify compares a filter with the one that it should be.
func (d *database) verify(*queries) error {
	if d.same != nil && !bytes.Equal(d.filters[0], d.same.filters[0]) {
		return fmt.Errorf("has other bytes than %s", d.same.title)
	}
	return nil
}

func (d *database) rows() (rows []*row) {
	for _, level := range d.levels {
		name := d.title
		if len(d.levels) > 1 || level != cpu.Current() {
			name += " " + level.String()
		}
		rows = append(rows, &row{name: name, level: level, keys: true, query: d.query, hits: (*queries).count})
	}
	return rows
}

func (d *database) query(q *queries) {
	if q.branch {
		q.found = d.in.branch(d.filters, q.keys)
	} else {
		q.found = d.in.added(d.filters, q.keys)
	}
}
