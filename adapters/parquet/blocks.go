package parquet

import (
	"errors"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/splitblock"
)

const (
	blockBytes = 32

	// headerBytes are read of a filter for its header, which has at most 19 as all writers write it.
	headerBytes = 64
)

// span is where a filter's bits are in the file.
type span struct{ at, size int64 }

// block returns where the block is that has the hash's bits.
func (s span) block(hash uint64) int64 {
	blocks := uint64(s.size / blockBytes)
	return s.at + int64(((hash>>32)*blocks)>>32)*blockBytes
}

// fewBlocks tells whether to read blocks of the filters that are missing, and not all of these, for the given number
// of values. If so, it counts what the blocks cost: all such reads together never cost more than the filters do.
// The caller holds k.mu.
func (f *File) fewBlocks(k *kept, missing []piece, values int) bool {
	if f.source.reader == nil || f.empty() != nil {
		return false
	}
	cost := float64(f.source.readCost)
	whole, blocks := 0.0, 0.0
	for _, p := range missing {
		blocks += float64(values) * (cost + blockBytes)
		if k.bits[p.rowGroup] == (span{}) {
			blocks += cost + headerBytes
		}
	}
	for rest := missing; len(rest) > 0; {
		n, to := f.source.together(rest, mostBytes)
		whole += cost + float64(to-rest[0].from)
		rest = rest[n:]
	}
	if k.spent+blocks >= whole {
		return false
	}
	k.spent += blocks
	return true
}

// readBits sets where the bits of the filters are that begin with the given pieces. ok is false if one of them is to be
// read as a whole: it has a header that is unusually long, or wrong.
func (f *File) readBits(column int, filters []piece, bits []span) (ok bool, err error) {
	headers := make([]piece, 0, len(filters))
	for _, p := range filters {
		if bits[p.rowGroup] == (span{}) {
			headers = append(headers, piece{rowGroup: p.rowGroup, from: p.from, to: min(p.to, p.from+headerBytes)})
		}
	}
	ok = true
	err = f.source.each(headers, func(p piece, data []byte) error {
		header, size, err := splitblock.ReadHeader(data)
		if err != nil || !has(f.rowGroups[p.rowGroup][column].FilterLength, header, size) {
			ok = false
			return nil
		}
		bits[p.rowGroup] = span{p.from + int64(header), int64(size)}
		return nil
	})
	return ok, err
}

// lookUpBlocks sets which row groups have filters that may contain any of the hashes, by reading their blocks.
func (f *File) lookUpBlocks(filters []piece, bits []span, hashes []uint64, may []bool) error {
	blocks := make([]piece, 0, len(filters)*len(hashes))
	for _, p := range filters {
		for _, hash := range hashes {
			at := bits[p.rowGroup].block(hash)
			blocks = append(blocks, piece{p.rowGroup, at, at + blockBytes, hash})
		}
	}
	sortPieces(blocks)
	return f.source.each(blocks, func(p piece, data []byte) error {
		// A block is a filter of one block: the bits that a hash has in it depend on nothing else.
		may[p.rowGroup] = may[p.rowGroup] || splitblock.MayContainHash(data, p.hash)
		return nil
	})
}

// mayContainAny reports which row groups may have any of the hashes in a column. It reads missing bytes in one of three
// ways: blocks of filters, filters that it does not keep, or filters that it keeps.
func (f *File) mayContainAny(column int, rowGroups []int, hashes []uint64) ([]bool, error) {
	k := &f.kept[column]
	k.mu.Lock()
	missing, lengths, err := f.missing(k, column, rowGroups)
	few := err == nil && lengths && f.fewBlocks(k, missing, len(hashes))
	pass := err == nil && !few && f.once(k, missing)
	if !few && !pass {
		k.mu.Unlock()
		return f.mayContainKept(column, rowGroups, hashes)
	}
	filters, bits := k.of(rowGroups), slices.Clone(k.bits)
	k.mu.Unlock()

	if few {
		usual, err := f.readBits(column, missing, bits)
		if err != nil {
			return nil, err
		}
		if !usual {
			return f.mayContainKept(column, rowGroups, hashes)
		}
		k.mu.Lock()
		for _, p := range missing {
			k.bits[p.rowGroup] = bits[p.rowGroup]
		}
		k.mu.Unlock()
	}
	byRowGroup := make([]bool, len(f.rowGroups)) // of missing
	if few {
		err = f.lookUpBlocks(missing, bits, hashes, byRowGroup)
	} else {
		err = f.lookUpPassing(k, column, missing, hashes, byRowGroup)
	}
	if err != nil {
		return nil, err
	}
	wasMissing := make([]bool, len(f.rowGroups))
	for _, p := range missing {
		wasMissing[p.rowGroup] = true
	}
	may := mayContainAny(filters, hashes)
	for i, g := range rowGroups {
		if wasMissing[g] {
			may[i] = byRowGroup[g]
		}
	}
	return may, nil
}

// mayContainKept is mayContainAny with filters that are kept.
func (f *File) mayContainKept(column int, rowGroups []int, hashes []uint64) ([]bool, error) {
	filters, err := f.filters(column, rowGroups)
	if err != nil {
		return nil, err
	}
	return mayContainAny(filters, hashes), nil
}

// once tells whether to read missing filters without keeping them, which is only for the first time that a column's are
// needed. Allocating memory for all filters is slower than reading them from the system's cache, and many programs
// prune a file once. The caller holds k.mu.
func (f *File) once(k *kept, missing []piece) bool {
	if f.source.reader == nil || f.source.readCost > fileReadCost || len(missing) == 0 || k.passed || k.spent > 0 {
		return false
	}
	k.passed = true
	return true
}

// lookUpPassing sets which row groups have filters that may contain any of the hashes. It keeps no filter.
func (f *File) lookUpPassing(k *kept, column int, filters []piece, hashes []uint64, may []bool) error {
	return f.eachPassing(k, column, filters, func(read []piece, opened []*simdbloom.Filter) error {
		for i, found := range mayContainAny(opened, hashes) {
			may[read[i].rowGroup] = found
		}
		return nil
	})
}

// eachPassing reads the filters into one buffer without keeping them, and calls use with each, or with nil if it cannot
// be used. The caller does not hold k.mu.
func (f *File) eachPassing(k *kept, column int, filters []piece, use func(read []piece, opened []*simdbloom.Filter) error) error {
	var buffer []byte
	room := f.room()
	return f.source.eachRead(filters, mostPassing, &buffer, func(read []piece, data []byte) error {
		opened := make([]*simdbloom.Filter, len(read))
		for i, p := range read {
			var err error
			opened[i], err = f.open(p.in(data, read[0].from), p, column, &room)
			if errors.Is(err, simdbloom.ErrCorrupt) {
				opened[i] = nil // which may have any value
				k.mu.Lock()
				err = f.refuse(k, p.rowGroup, column, err)
				k.mu.Unlock()
			} else if err != nil {
				err = f.about(p.rowGroup, column, err)
			}
			if err != nil {
				return err
			}
		}
		return use(read, opened)
	})
}

// EachFilter calls use with every filter of a column, by the column's index, and the filter's row group. It keeps none,
// and so needs little memory for any file: use must not keep one, either. Filters that cannot be used are left out, as
// in [File.Filters]. An error of use ends it, and is returned.
func (f *File) EachFilter(column int, use func(rowGroup int, filter *simdbloom.Filter) error) error {
	all := f.all()
	k := &f.kept[column]
	k.mu.Lock()
	missing, _, err := f.missing(k, column, all)
	filters := k.of(all)
	k.mu.Unlock()
	if err != nil {
		return err
	}
	for g, filter := range filters {
		if filter == nil {
			continue
		}
		if err := use(g, filter); err != nil {
			return err
		}
	}
	return f.eachPassing(k, column, missing, func(read []piece, opened []*simdbloom.Filter) error {
		for i, filter := range opened {
			if filter == nil {
				continue
			}
			if err := use(read[i].rowGroup, filter); err != nil {
				return err
			}
		}
		return nil
	})
}
