// Command sortedtable writes a small sorted-table file, and reads it: the part of an LSM tree where a filter
// has its place. The filter has whole keys and prefixes, and is cut into partitions that lie among the data blocks.
// Start with writer.go and table.go; docs/engines.md explains the choices.
//
// It is no LSM tree: there are no versions, no compression, no compaction and no log. Comments say where an engine has
// more.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

const (
	users  = 2000 // every other one has orders
	orders = 50   // that a user has, with every other number
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(out io.Writer) error {
	directory, err := os.MkdirTemp("", "sortedtable")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	file, err := os.Create(filepath.Join(directory, "000001.table"))
	if err != nil {
		return err
	}
	defer file.Close()

	prefix, err := filterblock.ParseExtractor("fixed:8") // user0042/order07 has the prefix user0042
	if err != nil {
		return err
	}
	if err := writeTable(file, prefix); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return report(out, file, prefix)
}

func key(user, order int) []byte { return fmt.Appendf(nil, "user%04d/order%02d", user, order) }

// writeTable writes rows of every other user, and of these every other order.
func writeTable(file *os.File, prefix *filterblock.Extractor) error {
	buffered := bufio.NewWriter(file)
	w, err := newWriter(buffered, policy.FastLocal(10), filterblock.Options{
		WholeKeys: true,
		Prefix:    prefix,
		Builder:   []simdbloom.Option{policy.WithLevel(0)}, // matters to Ribbon's policies
	})
	if err != nil {
		return err
	}
	for user := 0; user < users; user += 2 {
		for order := 0; order < 2*orders; order += 2 {
			if err := w.add(key(user, order), fmt.Appendf(nil, "what user %d ordered the %dth time", user, order)); err != nil {
				return err
			}
		}
	}
	if err := w.finish(); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Sync()
}
