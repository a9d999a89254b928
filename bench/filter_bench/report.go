package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
)

// runReport has the figures of one run. Rates are shares, not percent.
type runReport struct {
	Seed       uint32 `json:"seed"`
	Policy     string `json:"policy"`
	Keys       int    `json:"keys"`
	Filters    int    `json:"filters"`
	TotalBytes int    `json:"total_bytes"`

	BuildNSPerKey    float64 `json:"build_ns_per_key"`
	AllocatedBytes   int     `json:"allocated_bytes"`
	BitsPerKeyStored float64 `json:"bits_per_key_stored"`
	PredictedFPRate  float64 `json:"predicted_fp_rate"`

	Verified *verifyReport `json:"verified,omitempty"`
	Queries  []queryReport `json:"queries,omitempty"`
	LastRate *rateReport   `json:"last_mode_fp_rate,omitempty"`
}

// verifyReport has the figures of the pass over all keys that comes before the
// timed ones.
type verifyReport struct {
	BestPossibleFPRate float64 `json:"best_possible_fp_rate"`
	TolerableFPRate    float64 `json:"tolerable_fp_rate"`
	OutsideQueries     int     `json:"outside_queries"`
	FalsePositives     int     `json:"false_positives"`
	PrelimFPRate       float64 `json:"prelim_fp_rate"`
}

// queryReport has the times of one mode, in nanoseconds a query.
type queryReport struct {
	Mix         string  `json:"mix"`
	InsideShare float64 `json:"inside_share"`
	Mode        string  `json:"mode"`
	Skipped     bool    `json:"skipped,omitempty"` // too few filters
	GrossNS     float64 `json:"gross_ns_per_op"`
	DryNS       float64 `json:"dry_ns_per_op"`
	NetNS       float64 `json:"net_ns_per_op"`
}

// rateReport has the rates that the queries of the last mode met.
type rateReport struct {
	OutsideQueries int     `json:"outside_queries"`
	FalsePositives int     `json:"false_positives"`
	Average        float64 `json:"average"`
	Worst          float64 `json:"worst"`
	Best           float64 `json:"best"`
}

// writef is Fprintf with every float64 as C++ prints it: six digits.
func writef(w io.Writer, format string, args ...any) {
	for i, arg := range args {
		if x, ok := arg.(float64); ok {
			args[i] = six(x)
		}
	}
	fmt.Fprintf(w, format, args...)
}

func six(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

const (
	megabyte = 1 << 20
	rule     = "----------------------------\n"
)

func (r *runReport) printBuild(w io.Writer) {
	writef(w, "Build avg ns/key: %v\n", r.BuildNSPerKey)
	writef(w, "Number of filters: %d\n", r.Filters)
	writef(w, "Total size (MB): %v\n", float64(r.TotalBytes)/megabyte)
	if r.AllocatedBytes > 0 {
		writef(w, "Reported total allocated memory (MB): %v\n", float64(r.AllocatedBytes)/megabyte)
		writef(w, "Reported internal fragmentation: %v%%\n",
			float64(r.AllocatedBytes-r.TotalBytes)*100/float64(r.TotalBytes))
	}
	writef(w, "Bits/key stored: %v\n", r.BitsPerKeyStored)
	writef(w, "Predicted FP rate %%: %v\n", 100*r.PredictedFPRate)
}

func (v *verifyReport) printBounds(w io.Writer) {
	writef(w, "Best possible FP rate %%: %v\n", 100*v.BestPossibleFPRate)
	writef(w, "Tolerable FP rate %%: %v\n", 100*v.TolerableFPRate)
}

func (v *verifyReport) printRate(w io.Writer, rate float64) {
	writef(w, " No FNs :)\n Prelim FP rate %%: %v\n", 100*rate)
}

func (q *queryReport) print(w io.Writer) {
	writef(w, "  %s net ns/op: %v", q.Mode, q.NetNS)
	if q.NetNS < 0 {
		writef(w, " (the dry run took longer: other load disturbed the times)")
	}
	writef(w, "\n")
}

func (r *rateReport) print(w io.Writer, all bool) {
	writef(w, "    Average FP rate %%: %v\n", 100*float64(r.FalsePositives)/float64(r.OutsideQueries))
	if all {
		writef(w, "    Worst   FP rate %%: %v\n", 100*r.Worst)
		writef(w, "    Best    FP rate %%: %v\n", 100*r.Best)
		writef(w, "    Best possible bits/key: %v\n", -math.Log2(r.Average))
	}
}
