// Package results has what bench/peers measures and bench/plots draws.
package results

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// Run is one run of bench/peers.
type Run struct {
	Machine  machine.Description `json:"machine"`
	Date     string              `json:"date"`
	KeyBytes int                 `json:"key_bytes"`
	Rounds   int                 `json:"rounds"`
	Queries  int                 `json:"queries"`   // in a round
	RateKeys int                 `json:"rate_keys"` // in the filters whose rates were measured
	// MostRateQueries is how many queries a rate has at most, of which more than enough false
	// positives need fewer.
	MostRateQueries int `json:"most_rate_queries,omitempty"`
	// Load is the system's highest load average while times were measured, 0 if unknown. One of it
	// is the program's own.
	Load float64 `json:"load,omitempty"`
	// Note is what else is to be known of the run, such as what the machine did besides.
	Note string `json:"note,omitempty"`

	Peers []*Peer `json:"peers"`
}

// TimedRates are the rates at which filters are timed: one false positive in that many queries of
// absent keys.
var TimedRates = []int{100, 1000, 55_000}

// Numbers of keys in the filters of the tables.
const (
	Small  = 9 * (1 << 16) / 10
	Middle = 9 * (1 << 19) / 10
	Large  = 9 * (1 << 25) / 10
)

// Peer is what was measured of one library's filter.
type Peer struct {
	Name    string  `json:"name"`
	Module  string  `json:"module"`
	Version string  `json:"version,omitempty"` // empty for this project
	Own     bool    `json:"own,omitempty"`     // whether it is this project's
	Loops   bool    `json:"loops,omitempty"`   // whether many keys are looked up in a loop, since the library has no call for them
	Steps   bool    `json:"steps,omitempty"`   // whether there are no rates between those
	Rates   []*Rate `json:"rates"`
	Sizes   []*Size `json:"sizes"`
}

// Rate is a false-positive rate.
type Rate struct {
	Asked          float64 `json:"asked_bits_per_key,omitempty"`
	BitsPerKey     float64 `json:"bits_per_key"` // that the filter takes
	Queries        int     `json:"queries"`
	FalsePositives int     `json:"false_positives"`
	Predicted      float64 `json:"predicted_fpr,omitempty"` // computed, for this project's filters
}

// FPR is the rate.
func (r *Rate) FPR() float64 { return float64(r.FalsePositives) / float64(r.Queries) }

// Size is a filter of the given number of keys for one of TimedRates, its own rate, and its
// nanoseconds a key, one for each round.
type Size struct {
	Keys  int `json:"keys"`
	OneIn int `json:"one_in"`
	Rate
	OneAbsent Times `json:"one_absent_key_ns"`
	One       Times `json:"one_key_ns"` // half of the keys are present, here and in batches
	Batch     Times `json:"batch_of_keys_ns"`
	Hashes    Times `json:"batch_of_hashes_ns,omitempty"` // if the library takes hashes
	Build     Times `json:"build_ns"`
}

// Times are nanoseconds a key.
type Times []float64

// Median is the median of the rounds.
func (t Times) Median() float64 { return timing.Median(t) }

// Least is the time of the fastest round.
func (t Times) Least() float64 { return slices.Min(t) }

// Most is the time of the slowest round.
func (t Times) Most() float64 { return slices.Max(t) }

// Load reads the run that a file has.
func Load(name string) (*Run, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	run := new(Run)
	if err := json.Unmarshal(text, run); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return run, nil
}

// Peer returns the peer of that name, or nil.
func (r *Run) Peer(name string) *Peer {
	for _, p := range r.Peers {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// At returns the measurement with the given number of keys and rate, or nil.
func (p *Peer) At(keys, oneIn int) *Size {
	for _, s := range p.Sizes {
		if s.Keys == keys && s.OneIn == oneIn {
			return s
		}
	}
	return nil
}

// BitsPerKeyFor returns the bits per key that the filter takes for the given rate. Between
// two measured rates it interpolates the rate's logarithm. Where no setting lies between
// two others (as with fingerprints, whose bits are whole), it is the least setting that has the rate.
// It reports false if no measured setting has that rate.
func (p *Peer) BitsPerKeyFor(fpr float64) (bits float64, ok bool) {
	return p.bitsFor(fpr, func(r *Rate) float64 { return r.BitsPerKey })
}

// AskedFor is BitsPerKeyFor for the bits per key to ask for.
func (p *Peer) AskedFor(fpr float64) (bits float64, ok bool) {
	return p.bitsFor(fpr, func(r *Rate) float64 { return r.Asked })
}

func (p *Peer) bitsFor(fpr float64, of func(*Rate) float64) (bits float64, ok bool) {
	const farApart = 4 // bits per key: such settings have none between them
	for i, r := range p.Rates {
		if r.FPR() > fpr {
			continue
		}
		if i == 0 || p.Steps || r.BitsPerKey-p.Rates[i-1].BitsPerKey > farApart || r.FalsePositives == 0 {
			return of(r), true
		}
		worse := p.Rates[i-1]
		share := math.Log(worse.FPR()/fpr) / math.Log(worse.FPR()/r.FPR())
		return of(worse) + share*(of(r)-of(worse)), true
	}
	return 0, false
}
