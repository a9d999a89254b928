package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/classic"
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

// readerOf names another program's filter in a file of the given size that a package reads and the command does not, or
// returns "".
func readerOf(start []byte, size int64) string {
	const here = "github.com/simdbloom/simdbloom/"
	text := bytes.Trim(start, "[ \t\r\n")
	switch {
	case isBitsAndBlooms(start, size):
		return "a filter of bits-and-blooms/bloom: package " + here + "bitsandblooms reads it"
	case len(start) > 4 && isBitsAndBlooms(start[4:], size-4):
		return "a filter of bits-and-blooms/bloom behind a checksum, as Weaviate writes it: package " + here + "bitsandblooms reads it, as an example shows"
	case bytes.HasPrefix(text, []byte(`{"m":`)) && bytes.Contains(text, []byte(`"k":`)):
		return "a filter of bits-and-blooms/bloom in JSON: its UnmarshalJSON and WriteTo make the bytes that package " + here + "bitsandblooms reads"
	case bytes.HasPrefix(text, []byte(`{"fieldID":`)), bytes.HasPrefix(text, []byte("mpkstats")):
		return "statistics of Milvus: its filters are those of blobloom, which package " + here + "blobloom reads, or, if their bfType is 3 or missing, of bits-and-blooms/bloom, which package " +
			here + "bitsandblooms reads"
	case bytes.HasPrefix(start, []byte("blobloom")):
		return "a filter of the Go module blobloom: package " + here + "blobloom reads it"
	}
	return ""
}

// isBitsAndBlooms reports whether a file of the given size begins with the header of such a filter: three numbers.
func isBitsAndBlooms(start []byte, size int64) bool {
	if len(start) < 24 || bytes.HasPrefix(start, make([]byte, 8)) {
		return false
	}
	probes, length := binary.BigEndian.Uint64(start[8:]), binary.BigEndian.Uint64(start[16:])
	return probes > 0 && probes <= classic.MostProbes && length < 1<<62 && uint64(size) == 24+(length+63)/64*8
}
