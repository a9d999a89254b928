package arrow_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
)

const (
	footerKey = "0123456789012345"
	columnKey = "1234567890123450"
)

// encrypted returns a file that arrow-go writes, with 1000 values in each column of two row groups, and filters of "a"
// and, if asked, of "b". It panics itself on filters of columns that have a key of their own.
func encrypted(t *testing.T, ofB bool, options ...arrowparquet.EncryptOption) []byte {
	t.Helper()
	root, err := schema.NewGroupNode("schema", arrowparquet.Repetitions.Required, schema.FieldList{
		schema.NewInt64Node("a", arrowparquet.Repetitions.Required, -1), schema.NewInt64Node("b", arrowparquet.Repetitions.Required, -1),
	}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(arrowparquet.NewWriterProperties(
		arrowparquet.WithBloomFilterEnabledFor("a", true), arrowparquet.WithBloomFilterEnabledFor("b", ofB), arrowparquet.WithBloomFilterNDV(1000), arrowparquet.WithBloomFilterFPP(0.0001),
		arrowparquet.WithEncryptionProperties(arrowparquet.NewFileEncryptionProperties(footerKey, options...)))))
	for g := range int64(2) {
		group, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			c, err := group.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			values := make([]int64, 1000)
			for i := range values {
				values[i] = 1000*g + int64(i)
			}
			if _, err := c.(*file.Int64ColumnChunkWriter).WriteBatch(values, nil, nil); err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := group.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestEncrypted: an encrypted footer is an error that says so, and with a plain one, row groups of encrypted columns
// may have any value.
func TestEncrypted(t *testing.T) {
	ofB := func() arrowparquet.EncryptOption {
		return arrowparquet.WithEncryptedColumns(arrowparquet.ColumnPathToEncryptionPropsMap{
			"b": arrowparquet.NewColumnEncryptionProperties("b", arrowparquet.WithKey(columnKey), arrowparquet.WithKeyID("kc")),
		})
	}
	keys := arrowparquet.NewReaderProperties(nil)
	decryption := func() *arrowparquet.FileDecryptionProperties {
		return arrowparquet.NewFileDecryptionProperties(arrowparquet.WithFooterKey(footerKey), arrowparquet.WithColumnKeys(arrowparquet.ColumnPathToDecryptionPropsMap{
			"b": arrowparquet.NewColumnDecryptionProperties("b", arrowparquet.WithDecryptKey(columnKey)),
		}))
	}
	for name, c := range map[string]struct {
		options []arrowparquet.EncryptOption
		footer  bool // is encrypted
		plain   bool // column "a" is
	}{
		"footer, all columns": {nil, true, false},
		"footer, a column":    {[]arrowparquet.EncryptOption{ofB()}, true, true},
		"plain, all columns":  {[]arrowparquet.EncryptOption{arrowparquet.WithPlaintextFooter()}, false, false},
		"plain, a column":     {[]arrowparquet.EncryptOption{arrowparquet.WithPlaintextFooter(), ofB()}, false, true},
		"plain, CTR":          {[]arrowparquet.EncryptOption{arrowparquet.WithPlaintextFooter(), arrowparquet.WithAlg(arrowparquet.AesCtr), ofB()}, false, true},
	} {
		data := encrypted(t, !c.plain, c.options...)
		f, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
		files := map[string]*parquet.File{"parquet": f}
		if c.footer {
			if err == nil || !strings.Contains(err.Error(), "encrypted") {
				t.Errorf("%s: %v", name, err)
			}
			delete(files, "parquet")
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		keys.FileDecryptProps = decryption()
		r, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(keys))
		if err != nil {
			t.Errorf("%s: arrow-go: %v", name, err)
		} else if files["arrow"], err = arrow.Open(bytes.NewReader(data), int64(len(data)), r.MetaData()); err != nil {
			t.Errorf("%s: arrow: %v", name, err)
			delete(files, "arrow")
		}
		for by, f := range files {
			for _, column := range []string{"a", "b"} {
				for value, want := range map[int64][]int{7: {0}, 1007: {1}, 1 << 40: {}} {
					if column == "b" || !c.plain {
						want = []int{0, 1}
					}
					if got, err := parquet.Prune(f, column, []int64{value}); err != nil || !slices.Equal(got, want) {
						t.Errorf("%s, by %s, %s=%d: %v, %v, want %v", name, by, column, value, got, err, want)
					}
				}
			}
		}
		filter, err := parquet.NewFilter(parquet.AppendHashes(nil, []int64{1}), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		added := parquet.Filters{"a": {filter, filter}}
		if err := parquet.WriteWithFilters(io.Discard, bytes.NewReader(data), int64(len(data)), added); err == nil || !strings.Contains(err.Error(), "encrypted") {
			t.Errorf("%s, adding filters: %v", name, err)
		}
	}
}
