package main

import (
	"fmt"
	"strings"
)

// size is how large filters are, and how many are queried in turn.
type size struct{ filters, bytes int }

// parseSizes reads a size such as 16KiB, or 64x1MiB.
func parseSizes(text string) (size, error) {
	const most = 1024
	many, each, several := strings.Cut(text, "x")
	if !several {
		bytes, err := parseSize(text)
		return size{1, bytes}, err
	}
	filters, err := parseCount(many)
	if err == nil && (filters < 1 || filters > most) {
		err = fmt.Errorf("%s must be 1 to %d filters", text, most)
	}
	if err != nil {
		return size{}, err
	}
	bytes, err := parseSize(each)
	return size{filters, bytes}, err
}
