package main

import (
	"flag"
	"slices"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/filterset"
)

// made returns how keys are made of the input, as a set records it: the flags of which keys depend.
func (i *input) made() string {
	var flags []string
	value := func(name, value string) {
		if quoted := strconv.Quote(value); quoted[1:len(quoted)-1] != value || strings.Contains(value, " ") {
			value = strings.ReplaceAll(quoted, " ", `\x20`) // flags are between blanks
		}
		flags = append(flags, "-"+name+"="+value)
	}
	switch {
	case i.parquet != "":
		value("parquet", i.parquet)
	case i.csv != "":
		value("csv", i.csv)
		if i.delimiter != "" {
			value("delimiter", i.delimiter)
		}
		if i.quotes != "" {
			value("quotes", i.quotes)
		}
	case i.zero:
		flags = append(flags, "-0")
	case i.size == 0:
		flags = append(flags, "lines")
	}
	if i.prefix != "" {
		value("prefix", i.prefix)
	}
	if n := max(i.size, i.width); n > 0 {
		value("size", strconv.Itoa(n))
	}
	for _, f := range []struct {
		is   bool
		name string
	}{{i.raw, "-raw"}, {i.trim, "-trim"}, {i.lower, "-lower"}, {i.upper, "-upper"}} {
		if f.is {
			flags = append(flags, f.name)
		}
	}
	text := strings.Join(flags, " ")
	if len(text) > 1000 {
		return "" // a column's name is that long
	}
	return text
}

// form is the part of a recorded input that a key's bytes show, whatever list it comes from.
func form(made string) (flags string) {
	for flag := range strings.FieldsSeq(made) {
		if flag == "-trim" || flag == "-lower" || flag == "-upper" || strings.HasPrefix(flag, "-size=") {
			flags += " " + flag
		}
	}
	return strings.TrimSpace(flags)
}

// recorded returns the Input of layers, each text once.
func recorded(layers []filterset.Layer) (all []string) {
	for _, layer := range layers {
		if layer.Input != "" && !slices.Contains(all, layer.Input) {
			all = append(all, layer.Input)
		}
	}
	return all
}

// inherit sets the flags -trim, -lower and -upper, if they are not given, to those with which all layers of a set were
// made.
func (i *input) inherit(layers []filterset.Layer) {
	given := map[string]bool{}
	i.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	all := recorded(layers)
	if len(all) == 0 || i.size > 0 || i.parquet != "" {
		return
	}
	every := func(name string) bool {
		return !slices.ContainsFunc(all, func(made string) bool { return !slices.Contains(strings.Fields(made), name) })
	}
	if !given["trim"] {
		i.trim = every("-trim")
	}
	if !given["lower"] && !given["upper"] {
		i.lower = every("-lower")
		i.upper = !i.lower && every("-upper")
	}
}

// compare notes that keys are not made as those of the layers were: a difference of their bytes, and, if the keys are
// added, any.
func (i *input) compare(to *notes, layers []filterset.Layer, adds bool) {
	ours := i.made()
	for _, made := range recorded(layers) {
		const differ = "the set has keys that were read by %q, and these were by %q"
		if form(made) != form(ours) {
			to.warn(differ, made, ours)
			return
		} else if adds && made != ours {
			to.add(differ, made, ours)
			return
		}
	}
}
