package sst

import (
	"errors"
	"flag"
	"fmt"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/table"
)

// tableArguments are the flags that say what tables do not.
type tableArguments struct{ order, extractor string }

func (a *tableArguments) addTo(flags *flag.FlagSet) {
	flags.StringVar(&a.order, "order", "", "with keys, prefixes or -verify: the `order` of keys in tables that record none that is known: bytes, reverse, or any, "+
		"which is every table's then; or a known comparator's name")
	flags.StringVar(&a.extractor, "extractor", "", "with keys, prefixes or -verify: the prefix `extractor` of tables that record none that is known: fixed:N, capped:N or noop")
}

// options returns what was given, for lookups and -verify or not.
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
	if len(options) > 0 && !lookups {
		return nil, errors.New("-order and -extractor need -key, -keys, -prefix or -verify")
	}
	return options, nil
}
