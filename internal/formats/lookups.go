package formats

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/legacy"
	"github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/formats/paired"
	"github.com/simdbloom/simdbloom/internal/formats/ribbon"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/formats/splitblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

// lookups has the formats whose lookups read some ranges of a filter, and their largest bodies.
var lookups = [...]struct {
	of   func(c *contents.Contents, bodyBytes uint64) contents.Lookup
	most uint64
}{
	asm.FastLocal:  {fastlocal.Lookup, asm.MaxBodyBytes},
	asm.Paired:     {paired.Lookup, asm.MaxBodyBytes},
	asm.Linear:     {linear.Lookup, 1 << 63},
	asm.Ribbon:     {ribbon.Lookup, 1 << 63},
	asm.Legacy:     {legacy.Lookup, 1 << 63},
	asm.SplitBlock: {splitblock.Lookup, asm.MaxSplitBlockBytes},
	asm.Blobloom:   {blobloom.Lookup, asm.MaxBodyBytes},
}

// EndsOf returns how many of a filter's first and last bytes LookupOf needs, and in how many last bytes all are that
// most lookups read besides one range: the headers of Linear.
func EndsOf(format asm.Format, length uint64) (head, tail, more uint64) {
	head, tail = uint64(Of(format).HeaderBytes), rocksdb.TrailerBytes+1
	if format == asm.Linear {
		tail = linear.MostTrailerBytes
		lines := (max(length, tail) - tail) / (asm.BlockBytes + 1) // or some more
		more = length - lines*asm.BlockBytes
	}
	return min(head, length), min(tail, length), min(max(tail, more), length)
}

// standIn is a multiple of every unit of blocks: readers find the same in the last bytes of a filter if its length is
// the same modulo this.
const standIn = 128 * asm.BlockBytes

// LookupOf returns how hashes are looked up in ranges of a filter of the given length, which is recorded under a name
// of batches of the given number of blocks, or of 0. It needs its first and its last bytes: see EndsOf. It returns nil
// where a lookup may read any bytes, or keys are looked up by another hash, or the filter has a flaw.
func LookupOf(format asm.Format, batchBlocks int, hash keyhash.Hash, length uint64, head, tail []byte) contents.Lookup {
	if hash == keyhash.XXPH3 && (format == asm.FastLocal || format == asm.Ribbon) {
		format = rocksdb.FormatOf(tail) // each reads the other's
	}
	var c contents.Contents
	var flaw string
	body := length
	switch format {
	case asm.Linear:
		var trailer []byte
		if trailer, flaw = linear.TrailerOf(tail, length); len(trailer) <= int(linear.TrailerBytes(0)) {
			return nil
		}
		c = contents.Contents{Format: format, Trailer: trailer}
	case asm.Legacy:
		if rocksdb.FormatOf(tail) != asm.Legacy || length <= rocksdb.TrailerBytes {
			return nil
		}
		trailer := tail[len(tail)-rocksdb.TrailerBytes:]
		c, body = contents.Contents{Format: format, Probes: int(trailer[rocksdb.MarkerAt])}, length-rocksdb.TrailerBytes
		if c.Lines, flaw = legacy.LinesOf(trailer, body); c.Lines == 0 {
			return nil
		}
	case asm.Blobloom:
		c, body = contents.Contents{Format: format}, length-min(length, blobloom.HeaderBytes)
		c.Probes, flaw = blobloom.ReadHeader(head, length)
	case asm.FastLocal, asm.Paired, asm.Ribbon, asm.SplitBlock:
		data := tail
		if uint64(len(tail)) < length {
			data = make([]byte, min(length, length%standIn+standIn))
			copy(data[max(len(data)-len(tail), 0):], tail[max(len(tail)-len(data), 0):])
		}
		if c, flaw = ReaderNamed(format, batchBlocks)(data); c.OfXXPH3 != nil && hash == keyhash.XXPH3 {
			if uint64(len(tail)) < length {
				return nil
			}
			c.Decide(hash)
		}
		if c.Body == nil {
			return nil
		}
		body -= uint64(len(data) - len(c.Body))
	default:
		return nil
	}
	if of := lookups[c.Format]; flaw == "" && body <= of.most && Of(c.Format).Narrow == (hash.Bits() == 32) {
		return of.of(&c, body)
	}
	return nil
}
