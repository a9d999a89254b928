package policy

import (
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// levelDB32 is the key hash of LevelDB's filters.
var levelDB32 = keyhash.New("LevelDB32", func(key []byte) uint64 { return uint64(leveldb.Hash(key)) })

// anywhere is the kind of package leveldb, whose keys have bits anywhere in a filter.
type anywhere struct{}

func (anywhere) newBuilder(bitsPerKey float64, _ keyhash.Hash, o builderOptions) (Builder, error) {
	if err := o.checkConcurrency(); err != nil {
		return nil, err
	}
	b, err := leveldb.NewBuilder(bitsPerKey, notConcurrent(o, leveldb.WithVerification, leveldb.WithMaxBytes)...)
	return widenedBuilder{b, b}, err
}

func (anywhere) predictedFPR(n int, bitsPerKey float64, o builderOptions) float64 {
	return leveldb.PredictedFPR(n, bitsPerKey, notConcurrent(o, leveldb.WithVerification, leveldb.WithMaxBytes)...)
}

func (anywhere) entriesFor(bytes int, bitsPerKey float64, _ builderOptions) int {
	return leveldb.EntriesFor(bytes, bitsPerKey)
}

func (a anywhere) open(data []byte, hash keyhash.Hash) (Filter, error) {
	f, err := leveldb.Open(data)
	if err != nil {
		return nil, err
	}
	return levelDBFilter(f, hash), nil
}

func levelDBFilter(f *leveldb.Filter, hash keyhash.Hash) Filter {
	return widened{f, f, hash, func() Filter {
		copied, err := leveldb.Open(aligned.Copy(f.Bytes()))
		if err != nil {
			panic("policy: " + err.Error()) // the same bytes were read before
		}
		return levelDBFilter(copied, hash)
	}}
}

func levelDBContainsHash(data []byte, hash uint64) bool {
	return leveldb.MayContainHash(data, uint32(hash))
}
