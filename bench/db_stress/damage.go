package main

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// damaged are the filter blocks of a store that were changed on disk.
type damaged []*filterBlock

// mostFlipped is how long a block with a wrong checksum may be: see pause.
const mostFlipped = 20 << 10

// damage changes filter blocks of up to four tables. With a wrong checksum, any bits flip, as on a
// bad disk; Pebble must not use the filter. With the right one, Pebble hands the bytes to the
// policy: see loosen. It returns those that were changed, also with an error.
func damage(store string, c *pebble.Comparer, rightChecksum bool, r *rand.Rand) (done damaged, err error) {
	paths, err := tablesIn(store)
	if err != nil {
		return nil, err
	}
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for _, path := range paths {
		if len(done) == 4 {
			break
		}
		b, err := filterOf(path, c)
		if err != nil || b == nil {
			continue // a killed compaction leaves half of a table; a level may have no filters
		}
		if !rightChecksum && (len(b.bytes) > mostFlipped || slices.ContainsFunc(done, b.overlaps)) {
			continue // a lookup ends with the first error, and would not come to the other table
		}
		bytes := slices.Clone(b.bytes)
		if rightChecksum {
			if !loosen(bytes[:len(b.filter())], b.policy, r) {
				continue
			}
			changed := &filterBlock{bytes: bytes}
			binary.LittleEndian.PutUint32(bytes[len(bytes)-checksumBytes:], changed.checksum())
		} else {
			flip(bytes, r)
		}
		done = append(done, b)
		if err := b.write(bytes); err != nil {
			return done, err
		}
	}
	return done, nil
}

// restore puts the original bytes back.
func (d damaged) restore() error {
	for _, b := range d {
		if err := b.write(b.bytes); err != nil {
			return err
		}
	}
	return nil
}

// flip flips one to eight bits, near each other or not.
func flip(bytes []byte, r *rand.Rand) {
	near, at := r.IntN(2) == 0, r.IntN(8*len(bytes))
	flipped := make(map[int]bool)
	for range 1 + r.IntN(8) {
		if bit := at; !flipped[bit] {
			flipped[bit] = true
			bytes[bit/8] ^= 1 << (bit % 8)
		}
		if near {
			at = (at + 1) % (8 * len(bytes))
		} else {
			at = r.IntN(8 * len(bytes))
		}
	}
}
