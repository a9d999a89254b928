package fuzz

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
)

// storable is a filter that reads and writes files by itself.
type storable interface {
	queryable
	io.ReaderFrom
	Bytes() []byte
	MarshalBinary() ([]byte, error)
	UnmarshalBinary(data []byte) error
	UnmarshalText(text []byte) error
}

// zeros are the zero filters, and one that takes another key hash.
func zeros() []storable {
	ofOutside, err := simdbloom.Open(simdbloom.FastLocal, nil, outside)
	if err != nil {
		panic(err)
	}
	return []storable{new(simdbloom.Filter), new(simdbloom.Mutable), new(simdbloom.Concurrent), ofOutside}
}

// checkStored gives the bytes of a file to the filters' own methods. f is what package filterfile
// reads, or nil.
func checkStored(t *testing.T, data, queried []byte, f *filterfile.File) {
	t.Helper()
	streamed, written := zeros(), zeros()
	text := base64.StdEncoding.AppendEncode(nil, data)
	for i, own := range zeros() {
		must := f != nil && mustTake(own, f) // before it has taken anything
		err := own.UnmarshalBinary(data)
		n, streamErr := streamed[i].ReadFrom(io.MultiReader(bytes.NewReader(data)))
		if (streamErr == nil) != (err == nil) || n > int64(len(data)) {
			t.Fatalf("%T: %v, from a stream of %d bytes: %v", own, err, n, streamErr)
		}
		if textErr := written[i].UnmarshalText(text); (textErr == nil) != (err == nil) {
			t.Fatalf("%T: %v, from a text: %v", own, err, textErr)
		}
		written[i].UnmarshalText(data) // any bytes are no text that does harm
		if f != nil && must != (err == nil) {
			t.Fatalf("%T, and a file of %s: %v", own, f.Info().Format, err)
		}
		if err != nil {
			known := errors.Is(err, simdbloom.ErrCorrupt) || errors.Is(err, simdbloom.ErrUnknown)
			if !known && strings.Contains(err.Error(), "empty") == strings.Contains(err.Error(), "filters only") || len(own.Bytes()) > 0 {
				t.Fatal(err)
			}
			continue
		}
		checkOwn(t, own, data, queried)
		checkOwn(t, streamed[i], data, queried)
	}
}

// mustTake reports whether a filter without bytes takes a file that package filterfile reads: one of its
// own hash, or of a built-in one, and if keys can be added to it, a filter with a block.
func mustTake(own storable, f *filterfile.File) bool {
	if own, ok := own.(*simdbloom.Filter); ok && own.Hash() == outside {
		return f.Hash() == outside
	}
	if keyhash.ForName(f.Hash().Name()).IsZero() {
		return false
	}
	_, ok := own.(*simdbloom.Filter)
	return ok || slices.ContainsFunc(contract.Adders(), func(of contract.Format) bool {
		return strings.HasPrefix(f.Info().Format, of.Family) && f.Format() == of.Format
	})
}

// checkOwn requires that a filter is the one in the file.
func checkOwn(t *testing.T, own storable, data, queried []byte) {
	t.Helper()
	if !bytes.HasSuffix(data, own.Bytes()) {
		t.Fatalf("%T: other bytes", own)
	}
	checkQueries(t, own, hashesIn(queried), own.ContainsHash)
	checkKey(t, own, queried)
	file, err := own.MarshalBinary()
	if err != nil {
		t.Fatalf("%T: %v", own, err)
	}
	if want, err := filterfile.Append(nil, own); err != nil || !bytes.Equal(file, want) {
		t.Fatalf("%T: package filterfile writes another file (%v)", own, err)
	}
	before := slices.Clone(own.Bytes())
	if err := own.UnmarshalBinary(file); err != nil || !bytes.Equal(own.Bytes(), before) {
		t.Fatalf("%T: its own file is another filter (%v)", own, err)
	}
}
