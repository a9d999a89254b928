package main

import (
	"flag"
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
)

// growth is how a row adds keys to a filter.
type growth struct {
	way        way
	goroutines int // that add at once, each its share of the keys
	// add adds the first queries' keys. In turns, each is followed by a lookup of one of the
	// others, whose hits are counted in them.
	add func(added, asked *queries)
}

// way is a way to add keys.
type way string

const (
	inTurn  way = "in turn" // each addition is followed by a lookup of another key
	oneKey  way = "add"     // one key a call
	batched way = "batch"   // many keys a call
)

// grower is a contestant that takes keys at any time.
type grower interface {
	contestant
	// restore makes the filter again what build has made.
	restore()
	// take returns how many of the given number of keys are to be added next. It restores a full filter.
	take(keys int) int
	// concurrent reports whether goroutines may add at once.
	concurrent() bool
	// add adds keys, one a call.
	add(added, _ *queries)
	// turns adds each of the first keys and looks up one of the second after it.
	turns(added, asked *queries)
}

// setGrowDefaults sets what -grow has other defaults for, as far as it was not given.
func (s *settings) setGrowDefaults(flags *flag.FlagSet) {
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	s.present = newList(fmt.Sprint(sharePresent), parseShare)
	if !given["bits_per_key"] {
		s.bitsPerKey = newList("10,16", parseBitsPerKey)
	}
	if !given["key_bytes"] {
		s.keyBytes = newList("0,16", parseKeyBytes)
	}
	if !given["concurrency"] {
		s.concurrency = newList("1,2", parseConcurrency)
	}
}

// sharePresent is how many of the keys that are looked up are in the filter.
const sharePresent = 0.5

// growers returns the filters that keys can be added to at any time.
func growers(s *settings, fill filling) (all []*entrant) {
	for _, level := range s.levels.values {
		for _, own := range []loops{new(mutable), new(concurrent)} {
			all = append(all, &entrant{contestant: newGrown(s, fill, level, own), passes: 1, ownMemory: true})
		}
	}
	for _, peer := range []loops{
		new(parquetGrowing), new(blobloomGrowing), new(bitsAndBloomsGrowing), new(blobloomSync), new(holiman),
	} {
		all = append(all, &entrant{contestant: newGrown(s, fill, cpu.Current(), peer), passes: 1})
	}
	return all
}

// firstKeys is what filters that grow are filled with at first: half of their keys.
func (f filling) firstKeys() filling {
	f.keys /= 2
	return f
}
