package main

import (
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/sliced"
)

const slicedKind = "sliced filters"

// slicedInfo returns the header of a file, and whether it has sliced filters.
func slicedInfo(name string) (info filterfile.Info, is bool) {
	info, err := fileInfo(name)
	return info, err == nil && strings.HasPrefix(info.Format, "simdbloom.Sliced.")
}

func openSliced(name string, options ...filterfile.OpenOption) (*sliced.Filters, error) {
	f, err := sliced.Open(name, options...)
	if err != nil {
		return nil, fileError(name, failures.WithoutName(err))
	}
	return f, nil
}

// shapeFacts describes filters that are looked up together.
type shapeFacts struct {
	Format  string `json:"format"`
	Probes  int    `json:"probes"`
	Bytes   int    `json:"bytes"` // of a filter
	Filters int    `json:"filters"`
}

// slicedFacts reads the facts in a file of sliced filters.
func slicedFacts(name string, info filterfile.Info) (*facts, error) {
	filters, err := openSliced(name, filterfile.WithLazyCheck())
	if err != nil {
		return nil, err
	}
	defer filters.Close()
	f := &facts{Name: name, Kind: slicedKind, Format: info.Format, Hash: info.Hash, Keys: -1, Bytes: info.Offset + info.Length, Filters: filters.Len()}
	for _, s := range filters.Shapes() {
		f.Shapes = append(f.Shapes, shapeFacts{s.Format.String(), s.Probes, s.SizeBytes, s.Filters})
	}
	return f, nil
}

// text is a shape in a line.
func (s *shapeFacts) text() string {
	return figures.Thousands(int64(s.Filters)) + " of " + s.Format + ", " + figures.Count(int64(s.Bytes), "byte") + ", " + figures.Count(int64(s.Probes), "probe")
}
