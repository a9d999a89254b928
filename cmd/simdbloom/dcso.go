package main

import (
	"math"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/keyhash"
)

const dcsoKind = "DCSO filter"

// fnv1 is the key hash of DCSO's filters.
var fnv1 = keyhash.New("FNV-1", dcso.Sum)

// mostDetected is the size in bytes up to which a lookup finds out the rule of a filter. In larger files that are not
// in memory, that would take longer than many lookups.
const mostDetected = 64 << 20

// dcsoFilter is a filter of DCSO's tools in a file.
type dcsoFilter struct {
	*dcso.File
	rule *dcso.Filter // the same with the rule that lookups use
	also *dcso.Filter // if not nil, the same with another rule that its keys may have
}

func (f *dcsoFilter) ContainsHashes(hashes []uint64, hits []bool) {
	f.rule.ContainsHashes(hashes, hits)
	if f.also == nil {
		return
	}
	for i, hit := range hits {
		hits[i] = hit || f.also.ContainsHash(hashes[i])
	}
}

func (f *dcsoFilter) Hash() keyhash.Hash { return fnv1 }

func (f *dcsoFilter) Err() error { return nil }

// setRule has lookups use the rule with the given name. Without a name, they use the header's rule, and also the one
// that the bits look like: keys that resemble each other can make them look like another rule, so only a key that has
// its bits by neither rule is certainly absent.
func (f *dcsoFilter) setRule(name string) error {
	switch {
	case name != "":
		rule, err := dcso.ParseRule(name)
		if err != nil {
			return badUsage("-rule: %s", strings.TrimPrefix(err.Error(), "dcso: "))
		}
		f.rule = f.WithRule(rule)
	case f.SizeBytes() <= mostDetected:
		if rule := f.DetectRule(); rule != f.Rule() {
			f.also = f.WithRule(rule)
		}
	}
	return nil
}

// facts returns the facts of the header, and, if estimate is set, of the bits.
func (f *dcsoFilter) facts(name string, estimate bool) *facts {
	all := &facts{
		Name: name, Kind: dcsoKind, Format: "DCSO", Hash: fnv1.Name(), Bytes: int64(len(f.Bytes())), Parts: 1, Layers: 1,
		Keys: int64(min(f.Keys(), math.MaxInt64)), Capacity: f.Capacity(), CapacityFPR: f.FPR(), Probes: f.K(), Rule: f.Rule().String(), DataBytes: len(f.Data()),
	}
	if all.Keys > 0 {
		all.BitsPerKey = figures.SixDigits(float64(f.M()) / float64(all.Keys))
		all.PredictedFPR = figures.SixDigits(classicFPR(f.Keys(), f.M(), f.K()))
	}
	if estimate {
		rate := figures.SixDigits(f.EstimatedFPR())
		all.EstimatedFPR = &rate
	}
	if estimate || f.SizeBytes() <= mostDetected {
		if rule := f.DetectRule(); rule != f.Rule() {
			all.MaybeRule = rule.String()
		}
	}
	return all
}
