// Command migrations measures code paths of published modules with their own filters and with ours:
//
//	go -C bench/migrations run -tags published . -o bench/migrations.json
//	go -C bench/migrations run . -pages .      writes the table of docs/migrating.md, and measures nothing
//
// Limiter, StateBloom, index.go and Archive show the modules' own code after its migration. Both alternate, in one
// process and one goroutine.
package main

import (
	"flag"
	"log"
	"os"
	"time"

	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	log.SetFlags(0)
	var out, clone string
	measured.Out(flag.CommandLine, &out)
	measured.Pages(flag.CommandLine, &clone)
	rounds := flag.Int("rounds", 7, "`number` of rounds")
	flag.Parse()
	var err error
	if clone != "" {
		err = measured.WritePages(clone, "migrations.json", files)
	} else {
		r := &run{Machine: measured.Describe(), Date: time.Now().Format(time.DateOnly), Rounds: *rounds}
		if err = measure(r); err == nil {
			err = measured.SaveRun(out, os.Stdout, r)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}
