package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/redisbloom"
)

const aboutForeign = `Files of DCSO/bloom and dumps of RedisBloom are read, too.`

// foreign is a filter that other programs wrote, in a file.
type foreign interface {
	opened
	facts(name string, estimate bool) *facts
	SizeBytes() int
	Verify() error
}

// openForeign opens a file if it is a filter of other programs. The filter is nil if it is something else. The
// error does not name the file.
func openForeign(name string) (foreign, error) {
	file, err := failures.OpenRegular(name)
	if err != nil {
		return nil, nil // opening it again returns the reason
	}
	start := make([]byte, 128)
	n, _ := io.ReadFull(file, start)
	file.Close()
	if start = start[:n]; filterfile.IsFilterFile(start) {
		return nil, nil
	}
	dump, err := redisbloom.OpenFile(name)
	if err == nil {
		return &redisDump{dump}, nil
	}
	if !errors.Is(err, simdbloom.ErrCorrupt) || redisbloom.IsDump(start) {
		return nil, err
	}
	f, err := dcso.OpenFile(name)
	switch {
	case err == nil:
		return &dcsoFilter{File: f, rule: f.Filter}, nil
	case bytes.HasPrefix(start, []byte{1, 0, 0, 0, 0, 0, 0, 0}), bytes.HasPrefix(start, []byte{0x1f, 0x8b}), !errors.Is(err, simdbloom.ErrCorrupt):
		return nil, err
	}
	return nil, nil
}

// foreignError is the error about a filter of other programs.
func foreignError(name string, err error) error {
	return fmt.Errorf("%s: %s", name, withoutPackage(failures.WithoutName(err)))
}

// classicFPR returns the rate that is expected of a classic Bloom filter.
func classicFPR(keys, bits uint64, probes int) float64 {
	unset := -float64(probes) * float64(keys) / float64(bits)
	return math.Pow(-math.Expm1(unset), float64(probes))
}
