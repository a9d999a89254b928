package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/filterset"
)

const aboutMerge = `The sets must have the same format and key hash. The result has all of their keys, as layers: no key is read and no
filter is built, files are linked or copied. A lookup reads every layer, and their false-positive rates add up. If
there is a set in the folder of -o already, its layers stay. Killed at any time, the old set or the new one is there.`

// mergeCommand is "simdbloom merge".
type mergeCommand struct {
	out   string
	quiet bool
}

func (c *mergeCommand) addTo(flags *flag.FlagSet) {
	flags.StringVar(&c.out, "o", "", "write the set to this `folder`")
	flags.BoolVar(&c.quiet, "quiet", false, "print nothing but errors, and what may be wrong")
}

// run does not end early: links are made in moments, and unfinished ones after Ctrl-C are not in the set.
func (c *mergeCommand) run(_ context.Context, s *streams, args []string) error {
	switch {
	case c.out == "":
		return badUsage("missing -o: the set to write")
	case len(args) == 0:
		return badUsage("name the sets to merge")
	}
	for _, name := range args {
		if _, err := os.Stat(name); err != nil {
			return fmt.Errorf("%s: %w", name, failures.WithoutName(err))
		}
		if !isSet(name) {
			return badUsage("%s is not a folder: only sets can be merged, and filter files cannot", name)
		}
	}
	if err := checkSetOutput(c.out, true); err != nil {
		return err
	}
	sayFolders(s.err, "merge", c.out)
	if err := filterset.Merge(c.out, args...); err != nil {
		return err
	}
	f, err := factsOfWritten(c.out)
	if err != nil {
		return err
	}
	var odd notes
	for _, made := range f.Inputs {
		if form(made) != form(f.Inputs[0]) {
			odd.warn("it has keys that were read by %q, and by %q", f.Inputs[0], made)
			break
		}
	}
	for _, name := range args {
		if set, ok := readManifest(filepath.Join(name, filterset.Manifest)); ok && set.Keys() == 0 {
			odd.warn("%s has no keys", name)
		}
	}
	odd.grown(f)
	odd.print(s.err, c.quiet, c.out+": "+f.line())
	return nil
}
