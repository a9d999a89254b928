// Command accuracy measures the false-positive rates of both filters over many
// settings, compares them with what PredictedFPR, EstimatedFPR and BitsPerKeyFor
// say, and writes docs/accuracy.md. The same program always meets the same
// hashes, so that it writes the same page on every machine.
//
// It fails where a rate is further from the measured one than the page says that
// it may be.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

func main() {
	out := flag.String("o", "", "write to a `file` instead of standard output")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	page, err := measure(newPage(full), os.Stderr)
	if err != nil {
		return err // and no page that would claim what is not so
	}
	if out != "" {
		return os.WriteFile(command.Path(out), page, 0o644)
	}
	_, err = os.Stdout.Write(page)
	return err
}

// measure runs a page's experiments and returns its text. Both the text and an
// error come back if the rates are not what they should be.
func measure(p *page, terminal *os.File) ([]byte, error) {
	steps := 0
	for _, e := range p.experiments {
		steps += e.kiloqueries()
	}
	bar := progress.Start(terminal, "Thousands of queries", steps)
	err := runAll(p.experiments, bar)
	bar.Done()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	p.write(&text)
	return text.Bytes(), p.check()
}
