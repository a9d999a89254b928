package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// facts describes a set or a filter file for info.
type facts struct {
	Name         string   `json:"name"`
	Kind         string   `json:"kind"`
	Format       string   `json:"format"`
	Hash         string   `json:"key_hash"`
	Keys         int64    `json:"keys"` // -1 if it is unknown
	Bytes        int64    `json:"bytes"`
	BitsPerKey   float64  `json:"bits_per_key,omitempty"`
	Parts        int      `json:"parts"`
	Layers       int      `json:"layers"`
	PredictedFPR float64  `json:"predicted_fpr,omitempty"`
	EstimatedFPR *float64 `json:"estimated_fpr,omitempty"` // from the bytes
	Inputs       []string `json:"inputs,omitempty"`        // how keys were read, as layers record it
	Notes        []string `json:"notes,omitempty"`

	// Of sliced filters:
	Filters int          `json:"filters,omitempty"`
	Shapes  []shapeFacts `json:"shapes,omitempty"`

	// Of a build:
	Seconds        float64 `json:"seconds,omitempty"`
	AddedKeys      int64   `json:"added_keys,omitempty"`
	ReplacedKeys   *int64  `json:"replaced_keys,omitempty"` // of the set that was there, or -1 if that is unknown
	RowsWithoutKey int64   `json:"rows_without_key,omitempty"`

	firstFPR float64 // of the first layer

	// Of filters of DCSO's tools and of RedisBloom, whose links are layers:
	Capacity    uint64  `json:"capacity,omitempty"` // the number of keys that it was made for,
	CapacityFPR float64 `json:"capacity_fpr,omitempty"`
	Probes      int     `json:"probes,omitempty"`
	Rule        string  `json:"rule,omitempty"`
	MaybeRule   string  `json:"maybe_rule,omitempty"` // another one that the bits look like
	DataBytes   int     `json:"data_bytes,omitempty"`
}

// Kinds.
const (
	setKind  = "set"
	fileKind = "filter file"
)

// factsOf reads the facts in a set or a filter file, and, if estimate is set, all of its bytes.
func factsOf(name string, estimate bool) (*facts, error) {
	if isSet(name) {
		return setFacts(name, estimate)
	}
	if f, err := openForeign(name); f != nil || err != nil {
		if err != nil {
			return nil, foreignError(name, err)
		}
		defer f.Close()
		return f.facts(name, estimate), nil
	}
	if info, is := slicedInfo(name); is {
		return slicedFacts(name, info)
	}
	return fileFacts(name, estimate)
}

// factsOfWritten is factsOf of what the command has just written.
func factsOfWritten(name string) (*facts, error) {
	f, err := factsOf(name, false)
	if err != nil {
		err = fmt.Errorf("%s is written, and stays, but it cannot be read again: %w", name, err)
	}
	return f, err
}

func isSet(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func setFacts(name string, estimate bool) (*facts, error) {
	s, err := openSet(name)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	info := s.Info()
	f := &facts{
		Name: name, Kind: setKind, Format: info.Format, Hash: info.Hash, Keys: info.Keys(), Bytes: info.SizeBytes(),
		Parts: info.NumParts(), Layers: len(info.Layers), PredictedFPR: figures.SixDigits(info.PredictedFPR()),
		Inputs: recorded(info.Layers),
	}
	if len(info.Layers) > 1 {
		first := info
		first.Layers = first.Layers[:1]
		f.firstFPR = first.PredictedFPR()
	}
	if f.Keys > 0 {
		f.BitsPerKey = figures.SixDigits(8 * float64(f.Bytes) / float64(f.Keys))
	}
	if estimate {
		rate := figures.SixDigits(s.EstimatedFPR())
		f.EstimatedFPR = &rate
		err = s.Err()
	}
	return f, err
}

func fileFacts(name string, estimate bool) (*facts, error) {
	info, err := fileInfo(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	f := &facts{
		Name: name, Kind: fileKind, Format: info.Format, Hash: info.Hash, Keys: info.Keys, Bytes: info.Offset + info.Length,
		Parts: 1, Layers: 1,
	}
	if f.Keys > 0 {
		f.BitsPerKey = figures.SixDigits(8 * float64(f.Bytes) / float64(f.Keys))
		if p, err := policy.Parse(fmt.Sprintf("%s:%v", info.Format, info.BitsPerKey)); err == nil && info.BitsPerKey > 0 {
			if rate := p.PredictedFPR(int(min(f.Keys, math.MaxInt))); !math.IsNaN(rate) {
				f.PredictedFPR = figures.SixDigits(rate)
			}
		}
	}
	if estimate {
		opened, err := openFile(name)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		rate := figures.SixDigits(opened.EstimatedFPR())
		f.EstimatedFPR = &rate
	}
	return f, nil
}

func fileInfo(name string) (info filterfile.Info, err error) {
	file, err := failures.OpenRegular(name)
	if err != nil {
		return info, err
	}
	defer file.Close()
	return filterfile.ReadInfo(file)
}

// openSet opens a set. Its error has advice.
func openSet(name string) (*filterset.Set, error) {
	s, err := filterset.Open(name)
	if _, no := os.Stat(filepath.Join(name, filterset.Manifest)); errors.Is(err, os.ErrNotExist) && no != nil {
		return nil, fmt.Errorf("%s: not a set: the folder has no %s", name, filterset.Manifest)
	}
	return s, err
}

// openFile opens a filter file, and checks all of it.
func openFile(name string) (*filterfile.File, error) {
	f, err := filterfile.Open(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	return f, nil
}

// fileError adds advice about a file that cannot be opened.
func fileError(name string, err error) error {
	if file, size, opened := failures.OpenSized(name); opened == nil {
		defer file.Close()
		start := make([]byte, 256)
		n, read := io.ReadFull(file, start)
		switch start = start[:n]; {
		case read == io.EOF:
			return fmt.Errorf("%s: an empty file, not a filter file", name)
		case filterfile.IsFilterFile(start):
		case bytes.HasPrefix(start, []byte("PAR1")):
			return fmt.Errorf("%s: a Parquet file: \"simdbloom parquet\" reads it", name)
		case bytes.HasPrefix(start, []byte("1) (integer)")):
			return fmt.Errorf("%s: replies as redis-cli prints them on terminals: take those of \"redis-cli --raw BF.SCANDUMP\"", name)
		case bytes.HasPrefix(start, []byte("REDIS0")):
			return fmt.Errorf("%s: all data of a Redis server: take a filter's dump, by BF.SCANDUMP", name)
		case readerOf(start, size) != "":
			return fmt.Errorf("%s: %s", name, readerOf(start, size))
		default:
			return fmt.Errorf("%s: not a filter file and not a set: \"simdbloom build\" makes one from keys, \"simdbloom sst\" reads tables of databases", name)
		}
	}
	text := strings.TrimPrefix(withoutPackage(failures.WithoutName(err)), "simdbloom: ")
	return fmt.Errorf("%s: %s", name, strings.TrimSuffix(text, " ("+name+")"))
}

// opened is a set, a filter file or a filter of other programs. If its key hash is the zero value, lookups need the
// keys.
type opened interface {
	Hash() keyhash.Hash
	Err() error
	Close() error
}

func open(ctx context.Context, name string) (opened, error) {
	if isRemote(name) {
		r, err := openRemote(ctx, name)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	if isSet(name) {
		s, err := openSet(name)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	if f, err := openForeign(name); err != nil {
		return nil, foreignError(name, err)
	} else if f != nil {
		return f, nil
	}
	if _, is := slicedInfo(name); is {
		return nil, fmt.Errorf("%s: sliced filters: \"simdbloom which\" prints those that may contain a key", name)
	}
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// lookUp sets the hits of keys.
func lookUp(in opened, p *parsed) {
	if in.Hash().IsZero() {
		in.(interface{ ContainsKeys([][]byte, []bool) }).ContainsKeys(p.Keys(), p.hits)
		return
	}
	in.(interface{ ContainsHashes([]uint64, []bool) }).ContainsHashes(p.Hashes(in.Hash()), p.hits)
}
