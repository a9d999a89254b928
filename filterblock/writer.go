package filterblock

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/policy"
)

// Writer builds one filter block after another. It uses the memory of the policy's builder for the
// keys of one block, or of one partition. One goroutine at a time may use it. Do not copy it: go vet reports copies.
type Writer struct {
	_       nocopy.Mark
	o       Options
	rules   rules
	entries entries

	target int // entries after which a partition is to end; 0 without partitions
	index  *IndexWriter

	previous    []byte // the key before; only with partitions
	hasPrevious bool

	wantsCut  bool
	isCut     bool   // the partition ends behind the previous key
	separator []byte // its index key, if the caller cuts

	err error
}

// NewWriter returns a writer of a policy's filter blocks. It returns an error for options that are invalid,
// or with which the filter could not answer anything, and panics if an option of the builder is invalid, as the
// policy's NewBuilder does.
func NewWriter(p *policy.Policy, o Options) (*Writer, error) {
	err := o.check()
	if p == nil {
		err = errNoPolicy
	}
	if err != nil {
		return nil, fmt.Errorf("filterblock: %w", err)
	}
	w := &Writer{o: o, entries: entries{builder: p.NewBuilder(o.Builder...), hash: p.Hash()}}
	if o.PartitionBytes > 0 {
		w.target = o.entriesPerPartition(p)
		w.index = NewIndexWriter(o.Index)
	}
	if w.o.Compare == nil {
		w.o.Compare = bytes.Compare
	}
	w.rules = rules{entries: &w.entries, wholeKeys: o.WholeKeys, extractor: o.Prefix}
	return w, nil
}

// Add adds a table's next key, without its version. It keeps nothing of the key. With partitions
// keys must be in order; equal ones may follow each other. If they are not, Finish returns an error.
// It costs a few nanoseconds and the hashes of the key and its prefix, and allocates nothing.
func (w *Writer) Add(key []byte) {
	if w.target == 0 {
		w.rules.add(key)
		return
	}
	if w.err != nil {
		return
	}
	if w.hasPrevious && w.o.Compare(w.previous, key) > 0 {
		w.err = fmt.Errorf("filterblock: the keys are not in order: %q was added after %q", key, w.previous)
		return
	}
	if w.rules.full(w.target) {
		w.wantsCut = true
		w.isCut = w.isCut || !w.o.CutByCaller
	}
	if w.isCut {
		w.endPartition(key)
	}
	w.rules.add(key)
	w.previous, w.hasPrevious = append(w.previous[:0], key...), true
}

// WantsCut reports whether the partition has as many entries as it should have. A table that has
// CutByCaller asks at the end of every data block, and ends its partition of the index there.
// As in RocksDB, it notices with the next key.
func (w *Writer) WantsCut() bool { return w.wantsCut }

// Cut ends a partition behind the keys that were added, with the given index key: at or after the
// last of them, and before the next one, as the index of data blocks has it. If the format has
// internal keys, it is one: a user key and 8 bytes. A table with CutByCaller calls Cut where its
// partition of the index ends, also behind the last key. It keeps nothing of the index key. Without
// partitions, and before the first key, it does nothing. Finish returns an error if the index key is
// out of order, or without CutByCaller.
func (w *Writer) Cut(separator []byte) {
	switch {
	case w.err != nil || !w.hasPrevious:
	case !w.o.CutByCaller:
		w.err = errors.New("filterblock: Cut requires CutByCaller")
	default:
		w.separator, w.isCut = append(w.separator[:0], separator...), true
		if user, err := w.o.Index.userKey(separator); err != nil {
			w.err = fmt.Errorf("filterblock: the index key %q must have a user key and %d bytes more", separator, sequenceBytes)
		} else if w.o.Compare(w.previous, user) > 0 {
			w.err = fmt.Errorf("filterblock: the index key %q must not be before the last key, %q", separator, w.previous)
		}
	}
}

// endPartition ends one in front of a key.
func (w *Writer) endPartition(next []byte) {
	if w.o.CutByCaller {
		user, _ := w.o.Index.userKey(w.separator)
		if w.o.Compare(user, next) >= 0 && w.o.Compare(w.previous, next) != 0 {
			w.err = fmt.Errorf("filterblock: the key %q must be after the index key %q before it", next, w.separator)
			return
		}
	}
	w.rules.beforeCut(next)
	w.store()
	w.rules.afterCut(w.previous)
	w.isCut, w.wantsCut = false, false
}

// store builds the partition of the keys before, and stores it.
func (w *Writer) store() {
	if w.err != nil || w.entries.n == 0 {
		return
	}
	partition, err := w.entries.finish()
	if err != nil {
		w.err = err
		return
	}
	h, err := w.o.Store(partition)
	if err != nil {
		w.err = fmt.Errorf("filterblock: storing a partition: %w", err)
		return
	}
	switch {
	case w.isCut && w.o.CutByCaller:
		w.index.Add(w.separator, h)
	case w.o.Index.InternalKeys:
		w.separator = append(append(w.separator[:0], w.previous...), make([]byte, sequenceBytes)...)
		w.index.Add(w.separator, h)
	default:
		w.index.Add(w.previous, h)
	}
}

// Finish returns the filter block: the filter or, with partitions, their index, once it has passed
// the last partition to Store. Either is empty if nothing was added: RocksDB's tables have no
// filter block then. The block belongs to the caller.
//
// The error is the first of Store, of the builder ([simdbloom.ErrTooLarge],
// [simdbloom.ErrVerification]), or reports that keys or index keys were not in order. The writer is empty then, too,
// and ready for the next block.
func (w *Writer) Finish() ([]byte, error) {
	defer w.Reset()
	if w.target == 0 {
		return w.entries.finish()
	}
	w.store()
	if w.err != nil {
		return nil, w.err
	}
	return w.index.Finish(), nil
}

// Reset drops all keys. The caller drops what Store has stored.
func (w *Writer) Reset() {
	w.entries.reset()
	w.rules.reset()
	if w.index != nil {
		w.index.Finish()
	}
	w.hasPrevious, w.wantsCut, w.isCut, w.err = false, false, false, nil
}
