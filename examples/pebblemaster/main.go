//go:build ignore

// Program pebblemaster uses filters of this library on Pebble's unreleased master branch (commit f82e3ff, May 2026).
// docs/pebble.md compares its interfaces with v2's. No test compiles it, because no release of Pebble has them.
package main

import (
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/sstable/tablefilters"
	"github.com/cockroachdb/pebble/sstable/tablefilters/bloom"
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

func main() {
	opts := &pebble.Options{}
	own := newFilters(pebble.NoFilterPolicy.NewWriter, bloom.Family, policy.Paired(23.4))
	for i := range opts.Levels {
		opts.Levels[i].TableFilterPolicy = func() pebble.TableFilterPolicy { return own }
	}
	opts.TableFilterDecoders = append(slices.Clone(tablefilters.Decoders), own)
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := pebble.Open(dir, opts)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := db.Set([]byte("apple"), []byte("red"), pebble.Sync); err != nil {
		log.Fatal(err)
	}
	if err := db.Flush(); err != nil {
		log.Fatal(err)
	}
	value, closer, err := db.Get([]byte("apple"))
	if err != nil {
		log.Fatal(err)
	}
	defer closer.Close()
	fmt.Printf("%s\n", value)
}

// filters is a pebble.TableFilterPolicy and a pebble.TableFilterDecoder.
type filters[W any, F ~string] struct{ *policy.Policy }

// newFilters has two values of which the compiler infers W and F, Pebble's TableFilterWriter and TableFilterFamily,
// because Pebble does not export these types.
func newFilters[W any, F ~string](_ func() W, _ F, p *policy.Policy) filters[W, F] {
	return filters[W, F]{p}
}

func (f filters[W, F]) Family() F { return F(f.Name()) }

func (f filters[W, F]) NewWriter() W { return any(&writer[F]{f.NewBuilder(), f.Family()}).(W) }

func (f filters[W, F]) MayContain(data, key []byte) bool {
	return len(data) == 0 || f.Policy.MayContain(data, key)
}

type writer[F ~string] struct {
	builder *simdbloom.Builder
	family  F
}

func (w *writer[F]) AddKey(key []byte) { w.builder.Add(key) }

func (w *writer[F]) Finish() (data []byte, family F, ok bool) {
	if w.builder.Len() == 0 {
		return nil, "", false
	}
	return policy.AppendFilter(nil, w.builder), w.family, true
}
