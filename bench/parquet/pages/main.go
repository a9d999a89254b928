// Pages writes the tables of docs/parquet.md into a clone, from its bench/parquet.json, and measures nothing:
//
//	pages CLONE
package main

import (
	"log"
	"os"

	"github.com/simdbloom/simdbloom/bench/parquet/results"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: pages CLONE")
	}
	if err := measured.WritePages(os.Args[1], results.File, (*results.Run).Files); err != nil {
		log.Fatal(err)
	}
}
