package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// table has the times of one combination of settings.
type table struct {
	queried
	Queries      int         `json:"queries"`
	Rounds       int         `json:"rounds"`
	Turns        bool        `json:"turns,omitempty"` // whether rounds are turns of -turn queries
	FastestTouch string      `json:"fastest_touch,omitempty"`
	Rows         []*timedRow `json:"rows"`
}

// queried is how filters are queried for a table.
type queried struct {
	Present float64 `json:"present"`
	Batch   int     `json:"batch"`            // 0 is all
	Branch  bool    `json:"branch,omitempty"` // whether an answer decides a branch, with -single
}

// newQueries returns n queries of that kind.
func (s *settings) newQueries(n int, way queried, keyBytes int) *queries {
	q := newQueries(n, way.Batch, keyBytes)
	q.branch = way.Branch
	if s.scattered {
		q.scatter(keyBytes)
	}
	return q
}

// timedRow is a row of a table.
type timedRow struct {
	times
	ToTouch  float64 `json:"ratio_to_touch,omitempty"`
	Hits     int     `json:"hits"` // of all rounds
	HitShare float64 `json:"hit_share"`
}

// summarize fills in what follows from the rounds.
func (t *table) summarize() {
	var touch *timedRow
	for _, r := range t.Rows {
		at := slices.IndexFunc(t.Rows, func(other *timedRow) bool { return other.isReferenceOf(r.entrant) })
		r.summarize(t.Rows[at].NS)
		r.HitShare = float64(r.Hits) / float64(t.Queries) / float64(t.Rounds)
		if r.isTouch() && (touch == nil || r.MedianNS < touch.MedianNS) {
			touch = r
		}
	}
	if touch != nil {
		t.FastestTouch = touch.Name
		for _, r := range t.Rows {
			r.ToTouch = medianRatio(r.NS, touch.NS)
		}
	}
}

func (t *table) print(out io.Writer, allTouches bool) {
	batch := "all in one call"
	if t.Batch > 0 {
		batch = fmt.Sprintf("%d a call", t.Batch)
	}
	rows := "batch and bits"
	if t.Rows[0].keys {
		rows = "keys"
	}
	fmt.Fprintf(out, "\n%v %% present, %s rows %s, %d rounds of %d queries:\n", 100*t.Present, rows, batch, t.Rounds, t.Queries)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "row\tbytes\tbits/key\tk\tns/key\tmin\tmax\tx "+reference+"\tx touch\thits %\t\n")
	for _, r := range t.Rows {
		if r.isTouch() && !allTouches && r.Name != t.FastestTouch {
			continue
		}
		size, touch, hits := "\t\t", "", ""
		if r.answers() {
			size, hits = r.size(), fmt.Sprintf("%.3f", 100*r.HitShare)
		}
		if r.ToTouch > 0 {
			touch = fmt.Sprintf("%.2f", r.ToTouch)
		}
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%s\t%s\t\n",
			r.Name, size, r.MedianNS, r.MinNS, r.MaxNS, r.ToReference, touch, hits)
	}
	w.Flush()
}
