package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// growTable has the times of filters that grow, with one combination of settings.
type growTable struct {
	Keys   int         `json:"keys"` // added in a pass
	Add    int         `json:"keys_per_call"`
	Rounds int         `json:"rounds"`
	Rows   []*grownRow `json:"rows"`
}

// grownRow is a row of a table of filters that grow.
type grownRow struct {
	times
	Level      string `json:"level,omitempty"` // of simdbloom's kernels
	Way        way    `json:"way"`
	Goroutines int    `json:"goroutines"`

	// QuarterNS is above a quarter of the rounds. Where other work has the CPUs, too, it says
	// more than the median, which longer passes raise more.
	QuarterNS float64 `json:"lower_quartile_ns_per_key"`

	ToStandard  float64 `json:"ratio_to_bits_and_blooms,omitempty"`
	FastestPeer string  `json:"fastest_peer,omitempty"`
	ToPeer      float64 `json:"ratio_to_fastest_peer,omitempty"`
	ToAdd       float64 `json:"ratio_to_add,omitempty"`

	Absent         int `json:"absent"` // keys that were looked up in the full filter
	FalsePositives int `json:"false_positives"`
}

// grownRows returns the rows that add, with their entrants.
func (f *field) grownRows() (rows []*grownRow) {
	for _, e := range f.entrants {
		for _, r := range e.running {
			t := &grownRow{times: times{Name: r.name, row: r, entrant: e}, Way: r.grow.way, Goroutines: r.grow.goroutines}
			t.Bytes, t.chosen = e.bytes, e.chosen
			t.BitsPerKey = 8 * float64(e.bytes) / float64(f.keys)
			if r.own {
				t.Level = r.level.String()
			}
			rows = append(rows, t)
		}
	}
	return rows
}

// summarize fills in what follows from the rounds.
func (t *growTable) summarize() {
	for _, r := range t.Rows {
		r.summarize(r.NS)
		r.QuarterNS = slices.Sorted(slices.Values(r.NS))[len(r.NS)/4]
	}
	for _, r := range t.Rows {
		if other := t.like(r, reference); other != nil {
			r.ToReference = medianRatio(r.NS, other.NS)
		} else {
			r.ToReference = 0
		}
		if other := t.like(r, standardFilter); other != nil {
			r.ToStandard = medianRatio(r.NS, other.NS)
		}
		if other := t.like(r, r.entrant.name()); other != nil && r.Way != inTurn && r != t.single(r.entrant.name()) {
			r.ToAdd = medianRatio(r.NS, t.single(r.entrant.name()).NS)
		}
		if peer := t.fastestPeer(r); peer != nil {
			r.FastestPeer, r.ToPeer = peer.Name, medianRatio(r.NS, peer.NS)
		}
	}
}

// like returns the row of a filter that adds as that row does, or one key a call if there is
// none; nil if neither is measured.
func (t *growTable) like(r *grownRow, filter string) (found *grownRow) {
	for _, other := range t.Rows {
		if other.entrant.name() == filter && other.Way == r.Way && other.Goroutines == r.Goroutines {
			return other
		}
	}
	if r.Way == inTurn {
		return nil
	}
	return t.single(filter)
}

// single returns a filter's row of one key a call.
func (t *growTable) single(filter string) *grownRow {
	for _, r := range t.Rows {
		if r.entrant.name() == filter && r.Way == oneKey && r.Goroutines == 1 {
			return r
		}
	}
	return nil
}

// fastestPeer returns the fastest row of another library's filters, those for several
// goroutines or the others, that adds as that row does.
func (t *growTable) fastestPeer(r *grownRow) (fastest *grownRow) {
	for _, peer := range t.Rows {
		if peer.own || peer.entrant.contestant.(grower).concurrent() != r.entrant.contestant.(grower).concurrent() {
			continue
		}
		if other := t.like(r, peer.entrant.name()); other != nil && (fastest == nil || other.MedianNS < fastest.MedianNS) {
			fastest = other
		}
	}
	return fastest
}

func (t *growTable) print(out io.Writer) {
	fmt.Fprintf(out, "\nBatches of up to %d keys, %d rounds of %d keys:\n", t.Add, t.Rounds, t.Keys)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "row\tbytes\tk\tns/key\tquarter\tmin\tmax\tx %s\tx %s\tx peer\tx add\tfalse %%\t\n", reference, standardFilter)
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%s\t%d\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t%s\t%s\t%s\t%.4f\t\n", r.Name, r.Bytes, r.chosen, r.MedianNS, r.QuarterNS, r.MinNS, r.MaxNS,
			ratioText(r.ToReference), ratioText(r.ToStandard), ratioText(r.ToPeer), ratioText(r.ToAdd),
			100*float64(r.FalsePositives)/float64(r.Absent))
	}
	w.Flush()
}

// ratioText is empty where nothing was measured to compare with.
func ratioText(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", ratio)
}
