package table

import (
	"encoding/binary"
	"errors"
	"math"
)

var errLZ4 = errors.New("a sequence that is longer than its block")

// lz4Block decompresses an LZ4 block of the given size, or less. It is a list of sequences: literals, and
// what to repeat after them, which may be in the dictionary (lz4's doc/lz4_Block_format.md).
func lz4Block(block []byte, size int, dictionary []byte) ([]byte, error) {
	const mostTimes, farthest = 255, 1<<16 - 1
	if size/mostTimes > len(block) { // a small block does not make much memory be taken
		return nil, errLZ4
	}
	dictionary = dictionary[max(len(dictionary)-farthest, 0):]
	size += len(dictionary)
	plain := append(make([]byte, 0, size), dictionary...)
	for len(block) > 0 {
		token := block[0]
		literals, rest, ok := lz4Length(int(token>>4), block[1:])
		if !ok || literals > len(rest) || literals > size-len(plain) {
			return nil, errLZ4
		}
		plain, block = append(plain, rest[:literals]...), rest[literals:]
		if len(block) == 0 {
			break // the last sequence has only literals
		}
		if len(block) < 2 {
			return nil, errLZ4
		}
		distance := int(binary.LittleEndian.Uint16(block))
		repeated, rest, ok := lz4Length(int(token&15), block[2:])
		repeated += 4
		if !ok || distance == 0 || distance > len(plain) || repeated > size-len(plain) {
			return nil, errLZ4
		}
		for range repeated { // which may be longer than the distance
			plain = append(plain, plain[len(plain)-distance])
		}
		block = rest
	}
	return plain[len(dictionary):], nil
}

// lz4Length adds bytes to a length of 15, up to the first that is not 255.
func lz4Length(length int, block []byte) (_ int, rest []byte, ok bool) {
	if length < 15 {
		return length, block, true
	}
	for i, more := range block {
		if length += int(more); length > math.MaxInt32-255 { // no block is so long, and an int may have 32 bits
			break
		}
		if more < 255 {
			return length, block[i+1:], true
		}
	}
	return 0, nil, false
}
