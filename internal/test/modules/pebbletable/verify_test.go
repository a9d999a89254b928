package pebbletable_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/sstable/colblk"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
)

// withVersions is a comparer of keys whose version begins with an at sign.
func withVersions() *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Name = "versions"
	c.Split = func(key []byte) int {
		if at := bytes.IndexByte(key, '@'); at >= 0 {
			return at
		}
		return len(key)
	}
	c.Compare = func(a, b []byte) int {
		i, j := c.Split(a), c.Split(b)
		if order := bytes.Compare(a[:i], b[:j]); order != 0 {
			return order
		}
		return bytes.Compare(a[i:], b[j:])
	}
	c.AbbreviatedKey = func([]byte) uint64 { return 0 }
	c.Separator = func(dst, a, _ []byte) []byte { return append(dst, a...) }
	c.Successor = func(dst, a []byte) []byte { return append(dst, a...) }
	c.ImmediateSuccessor = func(dst, prefix []byte) []byte { return append(append(dst, prefix...), 0) }
	return &c
}

// TestVerify: all formats and compressions, with blocks of all sizes, indexes of one and of two levels, deletions of ranges,
// and keys with versions.
func TestVerify(t *testing.T) {
	const keys, versions = 1500, 3
	comparer := withVersions()
	schema := colblk.DefaultKeySchema(comparer, 16)
	for format := sstable.TableFormatPebblev1; format <= sstable.TableFormatMax; format++ {
		for _, compression := range []*block.CompressionProfile{
			block.NoCompression, block.SnappyCompression, block.ZstdCompression, block.MinLZCompression,
		} {
			for _, blockSize := range []int{1, 300, 4 << 10, 1 << 20} {
				filters := policy.FastLocal(12)
				name := fmt.Sprintf("%v, %s, %d", format, compression.Name, blockSize)
				memory := vfs.NewMem()
				file, err := memory.Create("table", vfs.WriteCategoryUnspecified)
				if err != nil {
					t.Fatal(err)
				}
				w := sstable.NewWriter(objstorageprovider.NewFileWritable(file), sstable.WriterOptions{
					TableFormat: format, Comparer: comparer, KeySchema: &schema, FilterPolicy: own(filters), Compression: compression,
					BlockSize: blockSize, IndexBlockSize: 500,
				})
				for i := range keys {
					for version := range 1 + i%versions {
						key := fmt.Appendf(nil, "%skey%05d", strings.Repeat("long", i/300), i)
						if version > 0 {
							key = fmt.Appendf(key, "@%d", version)
						}
						if err := w.Set(key, []byte("a value")); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := w.DeleteRange([]byte("zebra"), []byte("zoo")); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				data := contentsOf(t, memory)
				read, err := table.Open(bytes.NewReader(data), int64(len(data)))
				if err != nil {
					t.Fatal(err)
				}
				v, err := read.Verify(context.Background(), table.VerifyOptions{Split: func(key []byte) int { return comparer.Split(key) }})
				if err != nil || !v.Sound() || v.NotVerified != "" || v.Entries != keys/versions*(1+2+3) || v.Keys < keys || (v.Blocks > 100) != (blockSize <= 300) {
					t.Errorf("%s: %+v, %v", name, v, err)
				}
			}
		}
	}
}

func contentsOf(t *testing.T, memory vfs.FS) []byte {
	t.Helper()
	file, err := memory.Open("table")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, info.Size())
	if _, err := file.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	return data
}
