package filterblock

import (
	"errors"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// Options say what a [Writer] writes: WholeKeys, Prefix or both must be set. A table must record WholeKeys
// and Prefix's name, as RocksDB does in its properties: the filter's bytes do not record that.
type Options struct {
	// WholeKeys adds every key: RocksDB's whole_key_filtering.
	WholeKeys bool

	// Prefix, if not nil, adds the prefix of every key that has one: RocksDB's prefix_extractor.
	// With neither keys nor prefixes RocksDB writes no filter, and NewWriter returns an error.
	Prefix *Extractor

	// PartitionBytes cuts the filter into partitions of about nine tenths of this size: RocksDB's
	// metadata_block_size, whose default is 4096, less its block_size_deviation. 0 is one filter in one piece.
	PartitionBytes int

	// Store is called with every partition, in order, and returns where it has put it. The partition's
	// memory belongs to Store. The writer stops at an error, which Finish returns. It is
	// required with PartitionBytes. Without, it is not called: Finish returns the filter.
	Store func(partition []byte) (Handle, error)

	// CutByCaller ends partitions only where [Writer.Cut] is called, as RocksDB does without
	// decouple_partitioned_filters: always before version 9.6, and by default before 10.6.
	// It has no effect without PartitionBytes.
	CutByCaller bool

	// Index is how the index of partitions is written.
	Index IndexFormat

	// Compare is the order of keys. nil is the order of bytes. It is used only to check, in partitioned
	// filters, that keys come in order.
	Compare func(a, b []byte) int

	// Builder are options of the policy's builder, such as [policy.WithLevel].
	Builder []simdbloom.Option
}

// slack is by how many percent partitions are meant to be smaller: the default of RocksDB's block_size_deviation.
const slack = 10

func (o *Options) check() error {
	switch {
	case !o.WholeKeys && o.Prefix == nil:
		return errors.New("neither WholeKeys nor Prefix is set: nothing would be added to the filter")
	case o.PartitionBytes < 0:
		return fmt.Errorf("PartitionBytes must be at least 0, not %d", o.PartitionBytes)
	case o.PartitionBytes > 0 && o.Store == nil:
		return errors.New("PartitionBytes requires Store")
	case o.Index.RestartInterval < 0:
		return fmt.Errorf("RestartInterval must be at least 0, not %d", o.Index.RestartInterval)
	}
	return nil
}

const (
	leastPartition = 16      // RocksDB tries this first where a partition has room for no key
	mostPartition  = 100_000 // and gives up at this
)

// entriesPerPartition returns after how many entries a partition ends (the constructor of
// PartitionedFilterBlockBuilder in RocksDB's table/block_based/partitioned_filter_block.cc).
func (o *Options) entriesPerPartition(p *policy.Policy) int {
	size := int(max((uint64(o.PartitionBytes)*(100-slack)+99)/100, 1))
	n := p.KeysFor(size, o.Builder...)
	for larger := max(size+4, leastPartition); n < 1; larger += larger / 4 {
		if larger > mostPartition {
			n = size
			break
		}
		n = p.KeysFor(larger, o.Builder...)
	}
	if n > 1 && o.Prefix != nil {
		n-- // room for the prefix of the next partition's first key
	}
	return int(min(uint64(n), math.MaxUint32))
}
