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

// TestVerify: all formats and compressions, with blocks of all sizes, indexes of one and of two levels, deletions of
// ranges, and keys with versions.
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
				if err != nil || len(v.Problems) > 0 || v.NotVerified != "" || v.Entries != keys/versions*(1+2+3) || v.Keys < keys || (v.Blocks > 100) != (blockSize <= 300) {
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

// TestSplitUnrecorded: the formats of LevelDB and RocksDB do not record that the filter lacks versions. Keys without
// their versions are found, and a "no" for one with its version has a reason. Verify uses Split, or says that it is
// unknown.
func TestSplitUnrecorded(t *testing.T) {
	const keys = 300
	comparer := withVersions()
	for format := sstable.TableFormatLevelDB; format <= sstable.TableFormatPebblev4; format++ {
		for _, comparer := range []*pebble.Comparer{comparer, pebble.DefaultComparer} {
			memory := vfs.NewMem()
			file, err := memory.Create("table", vfs.WriteCategoryUnspecified)
			if err != nil {
				t.Fatal(err)
			}
			w := sstable.NewWriter(objstorageprovider.NewFileWritable(file), sstable.WriterOptions{
				TableFormat: format, Comparer: comparer, FilterPolicy: own(policy.FastLocal(12)), BlockSize: 300,
			})
			for i := range keys {
				for version := range 2 {
					if err := w.Set(fmt.Appendf(nil, "key%05d@%d", i, version), nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if file, err = memory.Open("table"); err != nil {
				t.Fatal(err)
			}
			info, err := file.Stat()
			if err != nil {
				t.Fatal(err)
			}
			read, err := table.Open(file, info.Size())
			if err != nil {
				t.Fatal(err)
			}
			splits := comparer != pebble.DefaultComparer
			for i := range keys {
				answers, err := read.Answers([]table.Query{
					{Key: fmt.Appendf(nil, "key%05d", i)}, {Key: fmt.Appendf(nil, "key%05d@1", i)}, {Key: fmt.Appendf(nil, "absent%05d", i)},
				})
				if err != nil {
					t.Fatal(err)
				}
				for j, a := range answers {
					if present := j == 0 && splits || j == 1 && !splits; present && !a.MayContain || !a.MayContain && (a.Why != "") != splits {
						t.Fatalf("%v, %s: key %d, %d: %+v", format, comparer.Name, i, j, a)
					}
				}
			}
			v, err := read.Verify(context.Background(), table.VerifyOptions{})
			if err != nil || len(v.Problems) > 0 || splits != (v.NotVerified != "") || splits != (v.Keys == 0) {
				t.Errorf("%v, %s: %+v, %v", format, comparer.Name, v, err)
			}
			v, err = read.Verify(context.Background(), table.VerifyOptions{Split: comparer.Split})
			if err != nil || len(v.Problems) > 0 || v.NotVerified != "" || v.Keys < keys {
				t.Errorf("%v, %s, with Split: %+v, %v", format, comparer.Name, v, err)
			}
			// Another Split than the filter's: keys are missing.
			v, err = read.Verify(context.Background(), table.VerifyOptions{Split: func(key []byte) int { return len(key) - 1 }})
			if err != nil || v.Missing == 0 {
				t.Errorf("%v, %s, with another Split: %+v, %v", format, comparer.Name, v, err)
			}
		}
	}
}
