package fuzz

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
)

// zeros are zero filters of all packages, and one that takes another key hash.
func zeros() []contract.Stored {
	ofOutside, err := bloom.Open(nil, outside)
	if err != nil {
		panic(err)
	}
	return []contract.Stored{
		new(bloom.Filter), new(bloom.Mutable), new(bloom.Concurrent), new(paired.Filter), new(linear.Filter),
		new(ribbon.Filter), new(legacy.Filter), new(leveldb.Filter), ofOutside,
	}
}

// checkStored gives the bytes of a file to the filters' own methods. f is what package filterfile
// reads, or nil.
func checkStored(t *testing.T, data, queried []byte, f *filterfile.Filter) {
	t.Helper()
	streamed := zeros()
	for i, own := range zeros() {
		err := own.UnmarshalBinary(data)
		n, streamErr := streamed[i].ReadFrom(io.MultiReader(bytes.NewReader(data)))
		if (streamErr == nil) != (err == nil) || n > int64(len(data)) {
			t.Fatalf("%T: %v, from a stream of %d bytes: %v", own, err, n, streamErr)
		}
		if f != nil && mustTake(own, f) && err != nil {
			t.Fatalf("%T does not take %s: %v", own, f.Info().Format, err)
		}
		if err != nil {
			known := errors.Is(err, filterfile.ErrCorrupt) || errors.Is(err, filterfile.ErrUnknown)
			if !known && strings.Contains(err.Error(), "empty") == strings.Contains(err.Error(), "FastLocal filters only") || len(own.Bytes()) > 0 {
				t.Fatal(err)
			}
			continue
		}
		checkOwn(t, own, data, queried)
		checkOwn(t, streamed[i], data, queried)
	}
}

// mustTake reports whether a file that package filterfile reads is of the filter's package.
func mustTake(own contract.Stored, f *filterfile.Filter) bool {
	format, hash := f.Info().Format, f.Hash()
	family := strings.TrimSuffix(format, "."+hash.Name())
	if own, ok := own.(*bloom.Filter); ok {
		hashed := hash == keyhash.XX64 || hash == keyhash.XXPH3
		if len(own.Bytes()) == 0 && own.Kind() == bloom.Empty {
			hashed = hash == outside
		}
		return family == "simdbloom.FastLocal" && hashed
	}
	_, isLevelDB := own.(*leveldb.Filter)
	return isLevelDB && family == "simdbloom.LevelDB"
}

// checkOwn requires that a filter is the one in the file.
func checkOwn(t *testing.T, own contract.Stored, data, queried []byte) {
	t.Helper()
	if !bytes.HasSuffix(data, own.Bytes()) {
		t.Fatalf("%T: other bytes", own)
	}
	switch f := own.(type) {
	case *legacy.Filter:
		checkNarrowQueries(t, f, narrowHashesIn(queried), f.ContainsHash)
		checkNarrowKey(t, f, queried, f.Contains(queried))
	case *leveldb.Filter:
		checkNarrowQueries(t, f, narrowHashesIn(queried), f.ContainsHash)
		checkNarrowKey(t, f, queried, f.Contains(queried))
	case contract.Filter:
		checkQueries(t, unratedOwn{f}, hashesIn(queried), f.ContainsHash)
		checkKeys(t, f, queried, f.Hash().Sum64(queried))
	}
	file, err := own.MarshalBinary()
	if err != nil {
		t.Fatalf("%T: %v", own, err)
	}
	if want, err := filterfile.Append(nil, own); err == nil && !bytes.Equal(file, want) || err != nil && !errors.Is(err, filterfile.ErrCorrupt) {
		t.Fatalf("%T: package filterfile writes another file (%v)", own, err)
	}
	before := slices.Clone(own.Bytes())
	if err := own.UnmarshalBinary(file); err != nil || !bytes.Equal(own.Bytes(), before) {
		t.Fatalf("%T: its own file is another filter (%v)", own, err)
	}
}

// unratedOwn is unrated of a package's own filter.
type unratedOwn struct{ contract.Filter }

func (unratedOwn) EstimatedFPR() float64 { return 0 }
