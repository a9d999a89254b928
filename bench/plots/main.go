// Command plots draws what bench/peers and bench/experiments measured: it writes
// docs/plots/*.svg, and the tables of pages that are between marks: "peers: ..." and "end" in the
// README, in docs/peers.md and in docs/plots.md, "experiments: ..." and "end" in docs/experiments.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/results"
)

func main() {
	os.Exit(command.Run("plots", os.Args[1:], os.Stdout, os.Stderr, parseSettings, run))
}

// settings are the flags.
type settings struct{ from, experiments, to string }

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("plots", flag.ContinueOnError)
	flags.StringVar(&s.from, "from", "", "`file` that bench/peers has written")
	flags.StringVar(&s.experiments, "experiments", "", "`file` that bench/experiments has written")
	flags.StringVar(&s.to, "to", "", "`directory` of the clone whose pages are written")
	if err := command.Parse(flags, args, "plots -from=FILE -experiments=FILE -to=DIRECTORY", stderr); err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("%q is not a flag", strings.Join(flags.Args(), " "))
	case s.from == "" || s.experiments == "" || s.to == "":
		return nil, errors.New("-from, -experiments and -to are needed")
	}
	s.from, s.experiments, s.to = command.Path(s.from), command.Path(s.experiments), command.Path(s.to)
	return s, nil
}

func run(s *settings, _, _ io.Writer) error {
	measured, err := results.Load(s.from)
	if err != nil {
		return err
	}
	files, err := filesOf(measured, s.to)
	if err != nil {
		return err
	}
	all, err := results.LoadExperiments(s.experiments)
	if err != nil {
		return err
	}
	more, err := filesOfExperiments(all, s.to)
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
