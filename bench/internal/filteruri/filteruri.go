// Package filteruri reads the text by which RocksDB's and Speedb's tools are told which filter
// to use, such as speedb.PairedBloomFilter:23.4.
package filteruri

import (
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/policy"
)

// Parse is [policy.Parse]. If that fails it also writes to stderr the line that Speedb's
// db_bench writes then, so that scripts that know it find it.
func Parse(uri string, stderr io.Writer) (*policy.Policy, error) {
	p, err := policy.Parse(uri)
	if err != nil {
		fmt.Fprintf(stderr, "failure creating filter policy[%s]: Not implemented: Could not load FilterPolicy: %s\n", uri, uri)
	}
	return p, err
}
