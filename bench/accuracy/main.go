// Command accuracy measures the false-positive rates of the filters over many
// settings, compares them with what PredictedFPR, EstimatedFPR and BitsPerKeyFor
// say, and writes docs/accuracy.md. The same program always meets the same
// hashes, so that it writes the same page on every machine.
//
// It fails where a rate is further from the measured one than the page says that
// it may be, and where a key that was added is not found.
//
//	accuracy -o docs/accuracy.md
//	accuracy -only=Linear -scale=0.01
//	accuracy -only='Ribbon|same rate' -o docs/accuracy.md
//
// The second prints one section, measured with a hundredth of the queries, and the third
// replaces only those two sections of the page.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

func main() {
	os.Exit(command.Run("accuracy", os.Args[1:], os.Stdout, os.Stderr, parseSettings, run))
}

// settings are the flags.
type settings struct {
	out   string
	only  *regexp.Regexp // titles
	scale float64
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("accuracy", flag.ContinueOnError)
	flags.StringVar(&s.out, "o", "", "write to a `file` instead of standard output")
	flags.Func("only", "measure only the sections whose titles match a `regexp`; with -o, replace them in that file", func(text string) (err error) {
		s.only, err = regexp.Compile(text)
		return err
	})
	flags.Float64Var(&s.scale, "scale", 1, "`factor` for the numbers of queries: below 1 is faster and less exact")
	if err := command.Parse(flags, args, "accuracy [OPTIONS]", stderr); err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	s.out = command.Path(s.out)
	return s, s.check(flags.Args())
}

func (s *settings) check(arguments []string) error {
	const least, most = 1e-6, 1000
	switch {
	case len(arguments) > 0:
		return fmt.Errorf("%q is not a flag", strings.Join(arguments, " "))
	case !(s.scale >= least && s.scale <= most):
		return fmt.Errorf("-scale must be %v to %v", least, most)
	case !slices.ContainsFunc(sections, func(p part) bool { return s.only.MatchString(p.title) }):
		return fmt.Errorf("-only=%s matches no section", s.only)
	}
	return nil
}

func run(s *settings, stdout, stderr io.Writer) error {
	return write(s, newPage(full.scaled(s.scale), s.only), stdout, stderr)
}

// write measures a page, and writes it where the settings say.
func write(s *settings, p *page, stdout, stderr io.Writer) error {
	var old []byte
	if s.out != "" && !p.whole {
		var err error
		if old, err = os.ReadFile(s.out); err != nil {
			return err
		}
	}
	text, err := measure(p, stderr)
	switch {
	case err != nil:
		return err // and no page that would claim what is not so
	case s.out == "":
		_, err = stdout.Write(text)
		return err
	case !p.whole:
		text = []byte(withSections(string(old), string(text)))
	}
	return os.WriteFile(s.out, text, 0o644)
}

// measure runs a page's experiments and returns its text. Both the text and an
// error come back if the rates are not what they should be.
func measure(p *page, terminal io.Writer) ([]byte, error) {
	steps := 0
	for _, e := range p.all {
		steps += e.kiloqueries()
	}
	bar := progress.Start(terminal, "Thousands of queries", steps)
	err := runAll(p.all, bar)
	bar.Done()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	p.write(&text)
	return text.Bytes(), p.check()
}
