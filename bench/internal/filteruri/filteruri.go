// Package filteruri reads the text by which RocksDB's and Speedb's tools are told which filter
// to use, such as speedb.PairedBloomFilter:23.4.
package filteruri

import (
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/policy"
)

// Parse is [policy.Parse]. If that fails it also calls Refuse.
func Parse(uri string, stderr io.Writer) (*policy.Policy, error) {
	p, err := policy.Parse(uri)
	if err != nil {
		Refuse(uri, stderr)
	}
	return p, err
}

// Refuse writes the line that Speedb's db_bench writes for a text that names no policy, so that
// scripts that know it find it.
func Refuse(uri string, stderr io.Writer) {
	fmt.Fprintf(stderr, "failure creating filter policy[%s]: Not implemented: Could not load FilterPolicy: %s\n", uri, uri)
}
