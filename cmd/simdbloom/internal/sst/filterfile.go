package sst

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/table"
)

// filterFile is a file of package filterfile.
type filterFile struct {
	info   filterfile.Info
	filter *filterfile.File // nil if its format is unknown
	hashed bool             // the key hash is known
}

func isFilterFile(file io.ReaderAt) bool {
	start := make([]byte, 8)
	n, _ := file.ReadAt(start, 0) // for a shorter file, or one that cannot be read, table returns the error
	return filterfile.IsFilterFile(start[:n])
}

// readFilterFile reads a file of the given size, and checks all of it.
func readFilterFile(file io.ReaderAt, size int64) (f filterFile, err error) {
	whole := func() io.Reader { return io.NewSectionReader(file, 0, size) }
	if f.info, err = filterfile.ReadInfo(whole()); err != nil {
		return f, err
	}
	f.filter, err = filterfile.Read(whole())
	f.hashed = err == nil
	if errors.Is(err, simdbloom.ErrUnknown) && keyhash.ForName(f.info.Hash).IsZero() {
		// A filter's facts do not depend on its hash.
		f.filter, err = filterfile.Read(whole(), filterfile.WithHash(keyhash.New(f.info.Hash, keyhash.XX64.Sum64)))
	}
	if errors.Is(err, simdbloom.ErrUnknown) {
		err = nil // it is intact
	}
	return f, err
}

// format is the file's format in words.
func (f filterFile) format() string { return "filter file, version 1" }

// report returns the file's report.
func (f filterFile) report() *report {
	var filter *simdbloom.Filter
	if f.filter != nil {
		filter = f.filter.Filter
	}
	r := &report{Format: f.format(), Checksum: "XXH64", Name: f.info.Format}
	sum := new(summary)
	sum.add(factsOf(filter, 1), int(f.info.Length))
	r.addSum(sum)
	if f.info.Keys > 0 {
		r.Keys, r.KeysFrom = uint64(f.info.Keys), "the file's header"
	}
	r.addPerKey(sum, 1)
	if f.info.BitsPerKey > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("its builder was given %g bits/key", f.info.BitsPerKey))
	}
	if !f.hashed {
		r.warn(f.whyUnknown())
	}
	return r
}

func (f filterFile) whyUnknown() string {
	if f.filter == nil {
		return fmt.Sprintf("a filter of unknown kind, %q", f.info.Format)
	}
	return "its key hash is unknown, " + printable(f.info.Hash)
}

// answers returns the filter's answers to the queries.
func (f filterFile) answers(queries []table.Query) []table.Answer {
	answers := make([]table.Answer, len(queries))
	why := ""
	if !f.hashed {
		why = f.whyUnknown()
	} else if isAlwaysTrue(f.filter.Filter) {
		why = "the filter is " + alwaysTrue
	}
	for i, query := range queries {
		switch {
		case query.Prefix:
			answers[i] = table.Answer{MayContain: true, Why: "a filter file does not say whether it has prefixes"}
		case !f.hashed || f.filter.Contains(query.Key):
			answers[i] = table.Answer{MayContain: true, Why: why}
		}
	}
	return answers
}
