package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// contender is a row of the table.
type contender struct {
	policy   string
	expected func(keys int) float64 // false-positive rate
}

var contenders = []contender{
	{"simdbloom.Bloom:10", func(n int) float64 { return bloom.PredictedFPR(n, 10) }},
	{"simdbloom.Bloom:23.4", func(n int) float64 { return bloom.PredictedFPR(n, 23.4) }},
	{"simdbloom.Bloom:28", func(n int) float64 { return bloom.PredictedFPR(n, 28) }},
	{"simdbloom.Paired:23.4", func(n int) float64 { return paired.PredictedFPR(n, 23.4) }},
	{"speedb.PairedBloomFilter:23.4", func(n int) float64 {
		return paired.PredictedFPR(n, 23.4, paired.WithBatchBlocks(32))
	}},
}

type result struct {
	contender
	keys, bytes, probes          int
	falseNegatives               int
	falsePositives, asked        int
	predictedRate, estimatedRate float64
}

// measure builds the filter and asks it for every key.
func (c contender) measure(added, absent [][]byte) (result, error) {
	r := result{contender: c, keys: len(added), asked: len(absent)}
	p, err := policy.Parse(c.policy)
	if err != nil {
		return r, err
	}
	b := p.NewBuilder()
	for _, key := range added {
		b.Add(key)
	}
	data, err := b.Finish()
	if err != nil {
		return r, err
	}
	f, err := p.Open(data)
	if err != nil {
		return r, err
	}
	r.bytes, r.probes = f.SizeBytes(), f.NumProbes()
	r.falseNegatives = len(added) - count(f, added)
	r.falsePositives = count(f, absent)
	r.predictedRate, r.estimatedRate = c.expected(len(added)), f.EstimatedFPR()
	return r, nil
}

// count returns how many of the keys the filter may contain.
func count(f policy.Filter, keys [][]byte) int {
	hits := make([]bool, len(keys))
	f.ContainsKeys(keys, hits)
	n := 0
	for _, hit := range hits {
		if hit {
			n++
		}
	}
	return n
}

// printTable prints a line for each result.
func printTable(w io.Writer, results []result) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "policy\tkeys\tbytes\tbits/key\tk\tfalse neg.\tfalse pos.\tmeasured FPR\t95 % interval\tpredicted\tfrom its bits\t")
	for _, r := range results {
		low, high := interval(r.falsePositives, r.asked)
		fmt.Fprintf(table, "%s\t%d\t%d\t%.2f\t%d\t%d\t%d\t%.3g\t%.2g to %.2g\t%.3g\t%.3g\t\n",
			r.policy, r.keys, r.bytes, 8*float64(r.bytes)/float64(r.keys), r.probes,
			r.falseNegatives, r.falsePositives, float64(r.falsePositives)/float64(r.asked),
			low, high, r.predictedRate, r.estimatedRate)
	}
	table.Flush()
}
