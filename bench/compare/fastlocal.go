package main

import (
	"iter"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

// fastLocal is package bloom's filter. The floors are rows of it.
type fastLocal struct{ *own }

func newFastLocal(s *settings) fastLocal {
	return fastLocal{newOwn(s, kind{
		title: "simdbloom", hash: keyhash.XX64,
		newBuilder: bloom.NewBuilder, open: bloom.Open,
		inBytes: func(data []byte, hashes []uint64) (found int) {
			for _, hash := range hashes {
				found += tables.One(bloom.MayContainHash(data, hash))
			}
			return found
		},
		fill: func(body []byte, probes int, hashes iter.Seq[[]uint64]) {
			for chunk := range hashes {
				asm.FastLocalAdd(body, probes, chunk)
			}
		},
		inPureGo: func(f *root.Filter, body []byte) func(hash uint64) bool {
			probes := f.NumProbes()
			return func(hash uint64) bool { return fallback.FastLocalContains(body, probes, hash) }
		},
	})}
}

func (f fastLocal) rows() []*row {
	return append(append(f.own.rows(), touchRows(f)...), hashingRow())
}
