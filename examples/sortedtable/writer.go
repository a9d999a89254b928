package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// blockBytes is how large data blocks and partitions are meant to be: what one read of a disk gives.
const blockBytes = 4096

// writer writes a table. What it keeps is a data block, the hashes of one partition, and the two indexes.
type writer struct {
	blocks     blockWriter
	filter     *filterblock.Writer
	index      *filterblock.IndexWriter // an index of data blocks is like one of partitions
	properties properties

	block []byte // the data block to be written next
	last  []byte // the key that was added last, if there are rows
	rows  int
}

// newWriter returns a writer of a table with a partitioned filter. o gives the entries of the filter, and
// for which level: Builder is policy.WithLevel(0), say. An engine has a policy for each level, or one policy that
// goes by the level, such as "ribbonfilter:10:2".
func newWriter(out io.Writer, p *policy.Policy, o filterblock.Options) (*writer, error) {
	w := &writer{
		blocks:     blockWriter{out: out},
		index:      filterblock.NewIndexWriter(o.Index),
		properties: properties{p.Name(), o.Prefix.Name(), o.WholeKeys},
	}
	o.Store = w.blocks.write
	if o.PartitionBytes == 0 {
		o.PartitionBytes = blockBytes
	}
	var err error
	if w.filter, err = filterblock.NewWriter(p, o); err != nil {
		return nil, err
	}
	return w, nil
}

// add adds the next row, whose key is greater than the one before.
func (w *writer) add(key, value []byte) error {
	if w.rows > 0 && bytes.Compare(w.last, key) >= 0 {
		return fmt.Errorf("the key %q is not greater than %q before it", key, w.last)
	}
	if len(w.block) >= blockBytes {
		if err := w.endBlock(); err != nil {
			return err
		}
	}
	w.block = appendRow(w.block, key, value)
	w.filter.Add(key) // may store a partition; finish returns the error
	w.last = append(w.last[:0], key...)
	w.rows++
	return nil
}

// endBlock writes a data block. Its index key is the last key; an engine writes a shorter one that sorts before the
// next key.
func (w *writer) endBlock() error {
	if len(w.block) == 0 {
		return nil
	}
	h, err := w.blocks.write(w.block)
	if err != nil {
		return err
	}
	w.index.Add(w.last, h)
	w.block = w.block[:0]
	return nil
}

// finish writes the rest. The caller syncs the file before anything refers to it.
func (w *writer) finish() error {
	if err := w.endBlock(); err != nil {
		return err
	}
	partitions, err := w.filter.Finish()
	if err != nil {
		return err
	}
	var f footer
	if f.filter, err = w.blocks.write(partitions); err != nil {
		return err
	}
	if f.index, err = w.blocks.write(w.index.Finish()); err != nil {
		return err
	}
	if f.properties, err = w.blocks.write(w.properties.block()); err != nil {
		return err
	}
	if _, err = w.blocks.out.Write(f.append(nil, w.blocks.offset)); err != nil {
		return fmt.Errorf("writing the footer: %w", err)
	}
	return nil
}
