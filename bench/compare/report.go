package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/pages"
)

// output is where results go: as text while they come in, or as one JSON object
// at the end.
type output struct {
	text     io.Writer
	progress io.Writer

	Machine  machine.Description `json:"machine"`
	Settings map[string]string   `json:"settings"`
	Versions []string            `json:"versions,omitempty"`
	Notes    []string            `json:"notes,omitempty"`
	Filters  []*filters          `json:"filters,omitempty"`
	Error    string              `json:"error,omitempty"`
}

// filters are those that were filled with the same keys, and their tables.
type filters struct {
	Bytes      int      `json:"bytes"`   // of each, without trailers
	Filters    int      `json:"filters"` // that are queried in turn
	BitsPerKey float64  `json:"bits_per_key"`
	Keys       uint64   `json:"keys"`
	KeyBytes   int      `json:"key_bytes"` // 0 if the queries are hashes
	Pages      string   `json:"pages"`
	HugeShare  float64  `json:"huge_share"` // of the memory of the filter that has the least, in huge pages
	Notes      []string `json:"notes,omitempty"`
	Tables     []*table `json:"tables,omitempty"`

	Building *buildTable `json:"building,omitempty"`
	Growing  *growTable  `json:"growing,omitempty"`
}

func (o *output) printHeading() {
	fmt.Fprintln(o.text, o.Machine)
	if len(o.Versions) > 0 {
		fmt.Fprintln(o.text, strings.Join(o.Versions, ", "))
	}
	for _, note := range o.Notes {
		fmt.Fprintln(o.text, "note:", note)
	}
}

func (f *filters) print(w io.Writer) {
	pagesText := f.Pages
	if f.Pages == pages.Huge.String() {
		pagesText = "huge, and 100 % of every filter is in such"
		if f.HugeShare < 1 {
			pagesText = fmt.Sprintf("huge, but only %.0f %% of a filter is in such", 100*f.HugeShare)
		}
	}
	keysText := fmt.Sprintf("%d keys", f.Keys)
	if f.KeyBytes > 0 {
		keysText += fmt.Sprintf(" of %d bytes", f.KeyBytes)
	}
	whose := "Pages"
	if f.Building != nil {
		whose += " of " + reference
	}
	if f.Growing != nil {
		whose += " of all but simdbloom's"
	}
	sizes := sizeText(f.Bytes)
	if f.Filters > 1 {
		sizes = fmt.Sprintf("%d x %s", f.Filters, sizes)
	}
	fmt.Fprintf(w, "\n== %s at %v bits/key: %s. %s: %s.\n", sizes, f.BitsPerKey, keysText, whose, pagesText)
	for _, note := range f.Notes {
		fmt.Fprintln(w, "note:", note)
	}
}

// versions lists the modules that are compared with, as they were built in.
func versions() (of []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	peers := []string{
		"github.com/parquet-go/parquet-go", "github.com/cockroachdb/pebble/v2",
		"github.com/bits-and-blooms/bloom/v3", "github.com/greatroar/blobloom", "github.com/holiman/bloomfilter/v2", "github.com/syndtr/goleveldb",
		"github.com/FastFilter/xorfilter",
	}
	for _, module := range info.Deps {
		if slices.Contains(peers, module.Path) {
			of = append(of, strings.TrimPrefix(module.Path, "github.com/")+" "+module.Version)
		}
	}
	return of
}
