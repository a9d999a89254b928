package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// totals are the events of all runs.
type totals struct {
	counts
	stores, kills, early, closed     int
	policyChanges                    int
	policies                         map[string]bool
	loosened, reportedBlocks, unread int // filter blocks that were changed
	apart                            int // keys lost without a filter's part
}

func (t *totals) sawPolicy(text string) {
	if t.policies == nil {
		t.policies = make(map[string]bool)
	}
	t.policies[text] = true
}

func (t *totals) print(w io.Writer) {
	n := &t.N
	fmt.Fprintf(w, "stores         %d, opened %d times: killed %d times (%d while opening or verifying), closed %d times\n",
		t.stores, t.kills+t.closed, t.kills, t.early, t.closed)
	fmt.Fprintf(w, "operations     %d: %d gets, %d multi-gets, %d iterations over prefixes, %d others, %d reads of snapshots, %d puts, %d deletions, %d of ranges, %d compactions\n",
		t.operations(), n[gets], n[multiGets], n[prefixes], n[iterations], n[snapshots], n[puts], n[deletes], n[rangeDeletes], n[compactions])
	fmt.Fprintf(w, "policies       %d changes, %d policies\n", t.policyChanges, len(t.policies))
	fmt.Fprintf(w, "corruptions    %d filter blocks: %d with a wrong checksum, which Pebble reported (in %d lookups); %d likewise that no lookup came to; %d with the right checksum\n",
		t.reportedBlocks+t.unread+t.loosened, t.reportedBlocks, n[reported], t.unread, t.loosened)
	fmt.Fprintf(w, "read errors    %d injected; %d operations returned one\n", n[injected], n[returned])
	fmt.Fprintf(w, "keys verified  %d, in all ways; %d pending operations had happened, %d not\n", n[verified], n[happened], n[notHappened])
	fmt.Fprintf(w, "filters read   %d of tables, and looked up in batches\n", n[filtersRead])
	fmt.Fprintln(w)
	rows := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(rows, "filter\ttables found\t\"no\"\t\"may contain\"")
	for _, name := range slices.Sorted(maps.Keys(t.Tables)) {
		title := name
		if name == "" {
			title = "none"
		}
		fmt.Fprintf(rows, "%s\t%d\t%d\t%d\n", title, t.Tables[name], t.Filters[name].Useful, t.Filters[name].Positives)
	}
	rows.Flush()
	fmt.Fprintln(w)
}
