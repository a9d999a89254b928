package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// explain returns a better error than package flag's if that is of an unknown flag: whether
// RocksDB has it, and which there are.
func explain(flags *flag.FlagSet, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return fmt.Errorf("%w (-help explains the flags)", err)
	}
	name = strings.TrimPrefix(name, "-")
	if why := whyNotHere(name); why != "" {
		return fmt.Errorf("-%s, a flag of RocksDB's db_bench, has no meaning here: %s", name, why)
	}
	if positive, ok := strings.CutPrefix(name, "no"); ok && flags.Lookup(positive) != nil {
		return fmt.Errorf("-%s: write -%s=false", name, positive)
	}
	var known []string
	flags.VisitAll(func(f *flag.Flag) { known = append(known, "-"+f.Name) })
	return fmt.Errorf("-%s is no flag of RocksDB's db_bench or of this one, which has %s (-help explains them)",
		name, strings.Join(known, " "))
}

// whyNotHere returns why a flag of RocksDB's db_bench does not exist here, or "" if RocksDB has
// no such flag.
func whyNotHere(name string) string {
	for _, group := range notHere {
		if slices.Contains(strings.Fields(group.names), name) {
			return group.why
		}
	}
	return ""
}
