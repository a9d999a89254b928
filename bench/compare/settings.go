package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/pages"
	"github.com/simdbloom/simdbloom/cpu"
)

// settings are the flags.
type settings struct {
	sizes       list[size]
	bitsPerKey  list[float64]
	present     list[float64]
	batch       list[int]
	keyBytes    list[int]
	batchBlocks int
	levels      list[cpu.Level]
	pages       pages.Kind
	copies      bool
	offset      int
	queries     int // 0 means enough
	rows        *regexp.Regexp
	touch       string
	rounds      int
	seed        uint64
	json        bool

	single    bool
	scattered bool
	turn      int // queries of a row at a time; 0 means all

	grow bool // uses concurrency and add, too

	build        bool
	concurrency  list[int]
	verification bool
	add          int
	memory       memory

	values map[string]string // of all flags
}

// What -touch takes.
const (
	touchFastest = "fastest"
	touchAll     = "all"
)

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{
		sizes:      newList("16KiB,1MiB,32MiB", parseSizes),
		bitsPerKey: newList("10,16,23.4", parseBitsPerKey),
		present:    newList("0,0.5,1", parseShare),
		batch:      newList("0", parseCount),
		keyBytes:   newList("0", parseKeyBytes),
		levels:     newList(machineLevels(), parseLevel),
		pages:      pages.Default,
		rows:       regexp.MustCompile(""),

		concurrency: newList("1", parseConcurrency),
		add:         64 << 10,
		memory:      lentMemory,
	}
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.Var(&s.sizes, "sizes", "`sizes` of the filters' blocks, such as 16KiB,1MiB; 64x1MiB is 64 filters that "+
		"are queried in turn, with -single")
	flags.Var(&s.bitsPerKey, "bits_per_key", "`list` of bits per key; the number of probes follows from them, or the length of fingerprints")
	flags.Var(&s.present, "present", "`list` of shares of queries that are for keys of the filter, 0 to 1")
	flags.Var(&s.batch, "batch", "`list` of numbers of keys in a call of batch, copied, bits and keys rows; 0 is all in one call")
	flags.Var(&s.keyBytes, "key_bytes", "`list` of lengths of keys to look up, whose hashing counts; 0 looks up hashes")
	flags.IntVar(&s.batchBlocks, "batch_blocks", manyBatchBlocks, "`blocks` in a batch of the paired filter: 128, or 32, "+
		"which it also has where its size is not a multiple of 8 KiB")
	flags.Var(&s.levels, "levels", "`list` of levels of simdbloom's kernels; best is the highest of this machine")
	flags.TextVar(&s.pages, "pages", s.pages, "`kind` of pages of the filters' memory: ordinary or huge")
	flags.BoolVar(&s.copies, "copies", false, "also measure CopyAligned's copies of simdbloom's filters, in Go's memory: one for "+
		"each level")
	flags.IntVar(&s.offset, "offset", 0, "`bytes` behind a multiple of 64 at which simdbloom's filters begin, 0 to 63")
	flags.Func("queries", "`number` of fresh hashes in a timed pass, such as 256Ki or 16Mi; fewer than 64Ki are learnt by the "+
		"branch predictor; 0 takes as many as the filter has lines, at least 256Ki (default 0)", func(text string) (err error) {
		s.queries, err = parseCount(text)
		return err
	})
	flags.Func("rows", "measure only rows whose name matches a `regexp`, and the parquet row", func(text string) (err error) {
		s.rows, err = regexp.Compile(text)
		return err
	})
	flags.StringVar(&s.touch, "touch", touchFastest, "`rows` of the touch kind to print: fastest or all; all of them are measured")
	flags.IntVar(&s.rounds, "rounds", 7, "number of times that every row is timed")
	flags.Uint64Var(&s.seed, "seed", 0, "seed of keys and queries")
	flags.BoolVar(&s.json, "json", false, "print one JSON object instead of text")
	flags.BoolVar(&s.single, "single", false, "measure lookups of one key at a time, as databases make them, beside their own filters")
	flags.BoolVar(&s.scattered, "scattered", false, "spread keys over memory in random order, with -single")
	flags.Func("turn", "`number` of lookups that a row makes at a time, such as 2048, before another one has its turn, with -single; "+
		"0 is all of a round's, of which there are otherwise 64 turns or as many as -queries has (default 0)", func(text string) (err error) {
		s.turn, err = parseCount(text)
		return err
	})
	flags.BoolVar(&s.grow, "grow", false, "measure adding keys, and looking up others in turn, in filters that grow")
	flags.BoolVar(&s.build, "build", false, "measure building instead of lookups")
	flags.Var(&s.concurrency, "concurrency", "`list` of numbers of CPUs that simdbloom's builders use, with -build, or of goroutines that "+
		"add at once, with -grow")
	flags.BoolVar(&s.verification, "verification", false, "also measure simdbloom's builders WithVerification, with -build")
	flags.Func("add", "`number` of hashes that builders are given in a call, with -build, or of keys in batches, with -grow (default 64Ki)", func(text string) (err error) {
		s.add, err = parseCount(text)
		return err
	})
	flags.Var(&s.memory, "memory", "`kind` of memory that builders are given, with -build: lent, which is free memory that a virtual "+
		"machine's host has lent it; free, which the host may have to lend it first; or heaps, which Go's heap has used "+
		"before, as far as there is any, without page faults")
	err := command.Parse(flags, args, "compare [OPTIONS]", stderr)
	if err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	if s.single {
		s.setSingleDefaults(flags)
	}
	if s.grow {
		s.setGrowDefaults(flags)
	}
	s.values = make(map[string]string)
	flags.VisitAll(func(f *flag.Flag) { s.values[f.Name] = f.Value.String() })
	s.values["queries"], s.values["rows"], s.values["add"] = fmt.Sprint(s.queries), s.rows.String(), fmt.Sprint(s.add)
	s.values["turn"] = fmt.Sprint(s.turn)
	flags.Visit(func(f *flag.Flag) { err = errors.Join(err, s.checkUse(f.Name)) })
	return s, errors.Join(err, s.check(flags.Args()))
}

// check returns an error for invalid settings.
func (s *settings) check(arguments []string) error {
	if len(arguments) > 0 {
		return fmt.Errorf("%q is not a flag", strings.Join(arguments, " "))
	}
	const (
		mostRounds = 1000
		mostAdded  = 16 << 20 // in a call, which memory must hold
		// A clock must see that time has passed, and memory must hold them.
		fewestQueries, mostQueries = 1000, 1 << 28
		shortest, longest          = 256, 64 << 10 // turns
	)
	switch {
	case s.queries != 0 && (s.queries < fewestQueries || s.queries > mostQueries):
		return fmt.Errorf("-queries must be 0 or %d to %d", fewestQueries, mostQueries)
	case s.turn != 0 && (s.turn < shortest || s.turn > longest):
		return fmt.Errorf("-turn must be 0 or %d to %d", shortest, longest)
	case s.queries != 0 && s.queries < s.turn:
		return errors.New("-queries must be at least -turn")
	case s.single && s.build, s.grow && (s.single || s.build):
		return errors.New("-single, -build and -grow exclude each other")
	case !s.single && slices.ContainsFunc(s.sizes.values, func(z size) bool { return z.filters > 1 }):
		return errors.New("-sizes of several filters need -single")
	case s.single && slices.Contains(s.keyBytes.values, 0):
		return errors.New("-key_bytes must be at least 8 with -single")
	case s.rounds < 1 || s.rounds > mostRounds:
		return fmt.Errorf("-rounds must be 1 to %d", mostRounds)
	case s.batchBlocks != fewBatchBlocks && s.batchBlocks != manyBatchBlocks:
		return fmt.Errorf("-batch_blocks must be %d or %d", manyBatchBlocks, fewBatchBlocks)
	case s.offset < 0 || s.offset >= asm.BlockBytes:
		return fmt.Errorf("-offset must be 0 to %d", asm.BlockBytes-1)
	case s.touch != touchFastest && s.touch != touchAll:
		return fmt.Errorf("-touch must be %s or %s", touchFastest, touchAll)
	case s.add < 1 || s.add > mostAdded:
		return fmt.Errorf("-add must be 1 to %d", mostAdded)
	}
	for _, keyBytes := range s.keyBytes.values {
		fill := filling{keyBytes: keyBytes}
		for _, c := range s.contestants(fill) {
			if s.wantsOf(c, fill) {
				return nil
			}
		}
	}
	return fmt.Errorf("-rows=%s matches no row", s.rows)
}

// measures reports whether such rows are measured: rows that build, or rows whose queries are
// the filling's, keys or only hashes.
func (s *settings) measures(r *row, fill filling) bool {
	return (r.build != nil) == s.build && (r.grow != nil) == s.grow && r.keys == (fill.keyBytes > 0)
}

// wants reports whether the flags choose a row.
func (s *settings) wants(r *row) bool { return s.rows.MatchString(r.name) }

// wantsOf reports whether any row of a contestant is measured because the flags choose it.
func (s *settings) wantsOf(c contestant, fill filling) bool {
	return slices.ContainsFunc(c.rows(), func(r *row) bool { return s.measures(r, fill) && s.wants(r) })
}

// notes says which levels have no kernels of their own, and where filters begin, if
// that is not as it should be.
func (s *settings) notes() (notes []string) {
	for _, level := range s.levels.values {
		restore := cpu.Limit(level)
		if runs := asm.Level(); runs != level {
			notes = append(notes, fmt.Sprintf("level %s has no kernels: its rows run those of %s", level, runs))
		}
		restore()
	}
	if s.offset != 0 {
		whose := "simdbloom's filters, but no others,"
		if s.single {
			whose = "all filters"
		}
		notes = append(notes, fmt.Sprintf("%s begin %d bytes behind a multiple of 64", whose, s.offset))
	}
	if most, cpus := slices.Max(s.concurrency.values), runtime.NumCPU(); most > cpus {
		notes = append(notes, fmt.Sprintf("rows of %d CPUs have no more than %d", most, cpus))
	}
	return notes
}

func parseSize(text string) (int, error) {
	size, err := parseCount(strings.TrimSuffix(text, "B"))
	if err == nil && (size < asm.BlockBytes || size%asm.BlockBytes != 0 || uint64(size) > asm.MaxBodyBytes) {
		err = fmt.Errorf("%s must be a multiple of %d, at least one and at most %d", text, asm.BlockBytes, asm.MaxBodyBytes)
	}
	return size, err
}

func parseBitsPerKey(text string) (float64, error) {
	bits, err := parseNumber(text)
	if err == nil && !(bits >= 1 && bits <= 100) {
		err = fmt.Errorf("%s is not 1 to 100", text)
	}
	return math.Round(1000*bits) / 1000, err // as the builders round them
}

func parseKeyBytes(text string) (int, error) {
	const most = 1024
	bytes, err := parseCount(text)
	if err == nil && bytes != 0 && (bytes < leastKeyBytes || bytes > most) {
		err = fmt.Errorf("%s is neither 0 nor %d to %d", text, leastKeyBytes, most)
	}
	return bytes, err
}

func parseShare(text string) (float64, error) {
	share, err := parseNumber(text)
	if err == nil && !(share >= 0 && share <= 1) {
		err = fmt.Errorf("%s is not 0 to 1", text)
	}
	return share, err
}
