package main

import (
	"fmt"
	"iter"

	"github.com/simdbloom/simdbloom/asm"
)

// writeBlocks writes a Bloom filter without holding the hashes of all keys.
func (k *kind) writeBlocks(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (data []byte, err error) {
	trailer, probes, err := k.trailer(fill.bitsPerKey)
	if err != nil {
		return nil, err
	}
	body := memory[:fill.bytes]
	k.fill(body, probes, hashes)
	data = append(body, trailer...)
	f, err := k.open(data, k.hash)
	if err == nil && chosenBy(f) != (chosen{Probes: probes}) {
		err = fmt.Errorf("a filter of %d probes was built, and one of %s opened", probes, chosenBy(f))
	}
	return data, err
}

// trailer returns what follows the blocks of a filter with the given bits per key.
func (k *kind) trailer(bitsPerKey float64) (trailer []byte, probes int, err error) {
	builder, err := k.builder(bitsPerKey, building{concurrency: 1})
	if err != nil {
		return nil, 0, err
	}
	builder.AddHashes([]uint64{0})
	data, err := builder.Finish()
	if err != nil {
		return nil, 0, err
	}
	f, err := k.open(data, k.hash)
	if err != nil {
		return nil, 0, err
	}
	return data[len(data)/asm.BlockBytes*asm.BlockBytes:], chosenBy(f).Probes, nil
}
