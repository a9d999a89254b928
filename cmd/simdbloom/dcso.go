package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

const dcsoKind = "DCSO filter"

// fnv1 is the key hash of DCSO's filters.
var fnv1 = keyhash.New("FNV-1", dcso.Sum)

// mostDetected is the size in bytes up to which a lookup finds out the rule of a filter. In larger files that are not in memory, that
// would take longer than many lookups.
const mostDetected = 64 << 20

// dcsoFilter is a filter of DCSO's tools in a file.
type dcsoFilter struct {
	*dcso.File
	rule *dcso.Filter // the same with the rule that lookups use
}

func (f *dcsoFilter) ContainsHashes(hashes []uint64, hits []bool) {
	f.rule.ContainsHashes(hashes, hits)
}

func (f *dcsoFilter) Hash() keyhash.Hash { return fnv1 }

func (f *dcsoFilter) Err() error { return nil }

// openDCSO opens a file if it is a filter of DCSO's tools. The filter is nil if it is something else. The error does not name
// the file.
func openDCSO(name string) (*dcsoFilter, error) {
	file, err := os.Open(name)
	if err != nil || !isFile(name) {
		return nil, nil // whoever opens it next says why
	}
	start := make([]byte, 8)
	n, _ := io.ReadFull(file, start)
	file.Close()
	if start = start[:n]; filterfile.IsFilterFile(start) {
		return nil, nil
	}
	f, err := dcso.OpenFile(name)
	switch {
	case err == nil:
		return &dcsoFilter{f, f.Filter}, nil
	case bytes.Equal(start, []byte{1, 0, 0, 0, 0, 0, 0, 0}), bytes.HasPrefix(start, []byte{0x1f, 0x8b}), !errors.Is(err, simdbloom.ErrCorrupt):
		return nil, err
	}
	return nil, nil
}

// setRule has lookups use the rule with the given name, or the one that the bits show.
func (f *dcsoFilter) setRule(name string) error {
	switch {
	case name != "":
		rule, err := dcso.ParseRule(name)
		if err != nil {
			return badUsage("-rule: %s", strings.TrimPrefix(err.Error(), "dcso: "))
		}
		f.rule = f.WithRule(rule)
	case f.SizeBytes() <= mostDetected:
		f.rule = f.WithRule(f.DetectRule())
	}
	return nil
}

// facts returns what the header says, and, if estimate is set, what the bits do.
func (f *dcsoFilter) facts(name string, estimate bool) *facts {
	all := &facts{
		Name: name, Kind: dcsoKind, Format: "DCSO", Hash: fnv1.Name(), Bytes: int64(len(f.Bytes())), Parts: 1, Layers: 1,
		Keys: int64(min(f.Keys(), math.MaxInt64)), Capacity: f.Capacity(), CapacityFPR: f.FPR(), Probes: f.K(), Rule: f.Rule().String(), DataBytes: len(f.Data()),
	}
	if all.Keys > 0 {
		all.BitsPerKey = figures.SixDigits(float64(f.M()) / float64(all.Keys))
		unset := -float64(f.K()) * float64(all.Keys) / float64(f.M())
		all.PredictedFPR = figures.SixDigits(math.Pow(-math.Expm1(unset), float64(f.K())))
	}
	if estimate {
		rate := figures.SixDigits(f.EstimatedFPR())
		all.EstimatedFPR = &rate
	}
	if estimate || f.SizeBytes() <= mostDetected {
		all.Rule = f.DetectRule().String()
	}
	return all
}
