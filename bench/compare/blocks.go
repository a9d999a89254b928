package main

import (
	"fmt"
	"iter"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// blocks is a kind of Bloom filter. It is written without holding the hashes of all keys.
type blocks[F filter[F]] struct {
	kind[F]
	// fill does to the body what a builder would.
	fill     func(body []byte, probes int, hashes iter.Seq[[]uint64])
	contains func(body []byte, probes int, hash uint64) bool // in pure Go
}

func newBlocks[F filter[F]](s *settings, b blocks[F]) *own[F] {
	b.kind.write = b.write
	b.inPureGo = func(f F, body []byte) func(hash uint64) bool {
		probes := b.chosen(f).Probes
		return func(hash uint64) bool { return b.contains(body, probes, hash) }
	}
	return newOwn(s, b.kind)
}

func (b blocks[F]) write(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (data []byte, err error) {
	trailer, probes, err := b.trailer(fill.bitsPerKey)
	if err != nil {
		return nil, err
	}
	body := memory[:fill.bytes]
	b.fill(body, probes, hashes)
	data = append(body, trailer...)
	f, err := b.open(data, keyhash.XX64)
	if err == nil && b.chosen(f) != (chosen{Probes: probes}) {
		err = fmt.Errorf("a filter of %d probes was built, and one of %s opened", probes, b.chosen(f))
	}
	return data, err
}

// trailer returns what follows the blocks of a filter with the given bits per key.
func (b blocks[F]) trailer(bitsPerKey float64) (trailer []byte, probes int, err error) {
	builder, err := b.newBuilder(bitsPerKey, building{concurrency: 1})
	if err != nil {
		return nil, 0, err
	}
	builder.AddHashes([]uint64{0})
	data, err := builder.Finish()
	if err != nil {
		return nil, 0, err
	}
	f, err := b.open(data, keyhash.XX64)
	if err != nil {
		return nil, 0, err
	}
	return data[len(data)/asm.BlockBytes*asm.BlockBytes:], b.chosen(f).Probes, nil
}
