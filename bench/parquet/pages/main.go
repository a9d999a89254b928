// Pages writes the tables of docs/parquet.md into a clone, from its bench/parquet.json, and measures nothing:
//
//	pages CLONE
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/bench/parquet/results"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: pages CLONE")
	}
	clone := os.Args[1]
	r, err := results.Load(clone)
	if err != nil {
		log.Fatal(err)
	}
	page, err := r.PageOf(clone)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(clone, results.Page), page, 0o644); err != nil {
		log.Fatal(err)
	}
}
