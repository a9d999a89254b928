package main

import (
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// An Archive finds the blocks of many segments that may have events of an account, as jetstream's manifest does: a
// segment has a filter of all its accounts, and one for each block. These are looked up at once.
type Archive struct {
	segments []*simdbloom.Filter
	blocks   []*sliced.Filters // of each segment: a filter's id is the block's number
}

// Blocks are those of a segment that may have an account, in ascending order.
type Blocks struct {
	Segment int
	Blocks  []int
}

// accountBits are the bits per key for a false-positive rate of 0.001, for all filters: with the same number of probes
// they have few shapes, which package sliced looks up at once.
var accountBits = bloom.BitsPerKeyFor(1_000_000, 0.001)

func accountsFilter(accounts []string) (*simdbloom.Filter, error) {
	b, err := bloom.NewBuilder(accountBits, keyhash.XX64)
	if err != nil {
		return nil, err
	}
	for _, did := range accounts {
		b.AddString(did)
	}
	return b.Filter()
}

// Add adds a segment, of the accounts of each of its blocks.
func (a *Archive) Add(blocks [][]string) error {
	var all []string
	filters := make([]*simdbloom.Filter, len(blocks))
	for i, accounts := range blocks {
		var err error
		if filters[i], err = accountsFilter(accounts); err != nil {
			return err
		}
		all = append(all, accounts...)
	}
	slices.Sort(all)
	segment, err := accountsFilter(slices.Compact(all))
	if err != nil {
		return err
	}
	s := sliced.New(keyhash.XX64)
	if _, err := s.AppendAll(filters); err != nil {
		return err
	}
	a.segments, a.blocks = append(a.segments, segment), append(a.blocks, s)
	return nil
}

// Select returns the blocks that may have events of an account. It may be called concurrently.
func (a *Archive) Select(did string) (found []Blocks) {
	hash := keyhash.XX64.Sum64String(did)
	for _, segment := range simdbloom.AppendFilters(nil, a.segments, hash) {
		if blocks := a.blocks[segment].AppendHits(nil, hash); len(blocks) > 0 {
			found = append(found, Blocks{segment, blocks})
		}
	}
	return found
}

// SizeBytes is that of all filters.
func (a *Archive) SizeBytes() (bytes int) {
	for i, s := range a.blocks {
		bytes += a.segments[i].SizeBytes() + s.SizeBytes()
	}
	return bytes
}
