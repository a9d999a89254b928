package main

import (
	"math"
	"time"

	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// runResults is the content of bench/compare.json.
type runResults struct {
	Machine  measured.Machine `json:"machine"`
	Date     string           `json:"date"`
	KeyBytes int              `json:"key_bytes"`
	Rounds   int              `json:"rounds"`
	Queries  int              `json:"queries"`   // in a round
	RateKeys int              `json:"rate_keys"` // in the filters whose rates were measured
	Peers    []*peerResults   `json:"peers"`
	Levels   part[levelTimes] `json:"levels"`
	Adders   part[adderTimes] `json:"adders"`
}

// part is a part that is measured by itself.
type part[T any] struct {
	Machine measured.Machine `json:"machine"`
	Date    string           `json:"date"`
	Rows    []*T             `json:"rows"`
}

// newPart is a part that has no rows yet.
func newPart[T any]() part[T] {
	return part[T]{Machine: measured.Describe(), Date: time.Now().UTC().Format(time.DateOnly)}
}

// timedRates are the rates at which filters are timed: one false positive in that many queries of
// absent keys.
var timedRates = []int{100, 1000, 55_000}

// Numbers of keys in the filters of the tables.
const (
	middle = 9 * (1 << 19) / 10
	large  = 9 * (1 << 25) / 10
)

// peerResults are the results of one library's filter.
type peerResults struct {
	Name    string        `json:"name"`
	Module  string        `json:"module"`
	Version string        `json:"version,omitempty"` // empty for this project
	Own     bool          `json:"own,omitempty"`     // whether it is this project's
	Loops   bool          `json:"loops,omitempty"`   // whether many keys are looked up in a loop, since the library has no call for them
	Rates   []*rateResult `json:"rates"`
	Sizes   []*sizeResult `json:"sizes"`
}

// rateResult is a false-positive rate.
type rateResult struct {
	Asked          float64 `json:"asked_bits_per_key,omitempty"`
	BitsPerKey     float64 `json:"bits_per_key"` // of the filter's memory
	Queries        int     `json:"queries"`
	FalsePositives int     `json:"false_positives"`
	Predicted      float64 `json:"predicted_fpr,omitempty"` // computed, for this project's filters
}

// fpr is the rate.
func (r *rateResult) fpr() float64 { return float64(r.FalsePositives) / float64(r.Queries) }

// sizeResult is a filter of the given number of keys for one of timedRates, its own rate, and its
// nanoseconds a key, one for each round.
type sizeResult struct {
	Keys  int `json:"keys"`
	OneIn int `json:"one_in"`
	rateResult
	OneAbsent times `json:"one_absent_key_ns"`
	One       times `json:"one_key_ns"` // half of the keys are present, here and in batches
	Batch     times `json:"batch_of_keys_ns"`
	Hashes    times `json:"batch_of_hashes_ns,omitempty"` // if the library accepts hashes
	Build     times `json:"build_ns"`

	// By the interface of a store that can have the filter.
	StoredAbsent times `json:"one_absent_key_in_store_ns,omitempty"`
	Stored       times `json:"one_key_in_store_ns,omitempty"`
}

// times are nanoseconds a key.
type times []float64

// median is the median of the rounds.
func (t times) median() float64 { return measured.Median(t) }

// peer returns the peer of that name, or nil.
func (r *runResults) peer(name string) *peerResults {
	for _, p := range r.Peers {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// at returns the measurement with the given number of keys and rate, or nil.
func (p *peerResults) at(keys, oneIn int) *sizeResult {
	for _, s := range p.Sizes {
		if s.Keys == keys && s.OneIn == oneIn {
			return s
		}
	}
	return nil
}

// askedFor returns the bits per key to ask for, for the given rate. Between two measured rates it
// interpolates the rate's logarithm. Where no setting lies between two others (as with
// fingerprints, whose bits are whole), it is the least setting that has the rate.
// It reports false if no measured setting has that rate.
func (p *peerResults) askedFor(fpr float64) (bits float64, ok bool) {
	const farApart = 4 // bits per key: such settings have none between them
	for i, r := range p.Rates {
		if r.fpr() > fpr {
			continue
		}
		if i == 0 || r.BitsPerKey-p.Rates[i-1].BitsPerKey > farApart || r.FalsePositives == 0 {
			return r.Asked, true
		}
		worse := p.Rates[i-1]
		share := math.Log(worse.fpr()/fpr) / math.Log(worse.fpr()/r.fpr())
		return worse.Asked + share*(r.Asked-worse.Asked), true
	}
	return 0, false
}
