package arrow_test

import (
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
)

// TestCodecs: filters that are built from files of every codec, page version and encoding have every value.
func TestCodecs(t *testing.T) {
	codecs := []compress.Compression{
		compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Gzip, compress.Codecs.Brotli, compress.Codecs.Zstd, compress.Codecs.Lz4Raw,
	}
	for _, codec := range codecs {
		for _, version := range []arrowparquet.DataPageVersion{arrowparquet.DataPageV1, arrowparquet.DataPageV2} {
			for _, dictionary := range []bool{false, true} {
				data := written(t, false, arrowparquet.WithCompression(codec), arrowparquet.WithDataPageVersion(version),
					arrowparquet.WithDictionaryDefault(dictionary), arrowparquet.WithDataPageSize(4<<10))
				filters, err := arrow.Build(reader(t, data), 0.01, names...)
				if err != nil {
					t.Fatalf("%v, pages of version %v, dictionaries %v: %v", codec, version, dictionary, err)
				}
				for g := range rowGroups {
					from, to := rowsOf(g)
					for column, hashes := range map[string][]uint64{
						"id": parquet.AppendHashes(nil, collect(from, to, idOf)), "number": parquet.AppendHashes(nil, collect(from, to, numberOf)),
						"ratio": parquet.AppendHashes(nil, collect(from, to, ratioOf)), "small": parquet.AppendHashes(nil, collect(from, to, smallOf)),
						"fixed": parquet.AppendHashes(nil, collect(from, to, fixedOf)), "old": parquet.AppendHashes(nil, collect(from, to, oldOf)),
						"uuid": parquet.AppendHashes(nil, collect(from, to, uuidOf)), "price": parquet.AppendHashes(nil, collect(from, to, priceOf)),
					} {
						if n := len(filters[column][g].AppendHits(nil, hashes)); n != len(hashes) {
							t.Errorf("%v, pages of version %v, dictionaries %v, column %s, row group %d: %d of %d values", codec, version, dictionary, column, g, n, len(hashes))
						}
					}
					for i := from; i < to; i++ {
						if hash := parquet.AppendHashes(nil, []string{textOf(i)})[0]; !isNull(i) && !filters["text"][g].ContainsHash(hash) {
							t.Fatalf("%v, pages of version %v, dictionaries %v: text %d is missing", codec, version, dictionary, i)
						}
					}
				}
			}
		}
	}
}
