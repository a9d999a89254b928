package sst

import (
	"errors"
	"flag"
	"fmt"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/table"
)

// tableArguments are the flags for facts that tables do not record.
type tableArguments struct {
	order, extractor string
	timestamp        int // -1 if it is not given
}

func (a *tableArguments) addTo(flags *flag.FlagSet) {
	const who = "with keys, prefixes or -verify: the "
	flags.StringVar(&a.order, "order", "", who+"`order` of keys, for tables that do not record a known one: bytes, reverse, or a comparator's name; "+
		"with any, keys are looked up in all filters of every table")
	flags.StringVar(&a.extractor, "extractor", "", who+"prefix `extractor`, for tables that do not record a known one: fixed:N, capped:N or noop")
	flags.IntVar(&a.timestamp, "timestamp-bytes", -1, who+"`length` of timestamps behind keys, for tables of an unknown comparator that do not record it")
}

// options returns the given options, for lookups and -verify or not.
func (a *tableArguments) options(lookups bool) (options []table.Option, err error) {
	if a.order != "" {
		order, err := table.ParseOrder(a.order)
		if err != nil {
			return nil, fmt.Errorf("-order: %w", err)
		}
		options = append(options, table.WithOrder(order))
	}
	if a.extractor != "" {
		extractor, err := filterblock.ParseExtractor(a.extractor)
		if err != nil {
			return nil, fmt.Errorf("-extractor: %w", err)
		}
		options = append(options, table.WithExtractor(extractor))
	}
	switch {
	case a.timestamp >= 0:
		options = append(options, table.WithTimestampBytes(a.timestamp))
	case a.timestamp != -1:
		return nil, fmt.Errorf("-timestamp-bytes must be at least 0, not %d", a.timestamp)
	}
	if len(options) > 0 && !lookups {
		return nil, errors.New("-order, -extractor and -timestamp-bytes need -key, -keys, -prefix or -verify")
	}
	return options, nil
}
