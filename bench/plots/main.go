// Command plots draws what bench/peers and bench/experiments measured: it writes
// docs/plots/*.svg, and the tables of pages that are between marks: "peers: ..." and "end" in the
// README, in docs/peers.md and in docs/plots.md, "experiments: ..." and "end" in docs/experiments.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/results"
)

func main() {
	from := flag.String("from", "", "`file` that bench/peers has written")
	experiments := flag.String("experiments", "", "`file` that bench/experiments has written")
	to := flag.String("to", "", "`directory` of the clone whose pages are written")
	flag.Parse()
	if err := run(command.Path(*from), command.Path(*experiments), command.Path(*to)); err != nil {
		fmt.Fprintln(os.Stderr, "plots:", err)
		os.Exit(1)
	}
}

func run(from, experiments, clone string) error {
	if from == "" || experiments == "" || clone == "" {
		return errors.New("-from, -experiments and -to are needed")
	}
	measured, err := results.Load(from)
	if err != nil {
		return err
	}
	files, err := filesOf(measured, clone)
	if err != nil {
		return err
	}
	all, err := results.LoadExperiments(experiments)
	if err != nil {
		return err
	}
	more, err := filesOfExperiments(all, clone)
	if err != nil {
		return err
	}
	maps.Copy(files, more)
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// filesOf returns the files of the clone that show the run, with their new texts.
func filesOf(measured *results.Run, clone string) (files map[string][]byte, err error) {
	files = make(map[string][]byte)
	for name, figure := range figures {
		text, err := figure(measured)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[filepath.Join(clone, "docs", "plots", name)] = text
	}
	for _, page := range pages {
		name := filepath.Join(clone, filepath.FromSlash(page))
		old, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if files[name], err = withTables(old, measured); err != nil {
			return nil, fmt.Errorf("%s: %w", page, err)
		}
	}
	return files, nil
}
