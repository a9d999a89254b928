package table

import (
	"bytes"
	"encoding/binary"
)

// columns is a columnar block of keys and values in turn, as Pebble writes it
// (sstable/colblk). internal/test/modules compares what Pebble itself writes with what is read.
func columns(pairs ...[]byte) []byte {
	const count = 2
	var found [count][][]byte
	for i, text := range pairs {
		found[i%count] = append(found[i%count], text)
	}
	block := binary.LittleEndian.AppendUint16([]byte{columnsVersion}, count)
	block = binary.LittleEndian.AppendUint32(block, uint32(len(found[0])))
	headers := len(block)
	block = append(block, make([]byte, count*columnHeaderBytes)...)
	for i, texts := range found {
		header := block[headers+i*columnHeaderBytes:]
		header[0] = columnOfBytes
		binary.LittleEndian.PutUint32(header[1:], uint32(len(block)))
		block = appendColumn(block, texts)
	}
	return append(block, 0)
}

// appendColumn appends the offsets of the texts, in as few bytes as hold the last one, and the
// texts.
func appendColumn(block []byte, texts [][]byte) []byte {
	if len(texts) == 0 {
		return block
	}
	data := bytes.Join(texts, nil)
	width := 0
	for _, w := range []int{4, 2, 1} {
		if len(data) > 0 && len(data) < 1<<(8*w) {
			width = w
		}
	}
	block = append(block, byte(width))
	for width > 0 && len(block)%width != 0 {
		block = append(block, 0)
	}
	offset := 0
	for i := range len(texts) + 1 {
		encoded := binary.LittleEndian.AppendUint32(nil, uint32(offset))
		block = append(block, encoded[:width]...)
		if i < len(texts) {
			offset += len(texts[i])
		}
	}
	return append(block, data...)
}
