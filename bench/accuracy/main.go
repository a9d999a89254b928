// Command accuracy measures the false-positive rates of the filters, and compares them with what
// PredictedFPR, EstimatedFPR and BitsPerKeyFor say. The same program always meets the same hashes, so
// that every machine measures the same rates.
//
//	accuracy -o bench/accuracy.json
//	accuracy -pages .
//
// The first takes about five minutes on two CPUs. It fails where a rate is further from the measured one
// than the page says, and where a key that was added is not found. The second measures nothing: it writes docs/accuracy.md
// and its plots from bench/accuracy.json, all in a clone.
package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
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
	command.Out(set, &f.out)
	command.Pages(set, &f.pages)
	command.Number(set, &f.scale, "scale", 1, 1e-5, 1, "`factor`: less than 1 is faster, with fewer queries and keys, and less exact")
	return f, command.Parse(set, args, "accuracy [OPTIONS]", stderr)
}

func run(f *flags, stdout, stderr io.Writer) error {
	if f.pages != "" {
		return writePages(f.pages)
	}
	s := full
	s.falsePositives *= f.scale
	s.mostQueries *= f.scale
	s.exactQueries *= f.scale
	s.keysInAll *= f.scale
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
		return err // and no file that would claim what is not so
	}
	return command.Save(f.out, stdout, r)
}

// writePages writes the page and the plots of a clone.
func writePages(clone string) error {
	r, err := command.Load[results](filepath.Join(clone, "bench", "accuracy.json"))
	if err != nil {
		return err
	}
	files, err := r.files()
	if err != nil {
		return err
	}
	return command.WritePages(clone, files)
}

// files returns the page and its plots by their paths in a clone.
func (r *results) files() (map[string][]byte, error) {
	page, err := r.page()
	if err != nil {
		return nil, err
	}
	rates, err := r.ratePlot()
	if err != nil {
		return nil, err
	}
	overheads, err := r.overheadPlot()
	if err != nil {
		return nil, err
	}
	tables, err := r.Pebble.plot()
	return map[string][]byte{
		"docs/accuracy.md":           page,
		"docs/plots/rates.svg":       rates,
		"docs/plots/overhead.svg":    overheads,
		"docs/plots/pebble-rate.svg": tables,
	}, err
}
