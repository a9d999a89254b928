package main

import (
	"iter"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// levelDBFilter is package leveldb's filter, for hashes of 64 bits.
type levelDBFilter struct{ *leveldb.Filter }

func (f levelDBFilter) ContainsHash(hash uint64) bool { return f.Filter.ContainsHash(uint32(hash)) }

// CopyAligned is what policies do, whose filters all have it.
func (f levelDBFilter) CopyAligned() levelDBFilter {
	copied, err := leveldb.Open(aligned.Copy(f.Bytes()))
	if err != nil {
		panic(err) // the same bytes were opened before
	}
	return levelDBFilter{copied}
}

// newLevelDB returns package leveldb's filter.
func newLevelDB(s *settings) *own[levelDBFilter] { return newOwn(s, levelDBKind) }

var levelDBKind = kind[levelDBFilter]{
	title:      "leveldb",
	prefix:     "leveldb ",
	bitsPerKey: wholeBits,
	newBuilder: func(bitsPerKey float64, way building) (builder, error) {
		b, err := newLevelDBBuilder(bitsPerKey, way)
		return b, err
	},
	write: func(memory []byte, fill filling, hashes iter.Seq[[]uint64]) ([]byte, error) {
		b, err := newLevelDBBuilder(fill.bitsPerKey, building{})
		if err != nil {
			return nil, err
		}
		return b.write(memory, hashes)
	},
	open: func(data []byte, _ keyhash.Hash) (levelDBFilter, error) {
		f, err := leveldb.Open(data)
		return levelDBFilter{f}, err
	},
	chosen:    func(f levelDBFilter) chosen { return probes(f.NumProbes()) },
	smaller:   true,
	more:      1, // bytes are whole
	oneCPU:    true,
	pureGo:    true,
	bodyBytes: func(bytes int) int { return bytes - 1 },
	keyHash:   func(key []byte) uint64 { return uint64(leveldb.Hash(key)) },
	inPureGo: func(f levelDBFilter, body []byte) func(hash uint64) bool {
		modulus, probes := fallback.LevelDBModulus(body), f.NumProbes()
		return func(hash uint64) bool { return fallback.LevelDBContains(body, modulus, probes, uint32(hash)) }
	},
	batch: levelDBBatch, bits: levelDBBits, single: levelDBSingle, stateless: levelDBStateless, keys: levelDBKeys,
}

func newLevelDBBuilder(bitsPerKey float64, way building) (*wideBuilder, error) {
	var options []leveldb.Option
	if way.verification {
		options = append(options, leveldb.WithVerification())
	}
	b, err := leveldb.NewBuilder(bitsPerKey, options...)
	return &wideBuilder{narrowBuilder: b}, err
}

func levelDBBatch(f levelDBFilter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsHashes(q.narrow[from:to], q.bools[from:to])
	}
}

func levelDBBits(f levelDBFilter, q *queries) {
	words := q.words
	for from, to := range q.calls() {
		f.ContainsHashBits(q.narrow[from:to], words)
		words = words[wordsOf(to-from):]
	}
}

func levelDBSingle(f levelDBFilter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(f.Filter.ContainsHash(uint32(hash)))
	}
	return found
}

func levelDBStateless(data []byte, hashes []uint64) (found int) {
	for _, hash := range hashes {
		found += tables.One(leveldb.MayContainHash(data, uint32(hash)))
	}
	return found
}

func levelDBKeys(f levelDBFilter, q *queries) {
	for from, to := range q.calls() {
		f.ContainsKeys(q.keys[from:to], q.bools[from:to])
	}
}
