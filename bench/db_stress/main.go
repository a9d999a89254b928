// Command db_stress tests Pebble stores with simdbloom's filters, as RocksDB's db_stress and
// db_crashtest.py test RocksDB. Threads put, delete, get, iterate and multi-get random keys, and
// compare every answer with an expected state that is kept outside of the store. The process that
// has the store is killed at random. Then the filter policies of the levels, their bits per key and
// the other options change, the store is opened again, and every key is verified, also in the tables'
// filters by themselves. In between, bits of filter blocks are flipped on disk, and reads return
// injected errors.
//
//	db_stress
//	db_stress -duration=1h -kill_interval=2s
//	db_stress -filter_uri=speedb.PairedBloomFilter:23.4
//	db_stress -verification_only -db=DIR
//
// It ends with counts, and with exit status 1 if a key was lost or wrong. It then keeps the store,
// and says which key, policies and tables it was. CONTRIBUTING.md explains what a run shows and what it
// does not.
package main

import (
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/bench/internal/command"
)

func main() {
	if os.Getenv(workerVariable) != "" {
		os.Exit(runWorker(os.Stdin, os.Stdout, os.Stderr, func(p pebble.FilterPolicy) pebble.FilterPolicy { return p }))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for lost or wrong keys and other failures, 2
// for invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("db_stress", args, stdout, stderr, parseSettings, stress)
}
