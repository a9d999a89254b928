package parquetgo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/simdbloom/simdbloom"
)

// chunkIn returns a column chunk whose pages parquet-go decodes rightly. That is not so for the file's own chunk where
// it is compressed by LZ4_RAW: parquet-go v0.32.0 can take other bytes than the decompressed ones (its issue 608). Nor
// where its codec is not that of the first row group, whose codec parquet-go assumes for all.
func chunkIn(f *parquetgo.File, rowGroup int, leaf *parquetgo.Column) (parquetgo.ColumnChunk, error) {
	m := &f.Metadata().RowGroups[rowGroup].Columns[leaf.Index()].MetaData
	if m.Codec != format.Lz4Raw && m.Codec == leaf.Compression().CompressionCodec() {
		return f.RowGroups()[rowGroup].ColumnChunks()[leaf.Index()], nil
	}
	return uncompressed(f, rowGroup, leaf.Index())
}

// protocol is that of all metadata.
var protocol thrift.CompactProtocol

// uncompressed returns a column chunk of a file in memory that has the same pages, and no compression.
func uncompressed(f *parquetgo.File, rowGroup, column int) (parquetgo.ColumnChunk, error) {
	metadata := *f.Metadata()
	group := metadata.RowGroups[rowGroup]
	group.Columns, group.Ordinal = slices.Clone(group.Columns), 0
	m := &group.Columns[column].MetaData
	from := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		from = min(from, m.DictionaryPageOffset)
	}
	if from < 0 || m.TotalCompressedSize < 0 || m.TotalCompressedSize > f.Size()-from {
		return nil, fmt.Errorf("pages of %d bytes at %d in a file of %d: %w", m.TotalCompressedSize, from, f.Size(), simdbloom.ErrCorrupt)
	}
	data := make([]byte, m.TotalCompressedSize)
	if _, err := f.ReadAt(data, from); err != nil {
		return nil, err
	}
	file := []byte("PAR1")
	m.DataPageOffset, m.DictionaryPageOffset = int64(len(file)), 0
	file, err := appendPages(file, data, parquetgo.LookupCompressionCodec(m.Codec))
	if err != nil {
		return nil, err
	}
	m.Codec, m.TotalCompressedSize = format.Uncompressed, int64(len(file))-m.DataPageOffset
	metadata.RowGroups, metadata.NumRows = []format.RowGroup{group}, group.NumRows
	footer, err := thrift.Marshal(&protocol, &metadata)
	if err != nil {
		return nil, err
	}
	file = binary.LittleEndian.AppendUint32(append(file, footer...), uint32(len(footer)))
	file = append(file, "PAR1"...)
	opened, err := parquetgo.OpenFile(bytes.NewReader(file), int64(len(file)), parquetgo.SkipBloomFilters(true), parquetgo.SkipPageIndex(true))
	if err != nil {
		return nil, err
	}
	return opened.RowGroups()[0].ColumnChunks()[column], nil
}

// appendPages appends pages with their headers, decompressed.
func appendPages(dst, pages []byte, codec compress.Codec) ([]byte, error) {
	for len(pages) > 0 {
		var header format.PageHeader
		r := protocol.NewReaderFromBytes(pages)
		if err := thrift.NewDecoder(r).Decode(&header); err != nil {
			return nil, err
		}
		pages = pages[r.BytesRead():]
		size := int(header.CompressedPageSize)
		if size < 0 || size > len(pages) {
			return nil, fmt.Errorf("a page of %d bytes, of which %d are there: %w", size, len(pages), simdbloom.ErrCorrupt)
		}
		page, err := decompressed(&header, pages[:size], codec)
		if err != nil {
			return nil, err
		}
		pages = pages[size:]
		header.CompressedPageSize, header.UncompressedPageSize, header.CRC = int32(len(page)), int32(len(page)), 0
		encoded, err := thrift.Marshal(&protocol, &header)
		if err != nil {
			return nil, err
		}
		dst = append(append(dst, encoded...), page...)
	}
	return dst, nil
}

// decompressed returns a page's bytes without compression.
func decompressed(header *format.PageHeader, page []byte, codec compress.Codec) ([]byte, error) {
	levels := 0 // bytes that are never compressed
	if header.Type == format.DataPageV2 {
		v2 := &header.DataPageHeaderV2.V
		if v2.IsCompressed.Valid && !v2.IsCompressed.V {
			return page, nil
		}
		definitions, repetitions := int64(v2.DefinitionLevelsByteLength), int64(v2.RepetitionLevelsByteLength)
		if definitions < 0 || repetitions < 0 || definitions+repetitions > int64(len(page)) {
			return nil, fmt.Errorf("levels of %d and %d bytes in a page of %d: %w", definitions, repetitions, len(page), simdbloom.ErrCorrupt)
		}
		levels = int(definitions + repetitions)
	}
	size := int(header.UncompressedPageSize) - levels
	var values []byte
	if compressed := page[levels:]; len(compressed) > 0 {
		var err error
		if values, err = decode(codec, compressed, size); err != nil {
			return nil, err
		}
	}
	if len(values) != size {
		return nil, fmt.Errorf("a page was decompressed to %d bytes, want %d: %w", len(values), size, simdbloom.ErrCorrupt)
	}
	return append(page[:levels:levels], values...), nil
}

// mostCompressed is the number of bytes that LZ4 compresses to at least one.
const mostCompressed = 255

// decode decompresses to the given number of bytes.
func decode(codec compress.Codec, data []byte, size int) ([]byte, error) {
	if codec.CompressionCodec() != format.Lz4Raw {
		return codec.Decode(nil, data)
	}
	// parquet-go's own never ends if the bytes are corrupt.
	if size < 0 || size/mostCompressed > len(data) {
		return nil, fmt.Errorf("a page of %d bytes, compressed to %d: %w", size, len(data), simdbloom.ErrCorrupt)
	}
	values := make([]byte, size)
	n, err := lz4.UncompressBlock(data, values)
	if err != nil {
		return nil, err
	}
	return values[:n], nil
}
