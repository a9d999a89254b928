package contents_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestDecide: only Speedb's key hash changes what bytes are read as.
func TestDecide(t *testing.T) {
	ofXXPH3 := func(c contents.Contents) contents.Contents { c.BatchBlocks = 128; return c }
	for _, hash := range []keyhash.Hash{keyhash.XXPH3, keyhash.XX64, keyhash.RocksDB32} {
		c, certain := contents.Contents{BatchBlocks: 32, OfXXPH3: ofXXPH3}, contents.Contents{BatchBlocks: 32}
		c.Decide(hash)
		certain.Decide(hash)
		if (c.BatchBlocks == 128) != (hash == keyhash.XXPH3) || certain.BatchBlocks != 32 {
			t.Errorf("%s: batches of %d blocks, and of %d", hash.Name(), c.BatchBlocks, certain.BatchBlocks)
		}
	}
}

// TestMayContain: bytes with a flaw may contain every hash, whatever else the reader says of them; so may those of a
// format that it does not know. An empty filter contains none.
func TestMayContain(t *testing.T) {
	for _, c := range []struct {
		format asm.Format
		flaw   string
		want   bool
	}{{asm.Empty, "", false}, {asm.Empty, "cut short", true}, {asm.FastLocal, "cut short", true}, {asm.FastLocal, "", true}, {asm.Reserved, "", true}} {
		read := contents.Reader(func([]byte) (contents.Contents, string) { return contents.Contents{Format: c.format}, c.flaw })
		if got := read.MayContain(nil, 1); got != c.want {
			t.Errorf("the format %d, %q: %v", c.format, c.flaw, got)
		}
	}
}

// TestBlocks: a query reads one block, which lies behind the bytes before the first.
func TestBlocks(t *testing.T) {
	b := contents.Blocks{
		Before: 64, BlockBytes: 32, Blocks: 10,
		BlockOf: func(hash uint64, blocks uint32) uint32 { return uint32(hash) % blocks },
		Has:     func(block []byte, hash uint64) bool { return uint64(block[0]) == hash },
	}
	for hash, at := range map[uint64]uint64{0: 64, 1: 96, 9: 64 + 9*32, 23: 64 + 3*32} {
		q := b.Begin(hash)
		if q.At != at || q.Bytes != 32 || !q.Last {
			t.Errorf("hash %d: %d bytes at %d, last %v", hash, q.Bytes, q.At, q.Last)
		}
		for first, want := range map[uint64]contents.Answer{hash: contents.Maybe, hash + 1: contents.No} {
			if got := b.Next(&q, []byte{byte(first)}); got != want {
				t.Errorf("hash %d in a block of %d: %d", hash, first, got)
			}
		}
	}
}
