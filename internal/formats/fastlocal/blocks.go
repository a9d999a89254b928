package fastlocal

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// Layout is the layout of filters: blocks and the trailer.
var Layout = building.Layout{
	BlockBytes: asm.BlockBytes, MaxBodyBytes: asm.MaxBodyBytes, TrailerBytes: rocksdb.TrailerBytes, NumProbes: NumProbes, Frame: frame,
}

func frame(data []byte, _, probes int) { PutTrailer(data[len(data)-rocksdb.TrailerBytes:], probes) }

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	return Layout.Scheme(bitsPerKey, o, Fill)
}

// Fill writes the hashes of a part into a body.
func Fill(body []byte, part building.Part, f building.Format) {
	k := asm.NewFastLocal(body, f.Probes)
	for hashes := range part.Hashes() {
		k.AddFastLocal(hashes)
	}
}
