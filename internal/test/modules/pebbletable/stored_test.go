package pebbletable_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	pebblebloom "github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/simdbloom/simdbloom/internal/test/modules/pebbletable"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

var update = flag.Bool("update", false, "write the tables of table/testdata/pebble again")

// TestStoredTables: what Pebble writes is in table/testdata/pebble, where the tests of
// "simdbloom sst" find it.
func TestStoredTables(t *testing.T) {
	parse := func(name, recorded string) pebble.FilterPolicy {
		p, err := policy.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if recorded == "" {
			recorded = p.Name()
		}
		return pebbletable.Policy{Policy: p, Recorded: recorded}
	}
	for _, c := range []struct {
		name      string
		format    sstable.TableFormat
		filter    pebble.FilterPolicy
		unchecked bool // without checksums, but for the footer's own
	}{
		{"1-none", sstable.TableFormatPebblev1, nil, false},
		{"2-builtin", sstable.TableFormatPebblev2, pebblebloom.FilterPolicy(10), false},
		{"3-fastlocal", sstable.TableFormatPebblev3, parse("simdbloom.FastLocal:10", ""), false},
		{"4-paired", sstable.TableFormatPebblev4, parse("simdbloom.Paired128.XX64:23.4", ""), false}, // of any number of keys, once
		{"4-paired-few", sstable.TableFormatPebblev4, parse("simdbloom.Paired:23.4", ""), false},
		{"4-unchecked", sstable.TableFormatPebblev4, parse("simdbloom.Linear:20", ""), true},
		{"5-fastlocal-xxph3", sstable.TableFormatPebblev5, parse("rocksdb.BloomFilter:15.5", ""), false},
		{"6-paired32-xxph3", sstable.TableFormatPebblev6, parse("speedb.PairedBloomFilter:20", ""), false},
		{"7-builtin", sstable.TableFormatPebblev7, pebblebloom.FilterPolicy(20), false},
		{"7-linear", sstable.TableFormatPebblev7, parse("simdbloom.Linear:20", ""), false},
		{"7-ribbon", sstable.TableFormatPebblev7, parse("ribbonfilter:10", ""), false},
		{"7-unchecked", sstable.TableFormatPebblev7, parse("simdbloom.Linear:20", ""), true},
		{"7-unknown", sstable.TableFormatPebblev7, parse("simdbloom.FastLocal:10", "somebody's.own"), false},
		{"7-always", sstable.TableFormatPebblev7, parse("simdbloom.FastLocal:0", ""), false},
		{"as-rocksdb-2", sstable.TableFormatRocksDBv2, pebblebloom.FilterPolicy(10), false},
		{"as-speedb", sstable.TableFormatRocksDBv2, parse("speedb.PairedBloomFilter:23.4", "speedb_paired_bloom_filter"), false},
		{"as-speedb-2.1", sstable.TableFormatRocksDBv2, speedb21{parse("speedb.PairedBloomFilter:23.4", "speedb_paired_bloom_filter")}, false},
		{"as-rocksdb-0", sstable.TableFormatLevelDB, pebblebloom.FilterPolicy(10), false},
	} {
		written := pebbleTable(t, sstable.WriterOptions{TableFormat: c.format, FilterPolicy: c.filter, Compression: block.NoCompression}, 200)
		if c.unchecked {
			removeChecksums(t, written)
		}
		file := filepath.Join("..", "..", "..", "..", "table", "testdata", "pebble", c.name+".sst")
		if *update {
			if err := os.WriteFile(file, written, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if stored, err := os.ReadFile(file); err != nil || !bytes.Equal(stored, written) {
			t.Errorf("%s is not what Pebble writes (-update writes it again): %v", file, err)
		}
	}
}

// speedb21 builds the filters of Speedb 2.1: two batches of 128 blocks.
type speedb21 struct{ pebble.FilterPolicy }

func (speedb21) NewWriter(pebble.FilterType) pebble.FilterWriter { return new(speedb21Writer) }

type speedb21Writer struct{ hashes []uint64 }

func (w *speedb21Writer) AddKey(key []byte) { w.hashes = append(w.hashes, keyhash.XXPH3.Sum64(key)) }

func (w *speedb21Writer) Finish(dst []byte) []byte {
	data := naive.PairedOf(2, w.hashes, 16, 128)
	data[len(data)-2] = 0 // the trailer of later versions
	return append(dst, data...)
}

// removeChecksums takes the checksums of a table's filter, properties and metaindex away.
func removeChecksums(t *testing.T, data []byte) {
	t.Helper()
	layout, err := pebbletable.Layout(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range append(layout.Filter, sstable.NamedBlockHandle{Handle: layout.Properties}, sstable.NamedBlockHandle{Handle: layout.MetaIndex}) {
		clear(data[h.Offset+h.Length+1:][:4])
	}
	footer := data[layout.Footer.Offset:][:layout.Footer.Length]
	footer[0] = 0          // the kind of checksum
	if len(footer) == 61 { // of version 7: its own checksum is masked as a block's
		castagnoli, at := crc32.MakeTable(crc32.Castagnoli), len(footer)-16
		crc := crc32.Update(crc32.Checksum(footer[:at], castagnoli), castagnoli, footer[at+4:])
		binary.LittleEndian.PutUint32(footer[at:], (crc>>15|crc<<17)+0xa282ead8)
	}
}
