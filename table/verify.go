package table

import (
	"context"
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom"
)

// VerifyOptions are options of [Table.Verify]. The zero value is ready to use.
type VerifyOptions struct {
	// Progress, unless it is nil, is called after each data block, with where it ends in the file, and the
	// file's size.
	Progress func(done, total uint64)

	// Split returns the length of a key without its version: Pebble's Comparer.Split. Only tables of Pebble in the
	// formats of LevelDB and RocksDB, and v1 to v4, whose comparer has versions need it.
	Split func(key []byte) int
}

// Verification is the result of [Table.Verify].
type Verification struct {
	// Blocks are the data blocks that were read, and Entries the entries in them: every version of a key, and its
	// deletions.
	Blocks, Entries uint64

	// Keys and Prefixes were looked up in the filter: once for entries that follow each other in a block and have
	// the same.
	Keys, Prefixes uint64

	// Missing counts the table's keys and prefixes that the filter does not contain: a Get would
	// lose them.
	Missing uint64

	// Damaged counts the damaged blocks: of data, of the index or of the filter. What was in them was not looked up.
	// Paired filters whose pair indexes fit no size of batches count, too.
	Damaged uint64

	// Unread counts the blocks that this package cannot read, such as those of an unknown compression, though their
	// checksums are right. NotVerified has the reason.
	Unread uint64

	// Problems are the first 1,000 damaged blocks and the first missing key: none if all that was read is right.
	Problems []Problem

	// NotVerified is a text: why keys or prefixes were not looked up. It is empty if all were.
	NotVerified string
}

// Problem is a damaged block, or one that could not be read from the file, or a key that the filter lacks.
type Problem struct {
	Block          // and where it is: of data, if a key is missing
	Err     error  // the reason
	Missing *Query // the key, or a prefix as the filter should have it; nil if the block is damaged
}

var errMissing = errors.New("a key is not in its filter")

const mostDamaged = 1000

// Verify reads all data blocks of the table and compares their checksums. It looks up every key in the filter as
// the database would, and every prefix of a key if the filter has prefixes. It goes on after a block that is
// damaged, and after a key that is missing: the result has both.
//
// Deletions of ranges are no keys of the filter, and have blocks of their own, which it does not read. If the
// order of a partitioned filter's keys is unknown, a key may be in any of the partitions, so that one that is
// missing is found seldom: see [WithOrder].
//
// Tables that goleveldb's recovery wrote have filters of keys and 8 more bytes, which no Get finds: these keys are
// missing.
//
// The error is ctx's, or the reason why the data cannot be read: it wraps [simdbloom.ErrCorrupt] if the index is
// damaged, and [ErrUnsupported] for Pebble's tables since v5 with a key schema of their own, such as CockroachDB's.
//
// It needs the time of reading and decompressing the file, and the memory of its filters and of one data block
// (64 MiB and 1,024 times its size in the file, at most).
func (t *Table) Verify(ctx context.Context, o VerifyOptions) (*Verification, error) {
	if t.Format.columnarData() && !t.Properties.hasDefaultSchema() {
		return nil, unsupported("keys in columns of Pebble's schema %q (DefaultKeySchema is known)", t.Properties.keySchema)
	}
	v := &verifier{table: t, found: new(Verification)}
	blocks, err := v.dataBlocks()
	if err != nil && !cannotRead(err) {
		return nil, err
	} else if err != nil {
		v.notRead(blockName{kind: kindIndex}.at(*t.indexBlock), err)
	}
	v.readDictionary()
	v.filters = newFilterCheck(v, o.Split)
	if v.tail, err = v.keyTail(blocks); err != nil {
		return nil, err
	}
	if n := v.unrecordedTimestamps(blocks); n > 0 {
		v.filters = nil
		v.found.NotVerified = fmt.Sprintf("keys seem to have timestamps of %d bytes by the comparator %q, which the table does not record (give their length)",
			n, t.Properties.Comparator)
	}
	for i, h := range blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		what := blockName{kindData, i, len(blocks)}
		if err := v.dataBlock(ctx, h, what); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			v.notRead(what.at(h), err)
		}
		if o.Progress != nil {
			o.Progress(h.end(), t.blocks.size)
		}
	}
	v.checkFilters()
	v.compareEntries(len(blocks))
	v.explain()
	return v.found, nil
}

// verifier is a Verify that is under way.
type verifier struct {
	table      *Table
	found      *Verification
	dictionary []byte       // of the data blocks, empty if they have none
	noDict     bool         // it could not be read
	unread     error        // of the first block that this package cannot read
	filters    *filterCheck // nil if nothing can be looked up
	tail       func(key []byte) int
}

// cannotRead reports whether this package does not know the table's features: nothing is damaged.
func cannotRead(err error) bool {
	return errors.Is(err, ErrUnsupported) && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, errOrder)
}

// notRead counts a block as damaged or unread.
func (v *verifier) notRead(block Block, err error) {
	if !cannotRead(err) {
		v.damaged(block, err)
		return
	}
	if v.found.Unread++; v.unread == nil {
		v.unread = err
	}
}

// explain adds to NotVerified why blocks are unread.
func (v *verifier) explain() {
	n := v.found.Unread
	if n == 0 {
		return
	}
	what := "blocks"
	if n == 1 {
		what = "block"
	}
	if v.table.Format.Checksum != noChecksum {
		what += " with right checksums"
	}
	why := fmt.Sprintf("%d %s cannot be read: %v", n, what, v.unread)
	if v.found.NotVerified != "" {
		why += "; " + v.found.NotVerified
	}
	v.found.NotVerified = why
}

// checkFilters reads the filters that no key was looked up in.
func (v *verifier) checkFilters() {
	t := v.table
	if t.Layout == layoutBlockBased {
		if v.filters == nil && v.found.Damaged == 0 {
			if _, err := t.ReadFilterBlock(); err != nil {
				v.notRead(blockName{kind: kindFilterBlock}.at(t.filter), err)
			}
		}
		return
	}
	for i := range t.NumFilters() {
		if v.filters != nil {
			v.filters.open(i)
		} else if _, err := t.ReadFilter(i); err != nil {
			v.notRead(t.filterName(i).at(t.filters.rows[i].handle), err)
		}
	}
}

func (v *verifier) damaged(block Block, err error) {
	if v.found.Damaged++; v.found.Damaged <= mostDamaged {
		v.found.Problems = append(v.found.Problems, Problem{Block: block, Err: err})
	}
}

// compareEntries compares the number of entries with the recorded one: an index may lack blocks.
func (v *verifier) compareEntries(blocks int) {
	p := &v.table.Properties
	want := p.NumEntries - min(p.NumEntries, p.NumRangeDeletions)
	if v.found.Damaged == 0 && v.found.Unread == 0 && v.found.Entries < want {
		v.damaged(blockName{kind: kindIndex}.at(*v.table.indexBlock),
			corrupt("the index has %d data blocks with %d entries, but %d are recorded", blocks, v.found.Entries, want))
	}
}
