package main

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
)

// damaged are the filter blocks of a store that were changed on disk.
type damaged []*filterBlock

// damage changes filter blocks of up to four tables. With a wrong checksum, a bit flips, as on a bad disk;
// Pebble must not use the filter. With the right one, Pebble hands the bytes to the policy: see loosen. It
// returns those that were changed, also with an error.
func damage(store string, prefixSize int, rightChecksum bool, r *rand.Rand) (done damaged, err error) {
	paths, err := tablesIn(store)
	if err != nil {
		return nil, err
	}
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for _, path := range paths {
		if len(done) == 4 {
			break
		}
		b, err := filterOf(path, prefixSize)
		if err != nil || b == nil {
			continue // a killed compaction leaves half of a table; a level may have no filters
		}
		bytes := slices.Clone(b.bytes)
		if rightChecksum {
			if !loosen(bytes[:len(b.filter())], b.policy, r) {
				continue
			}
			changed := &filterBlock{bytes: bytes}
			binary.LittleEndian.PutUint32(bytes[len(bytes)-checksumBytes:], changed.checksum())
		} else {
			// One of the first bits: whenever Pebble reads the block it searches for the one that flipped,
			// from the first on, by a checksum of the whole block for each.
			bytes[0] ^= 1 << r.IntN(8)
		}
		done = append(done, b)
		if err := b.write(bytes); err != nil {
			return done, err
		}
	}
	return done, nil
}

// restore puts the original bytes of all back.
func (d damaged) restore() (err error) {
	for _, b := range d {
		err = errors.Join(err, b.write(b.bytes))
	}
	return err
}
