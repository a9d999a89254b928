// Command accuracy measures the false-positive rates of the filters, and compares them with what
// PredictedFPR, EstimatedFPR and BitsPerKeyFor say. The same program always meets the same hashes, so
// that every machine measures the same rates.
//
//	accuracy -o bench/accuracy.json
//	accuracy -pages .
//
// The first needs about five minutes on two CPUs. It fails where a rate is further from the measured one
// than the page's tolerance, and where a key that was added is not found. The second measures nothing: it writes
// docs/accuracy.md and its plots from bench/accuracy.json, all in a clone.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	os.Exit(command.Run("accuracy", os.Args[1:], os.Stdout, os.Stderr, parseSettings, run))
}

// flags are the command's.
type flags struct {
	out   string  // the file of results
	pages string  // the clone whose page is written
	scale float64 // of the queries
}

func parseSettings(args []string, stderr io.Writer) (*flags, error) {
	f := new(flags)
	set := flag.NewFlagSet("accuracy", flag.ContinueOnError)
	measured.Out(set, &f.out)
	measured.Pages(set, &f.pages)
	command.Number(set, &f.scale, "scale", 1, 1e-5, 1, "`factor`: less than 1 is faster, with fewer queries and keys, and less exact")
	return f, command.Parse(set, args, "accuracy [OPTIONS]", stderr)
}

func run(f *flags, stdout, stderr io.Writer) error {
	if f.pages != "" {
		return measured.WritePages(f.pages, "accuracy.json", (*results).files)
	}
	fmt.Fprintln(stderr, measured.Describe())
	s := full
	s.falsePositives *= f.scale
	s.mostQueries *= f.scale
	s.exactQueries *= f.scale
	s.keysInAll *= f.scale
	s.planned *= f.scale
	if f.scale < 0.01 {
		s.most = 100_000
	}
	r := newResults(s)
	bar := progress.Start(stderr, "Settings", len(r.all()))
	err := r.measure(s, bar.Add)
	bar.Done()
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return err // and no file with a wrong claim
	}
	return measured.Save(f.out, stdout, r)
}

// pages are the page and its plots, by their paths in a clone.
var pages = map[string]func(*results) ([]byte, error){
	"docs/accuracy.md":           (*results).page,
	"docs/plots/rates.svg":       (*results).ratePlot,
	"docs/plots/overhead.svg":    (*results).overheadPlot,
	"docs/plots/pebble-rate.svg": func(r *results) ([]byte, error) { return r.Pebble.plot() },
}

func (r *results) files(string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for path, write := range pages {
		text, err := write(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files[path] = text
	}
	return files, nil
}
