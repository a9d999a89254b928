package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/keys"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
)

const aboutCheck = `It prints the lines (records, rows) whose key may be in the set, in their order. Keys that are not printed are certainly not
in the set; a printed key may be a false positive.

  simdbloom check passwords < candidates
  simdbloom check -v passwords < candidates        those that are not in the set
  simdbloom check -count -csv=user_id users rows.csv
  simdbloom check https://example.com/passwords < candidates

` + aboutInput + ` With -csv=NAME the first row is printed, too. A row of several keys is
printed if one of them is.

The exit status is 1 if no key was printed or counted. ` + aboutForeign + " " + aboutRemote

// checkCommand is "simdbloom check".
type checkCommand struct {
	input
	invert, count, asJSON, quiet bool
	rule                         string
}

func (c *checkCommand) addTo(flags *flag.FlagSet) {
	flags.BoolVar(&c.invert, "v", false, "print keys that are not in the set")
	flags.BoolVar(&c.count, "count", false, "print how many keys these are, not the keys")
	flags.BoolVar(&c.asJSON, "json", false, "print the numbers of keys as a JSON object, not the keys")
	flags.BoolVar(&c.quiet, "quiet", false, "print no progress, and no more than what may be wrong with keys")
	flags.StringVar(&c.rule, "rule", "", "the `rule` of a DCSO filter: multiply, multiply-wide, added or seeded (default: its header's, which is multiply nearly always; if its bits look like another rule, keys are looked up by both)")
	c.input.addTo(flags)
}

func (c *checkCommand) run(ctx context.Context, s *streams, args []string) error {
	if len(args) == 0 {
		return badUsage("name a set or a filter file")
	}
	if _, _, err := c.input.format(); err != nil {
		return err
	}
	set, err := open(ctx, args[0])
	if err != nil {
		return err
	}
	defer set.Close()
	if f, ok := set.(*dcsoFilter); ok {
		err = f.setRule(c.rule)
	} else if c.rule != "" {
		err = badUsage("-rule: %s is not a DCSO filter", args[0])
	}
	if err != nil {
		return err
	}
	var odd notes
	var layers []filterset.Layer
	remote, isRemote := set.(*remote)
	if isRemote {
		layers = remote.layers
	} else if s, ok := set.(*filterset.Set); ok {
		layers = s.Info().Layers
	}
	if len(layers) > 0 {
		c.inherit(layers)
		c.compare(&odd, layers, false)
	}
	format, _, _ := c.input.format() // which returned no error before
	names, err := c.input.fileNames(s, args[1:])
	if err != nil {
		return err
	}
	progress := newProgress(s.err, c.quiet || isTerminal(s.out) && !c.count && !c.asJSON)
	defer progress.end()
	progress.begin("checking", "keys")
	checked, found := int64(0), int64(0)
	printing := !c.count && !c.asJSON
	err = c.input.each(ctx, s, names, func(p *parsed) error {
		p.hits = slices.Grow(p.hits[:0], len(p.Records))[:len(p.Records)]
		lookUp(set, p)
		c.take(p, format.End, printing)
		return nil
	}, func(p *parsed) error {
		found += p.found
		checked += int64(len(p.hits))
		progress.at(checked, c.part())
		if len(p.out) == 0 {
			return nil
		}
		_, err := s.out.Write(p.out)
		return err
	})
	progress.end()
	if err == nil {
		c.addNotes(&odd, checked)
		if checked == 0 {
			odd.warn("the input has no keys")
		}
		if len(odd.texts) > 0 {
			odd.print(s.err, c.quiet, "simdbloom check: "+figures.Count(checked, "key"))
		}
		var read filterfile.Counters
		if isRemote {
			read = remote.Counters()
		}
		err = c.printCounts(s.out, checked, found, read, odd.texts)
	}
	if err == nil && set.Err() != nil {
		err = fmt.Errorf("some answers may be wrong, because unreadable parts count every key as present: %s", withoutPackage(set.Err()))
	}
	if err == nil && found == 0 {
		return statusError(notFound)
	}
	return err
}

// take counts the records that are printed, and copies them, those side by side at once.
func (c *checkCommand) take(p *parsed, end byte, printing bool) {
	p.out, p.found = p.out[:0], 0
	data, to := p.chunk.Data, int32(0) // the end of the last one that is printed
	if p.chunk.Header && printing {
		p.out = append(p.out, data...)
		return
	}
	for from := 0; from < len(p.hits); from += 64 {
		n := min(len(p.hits)-from, 64)
		records := p.Records[from : from+n]
		taken, apart := wordsOf(records, p.hits[from:from+n], c.invert)
		p.found += int64(bits.OnesCount64(taken))
		for printing && taken != 0 {
			first := bits.TrailingZeros64(taken)
			last := min(first+bits.TrailingZeros64((^taken|apart)>>first>>1), n-1)
			taken &= ^uint64(1) << last
			p.out = append(p.out, data[max(records[first].From, to):records[last].To]...) // or another key of that row
			to = records[last].To
		}
	}
	if n := len(p.out); c.size == 0 && n > 0 && p.out[n-1] != end {
		p.out = append(p.out, end) // the input's last line has none
	}
}

// wordsOf returns bits of up to 64 records: which are printed, and which do not begin where the one before ends. It has
// no branches, because answers are unpredictable.
//
//go:noinline
func wordsOf(records []keys.Record, hits []bool, not bool) (taken, apart uint64) {
	to := int32(-1)
	for i, hit := range hits {
		r := records[i]
		isTaken, isApart := uint64(0), uint64(0)
		if hit != not {
			isTaken = 1 << 63
		}
		if r.From != to {
			isApart = 1 << 63
		}
		taken, apart, to = taken>>1|isTaken, apart>>1|isApart, r.To
	}
	rest := 64 - len(hits)
	return taken >> rest, apart >> rest
}

func (c *checkCommand) printCounts(w io.Writer, keys, found int64, read filterfile.Counters, odd []string) error {
	switch {
	case c.asJSON:
		may := found
		if c.invert {
			may = keys - found
		}
		return json.NewEncoder(w).Encode(struct {
			Keys           int64    `json:"keys"`
			MayContain     int64    `json:"may_contain"`
			RowsWithoutKey int64    `json:"rows_without_key,omitempty"`
			Requests       int64    `json:"requests,omitempty"`
			RequestedBytes int64    `json:"requested_bytes,omitempty"`
			Notes          []string `json:"notes,omitempty"`
		}{keys, may, c.odd.Rows, read.Requests, read.Bytes, odd})
	case c.count:
		_, err := fmt.Fprintln(w, found)
		return err
	}
	return nil
}
