package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

const aboutBuild = aboutInput + `

  simdbloom build -format=linear -fpr=1e-6 -o passwords < passwords.txt
  simdbloom build -bits=10 -csv=user_id -o users users.csv
  simdbloom build -fpr=0.001 -parquet=user_id -o users part-*.parquet
  find / -print0 | simdbloom build -0 -fpr=1e-4 -file -o paths.filter

The set is a folder of filters, each for a part of the keys, so there may be any number of them: they are kept on
the disk meanwhile, 8 bytes a key. With -file it is one filter file. A set that is there already is replaced at the
end, at once: interrupted or killed at any time, the old set or the new one is there, whole.

Keys of -parquet are the values' bytes in Parquet's plain encoding: text as it is, numbers as 4 or 8 little-endian
bytes.`

// buildCommand is "simdbloom build".
type buildCommand struct {
	input
	format     string
	bits       float64
	fpr        rate
	out        string
	memory     size
	expected   count
	file       bool
	add        bool
	distinct   bool
	force      bool
	asJSON     bool
	quiet      bool
	allowEmpty bool

	notes  notes
	n      int64             // keys that were read
	old    *int64            // keys of the set that is replaced, or -1 if that is unknown
	layers []filterset.Layer // of the set that is extended

	policy   *policy.Policy
	progress *progress
	knew     bool // the number of keys, before the first was added to the set
}

func (c *buildCommand) addTo(flags *flag.FlagSet) {
	c.memory = 1 << 30
	flags.StringVar(&c.out, "o", "", "write the set to this `folder`, or file")
	flags.StringVar(&c.format, "format", "", "the filters' `format`: fastlocal, paired, linear (the default), ribbon, splitblock, or a policy's name without its bits per key")
	flags.Var(&c.fpr, "fpr", "the false-positive `rate`: 0.001, 1e-3, 0.1% or 1/1000")
	flags.Float64Var(&c.bits, "bits", 0, "`bits` per key, instead of -fpr")
	c.input.addTo(flags)
	flags.StringVar(&c.parquet, "parquet", "", "keys are this `column` of Parquet files, with dots between the names of nested ones")
	flags.Var(&c.expected, "keys", "the expected `number` of keys, if there are billions")
	flags.Var(&c.memory, "memory", "take about this number of `bytes` of memory at most: 512MiB, 4GiB")
	flags.BoolVar(&c.distinct, "distinct", false, "count keys that come more than once as one")
	flags.BoolVar(&c.file, "file", false, "write one filter file, not a folder: all keys' hashes must fit in the memory")
	flags.BoolVar(&c.add, "add", false, "add the keys to the set that is there, as a layer, by default of its format and bits per key: each makes lookups slower")
	flags.BoolVar(&c.force, "force", false, "replace what -o names, also if it is no filter file, or a set that cannot be read")
	flags.BoolVar(&c.allowEmpty, "allow-empty", false, "build a set without keys, if the input has none: without it that is an error")
	flags.BoolVar(&c.asJSON, "json", false, "print what was built as a JSON object")
	flags.BoolVar(&c.quiet, "quiet", false, "print nothing but errors, and what may be wrong with keys")
}

// The least and the most for -bits.
const leastBits, mostBits = 0.5, 1000

// partKeys is about the number of keys in a part of a large set, or half of it.
const partKeys = 1 << 22

func (c *buildCommand) run(ctx context.Context, s *streams, args []string) error {
	args, err := c.check(s, args)
	if err != nil {
		return err
	}
	sayFolders(s.err, "build", c.out)
	c.progress = newProgress(s.err, c.quiet)
	defer c.progress.end()
	begun := time.Now()
	b := builder(&setBuilder{command: c})
	if c.file {
		b = &fileBuilder{command: c}
	}
	defer b.close()
	c.progress.begin("reading", "keys")
	if err = c.read(ctx, s, args, b); err == nil {
		err = c.checkKeys()
	}
	if err == nil {
		err = b.finish(ctx)
	}
	if err != nil {
		return err
	}
	f, err := factsOfWritten(c.out)
	if err != nil {
		return err
	}
	took := time.Since(begun)
	if f.PredictedFPR > float64(c.fpr)*1.01 && c.fpr > 0 && !c.add {
		why := "the number of keys was not known: give -keys."
		switch {
		case c.knew || int64(c.expected) >= f.Keys:
			why = fmt.Sprintf("-memory divides the set into %d parts: give more.", f.Parts)
		case c.expected > 0:
			why = "there are more keys than -keys."
		}
		c.progress.say("The rate is above -fpr, because %s", why)
	}
	c.addNotes(f)
	c.progress.end()
	line := fmt.Sprintf("%s: %s in %v", c.out, f.line(), took.Round(time.Millisecond))
	c.notes.print(s.err, c.quiet || c.asJSON, line)
	if c.asJSON {
		f.Seconds, f.Notes, f.AddedKeys, f.ReplacedKeys, f.RowsWithoutKey = took.Seconds(), c.notes.texts, c.n, c.old, c.odd.Rows
		if err := json.NewEncoder(s.out).Encode(f); err != nil {
			return fmt.Errorf("%s is written, but what it has cannot be printed: %w", c.out, err)
		}
	}
	return nil
}

// checkKeys returns an error if the input has no keys, or none for -lower or -upper.
func (c *buildCommand) checkKeys() error {
	advice := ""
	if len(c.hints) > 0 {
		advice = ": " + c.hints[0]
	}
	switch {
	case advice != "":
	case c.odd.Blanks.N > 0:
		advice = ": -trim drops blanks around keys"
	case c.odd.InMarks.N > 0:
		advice = ": -csv=1 drops quotes around keys"
	}
	flag := map[bool]string{true: "-lower", false: "-upper"}[c.lower]
	if cased := c.odd.Cased; cased.N > 0 && c.odd.Hex == 0 {
		return fmt.Errorf("no key is hexadecimal, and %s would not change %q%s", flag, cased.First, advice)
	}
	if c.n > 0 || c.allowEmpty {
		return nil
	}
	what := "the input has no keys"
	if c.odd.Rows > 0 {
		what = figures.Count(c.odd.Rows, "row") + " had no key" + advice
	}
	return fmt.Errorf("%s: nothing was changed (or give -allow-empty)", what)
}

// addNotes adds notes about odd keys, and about the set that was there.
func (c *buildCommand) addNotes(f *facts) {
	switch kind := f.Kind; {
	case c.add && len(c.layers) > 0:
		c.notes.add("%s added", figures.Count(c.n, "key"))
	case c.add:
		c.notes.warn("-add found no set there")
	case c.old == nil:
	case *c.old < 0:
		c.notes.add("replaces a %s of an unknown number of keys", kind)
	case 2*f.Keys <= *c.old && *c.old > 0:
		c.notes.warn("replaces a %s of %s", kind, figures.Count(*c.old, "key"))
	default:
		c.notes.add("replaces a %s of %s", kind, figures.Count(*c.old, "key"))
	}
	c.input.addNotes(&c.notes, c.n)
	c.compare(&c.notes, c.layers, true)
	if made := form(c.made()); c.file && made != "" {
		c.notes.add("a filter file does not record %s: give it to check", made)
	}
	c.notes.grown(f)
}

// check checks arguments, so that nothing is read if they are wrong. It returns the files' names.
func (c *buildCommand) check(s *streams, args []string) (names []string, err error) {
	if _, _, err := c.input.format(); err != nil {
		return nil, err
	}
	c.setDefaults()
	if err := c.checkFlags(); err != nil {
		return nil, err
	}
	if names, err = c.input.fileNames(s, args); err != nil {
		return nil, err
	}
	if c.parquet != "" && slices.Contains(names, "-") {
		return nil, badUsage("-parquet needs files: a Parquet file cannot be read from a pipe")
	}
	guess := int64(c.expected)
	if guess == 0 {
		const bytesOfKey = 16
		guess = max(c.total/bytesOfKey, 1)
	}
	_, err = c.choose(guess)
	switch {
	case err != nil:
		return nil, err
	case c.parquet != "" && c.policy.Hash() != keyhash.XX64:
		return nil, badUsage("-parquet needs a format with the key hash XX64, but %s uses another hash", c.format)
	}
	return names, nil
}

// checkFlags checks the flags beside those of the input.
func (c *buildCommand) checkFlags() error {
	switch {
	case c.out == "":
		return badUsage("missing -o: the set to write")
	case (c.bits == 0) == (c.fpr == 0):
		return badUsage("give either -fpr or -bits")
	case c.bits != 0 && !(c.bits >= leastBits && c.bits <= mostBits):
		return badUsage("-bits must be from %v to %v, not %v", leastBits, mostBits, c.bits)
	case c.memory < 16<<20:
		return badUsage("-memory must be at least 16MiB, not %d", c.memory)
	case c.file && c.add:
		return badUsage("-add is for sets, not for -file")
	case c.parquet == "":
	case c.zero || c.size > 0 || c.csv != "":
		return badUsage("-parquet, -0, -size and -csv exclude each other")
	case c.raw || c.lower || c.upper || c.trim || c.comment != "" || c.prefix != "":
		return badUsage("-raw, -lower, -upper, -trim, -comment and -prefix are for text, not for -parquet")
	}
	return c.checkOutput()
}

// setDefaults completes the arguments: a layer gets the format and the bits per key of the layer before it.
func (c *buildCommand) setDefaults() {
	var set filterset.Info
	there := false
	if c.out != "" && !c.file {
		set, there = readManifest(filepath.Join(c.out, filterset.Manifest)) // the builder returns an error about a wrong one
	} else if info, err := fileInfo(c.out); c.file && err == nil {
		c.old = &info.Keys
	}
	if there && !c.add {
		keys := set.Keys()
		c.old = &keys
		set = filterset.Info{}
	}
	c.layers = set.Layers
	c.inherit(c.layers)
	if n := len(set.Layers); n > 0 && c.bits == 0 && c.fpr == 0 {
		c.bits = set.Layers[n-1].BitsPerKey
	}
	c.format = cmp.Or(c.format, set.Format, "linear")
}

// checkOutput returns an error if what -o names cannot be written, or would replace something else.
func (c *buildCommand) checkOutput() error {
	if c.file {
		return checkFileOutput(c.out, c.force)
	}
	return checkSetOutput(c.out, c.force)
}

// choose sets the policy for an expected number of keys, or 0 if it is unknown, of a set or a filter.
func (c *buildCommand) choose(expected int64) (p *policy.Policy, err error) {
	switch {
	case c.bits > 0:
		p, err = policyFor(c.format, c.bits)
	case expected == 0 || expected > partKeys && !c.file:
		p, err = policyForRate(c.format, float64(c.fpr), partKeys/2, partKeys)
	default:
		n := int(min(expected, math.MaxInt))
		if !c.file { // a later layer of any size gets this setting: few keys would have a low rate with hardly any bits
			p, err = policyForRate(c.format, float64(c.fpr), n, partKeys)
		}
		if c.file || err != nil {
			p, err = policyForRate(c.format, float64(c.fpr), n)
		}
	}
	c.policy = p
	return p, err
}

// read adds all keys.
func (c *buildCommand) read(ctx context.Context, s *streams, names []string, b builder) error {
	added := func(hashes []uint64) error {
		part := c.part()
		c.n += int64(len(hashes))
		c.progress.at(c.n, part)
		return b.add(hashes, part)
	}
	if c.parquet != "" {
		return c.readParquet(ctx, names, added)
	}
	hash := c.policy.Hash()
	return c.input.each(ctx, s, names, func(p *parsed) error {
		p.hashes = p.Hashes(hash)
		return nil
	}, func(p *parsed) error {
		return added(p.hashes)
	})
}
