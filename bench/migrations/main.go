// Command migrations measures code paths of published modules with their own filters and with ours:
//
//	go -C bench/migrations run -tags published . -o bench/migrations.json
//	go -C bench/migrations run . -pages ../..      writes the table of docs/migrating.md, and measures nothing
//
// Limiter, StateBloom and index.go are what the modules' own code becomes. Both alternate, in one process and one
// goroutine.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/simdbloom/simdbloom/cpu"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "write the results as JSON to this `file`")
	clone := flag.String("pages", "", "write the page of this `clone` from its results")
	rounds := flag.Int("rounds", 7, "`number` of rounds")
	flag.Parse()
	if *clone != "" {
		if err := writePage(*clone); err != nil {
			log.Fatal(err)
		}
		return
	}
	family, model := cpu.Family()
	r := &run{
		Machine: fmt.Sprintf("%s (family %d, model %d), level %s, %s", cpu.Model(), family, model, cpu.Machine(), runtime.Version()),
		Date:    time.Now().Format(time.DateOnly), Rounds: *rounds,
	}
	if err := measure(r); err != nil {
		log.Fatal(err)
	}
	for _, w := range r.Rows {
		fmt.Printf("%-60s %12s %12s\n", w.Project+": "+w.What, text(w.Before, w.Unit), text(w.After, w.Unit))
	}
	if *out == "" {
		return
	}
	if wd := os.Getenv("PWD"); !filepath.IsAbs(*out) && wd != "" {
		*out = filepath.Join(wd, *out) // "go -C" has changed the working directory
	}
	if err := r.save(*out); err != nil {
		log.Fatal(err)
	}
}

func writePage(clone string) error {
	r, err := load(clone)
	if err != nil {
		return err
	}
	text, err := r.pageOf(clone)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(clone, page), text, 0o644)
}
