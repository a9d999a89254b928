package pebbletable_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	pebblebloom "github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/simdbloom/simdbloom/internal/test/modules/pebbletable"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
)

// pebblePolicies has nil for no filter.
var pebblePolicies = []pebble.FilterPolicy{
	nil, pebblebloom.FilterPolicy(10), own(policy.FastLocal(12)), own(policy.Paired(23.4)),
}

func own(p *policy.Policy) pebble.FilterPolicy {
	return pebbletable.Policy{Policy: p, Recorded: p.Name()}
}

// TestPebbleTables compares what is read with what Pebble itself reads.
func TestPebbleTables(t *testing.T) {
	seen := make(map[byte]bool) // how properties are compressed
	for format := sstable.TableFormatPebblev1; format <= sstable.TableFormatMax; format++ {
		for _, filter := range pebblePolicies {
			for _, compression := range []*block.CompressionProfile{
				block.NoCompression, block.SnappyCompression, block.ZstdCompression, block.MinLZCompression,
			} {
				name := "none"
				if filter != nil {
					name = filter.Name()
				}
				t.Run(fmt.Sprintf("%v/%s/%s", format, name, compression.Name), func(t *testing.T) {
					data := pebbleTable(t, sstable.WriterOptions{
						TableFormat: format, FilterPolicy: filter, Compression: compression,
					}, 2000)
					want := table.Format{Database: "Pebble", Version: int(format-sstable.TableFormatPebblev1) + 1, Checksum: "crc32c"}
					layout := compareWithPebble(t, data, want)
					seen[data[layout.Properties.Offset+layout.Properties.Length]] = true
				})
			}
		}
	}
	for _, indicator := range []block.CompressionIndicator{
		block.NoCompressionIndicator, block.SnappyCompressionIndicator, block.ZstdCompressionIndicator, block.MinLZCompressionIndicator,
	} {
		if !seen[byte(indicator)] {
			t.Errorf("no properties are compressed by %v", indicator)
		}
	}
}

// TestPebbleInRocksDBsFormats: Pebble wrote tables of RocksDB before it had its own,
// and so it still can.
func TestPebbleInRocksDBsFormats(t *testing.T) {
	for format, version := range map[sstable.TableFormat]int{sstable.TableFormatLevelDB: 0, sstable.TableFormatRocksDBv2: 2} {
		for checksum, want := range map[block.ChecksumType]string{
			block.ChecksumTypeCRC32c: "crc32c", block.ChecksumTypeXXHash64: "XXH64",
		} {
			if version == 0 && want != "crc32c" {
				continue
			}
			data := pebbleTable(t, sstable.WriterOptions{
				TableFormat: format, FilterPolicy: pebblebloom.FilterPolicy(10), Checksum: checksum,
			}, 500)
			compareWithPebble(t, data, table.Format{Database: "RocksDB", Version: version, Checksum: want})
		}
	}
}

// pebbleTable has Pebble write a table of the given number of keys.
func pebbleTable(t testing.TB, options sstable.WriterOptions, keys int) []byte {
	t.Helper()
	data, err := pebbletable.Write(options, keys)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func compareWithPebble(t *testing.T, data []byte, want table.Format) *sstable.Layout {
	t.Helper()
	reader, err := pebbletable.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	properties, err := reader.ReadPropertiesBlock(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := reader.Layout()
	if err != nil {
		t.Fatal(err)
	}

	got, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got.Format != want {
		t.Errorf("format %v, want %v", got.Format, want)
	}
	expected := got.Properties // with what is of RocksDB only, and not exported
	expected.NumEntries, expected.NumRangeDeletions, expected.FilterBytes = properties.NumEntries, properties.NumRangeDeletions, properties.FilterSize
	expected.FilterPolicy, expected.Comparator = properties.FilterPolicyName, properties.ComparerName
	expected.NumFilterEntries, expected.PrefixExtractor = 0, ""
	if got.Properties != expected {
		t.Errorf("properties %+v, want %+v", got.Properties, expected)
	}
	if got.NumFilters() != len(layout.Filter) {
		t.Fatalf("%d filters, want %d", got.NumFilters(), len(layout.Filter))
	}
	for filter, err := range got.Filters() {
		if err != nil {
			t.Fatal(err)
		}
		at := layout.Filter[0]
		if "fullfilter."+got.FilterName != at.Name || got.Layout != "full" {
			t.Errorf("filter %q, layout %v, want %q", got.FilterName, got.Layout, at.Name)
		}
		if !bytes.Equal(filter.Data, data[at.Offset:at.Offset+at.Length]) {
			t.Error("other filter")
		}
	}
	return layout
}
