package table

import (
	"bytes"
	"errors"

	"github.com/simdbloom/simdbloom"
)

// globalSeqno is the property that RocksDB's IngestExternalFile overwrites in a finished file (with
// IngestExternalFileOptions::write_global_seqno): 8 bytes, which were zero when the block's checksum was
// computed.
const globalSeqno = "rocksdb.external_sst_file.global_seqno"

// readProperties is read of the properties block. If the checksum is wrong, it is compared again with
// the value of globalSeqno zeroed, as in RocksDB (ReadTablePropertiesHelper in table/meta_blocks.cc).
func (b *blocks) readProperties(h handle) ([]byte, compression, error) {
	what := blockName{kind: kindProperties}
	data, err := b.readStored(h, what)
	if err != nil {
		return nil, 0, err
	}
	if err = b.verify(data, h, what); errors.Is(err, simdbloom.ErrCorrupt) && b.format.Database == databaseRocksDB {
		if zeroed, ok := beforeIngestion(data); ok && b.verify(zeroed, h, what) == nil {
			err = nil
		}
	}
	if err != nil {
		return nil, 0, err
	}
	block, compressed := withoutTrailer(data)
	return block, compressed, nil
}

// beforeIngestion returns a properties block, and its trailer, as they were before a sequence number was
// written.
func beforeIngestion(data []byte) (zeroed []byte, ok bool) {
	zeroed = bytes.Clone(data)
	block, _ := withoutTrailer(zeroed)
	r, err := newRows(block)
	for err == nil && r.more() {
		var value []byte // a part of zeroed
		if value, err = r.next(); err == nil && string(r.key) == globalSeqno && len(value) == 8 {
			clear(value)
			return zeroed, true
		}
	}
	return nil, false
}
