package leveldb_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// build returns the filter of keys, with the format's own hash or another one.
func build(t testing.TB, bitsPerKey float64, keys [][]byte, hash keyhash.Hash, options ...simdbloom.Option) []byte {
	t.Helper()
	b := contract.LevelDB.With(hash).Builder(t, bitsPerKey, options...)
	b.AddKeys(keys)
	if b.Len() != len(keys) {
		t.Fatalf("%d of %d keys", b.Len(), len(keys))
	}
	return contract.LevelDB.Finish(t, b)
}

func open(t testing.TB, data []byte) *simdbloom.Filter { return contract.LevelDB.Opened(t, data) }

func TestLevelDBsFilters(t *testing.T) {
	absent := make(map[string][][]byte) // by their encoding
	for _, v := range vectors.LevelDBKeys() {
		data := build(t, v.BitsPerKey, vectors.Keys(v.Keys, 0, v.N), keyhash.Hash{})
		sum := sha256.Sum256(data)
		if len(data) != v.TotalLen || !bytes.Equal(sum[:], v.SHA256) || v.Bytes != nil && !bytes.Equal(data, v.Bytes) {
			t.Errorf("%d %s keys, %v bits per key: other bytes", v.N, v.Keys, v.BitsPerKey)
			continue
		}
		f := open(t, data)
		if f.NumProbes() != v.NumProbes || f.SizeBytes() != v.TotalLen || !bytes.Equal(f.Bytes(), data) {
			t.Errorf("%d %s keys, %v bits per key: %d probes in %d bytes", v.N, v.Keys, v.BitsPerKey, f.NumProbes(), f.SizeBytes())
		}
		if absent[v.Keys] == nil {
			absent[v.Keys] = vectors.Keys(v.Keys, vectors.FirstNegativeKey, vectors.FirstNegativeKey+vectors.Negatives)
		}
		hits := make([]bool, vectors.Negatives)
		f.ContainsKeys(absent[v.Keys], hits)
		if err := v.CheckAnswers(hits); err != nil {
			t.Errorf("%d %s keys, %v bits per key: %v", v.N, v.Keys, v.BitsPerKey, err)
		}
		for _, key := range vectors.Keys(v.Keys, 0, min(v.N, 2000)) {
			if !f.Contains(key) || !leveldb.MayContain(data, key) {
				t.Fatalf("%d %s keys, %v bits per key: %x is missing", v.N, v.Keys, v.BitsPerKey, key)
			}
		}
	}
}

// TestLevelDBsReader has LevelDB's answers for odd bytes. For a single byte alone they differ:
// a filter that was cut off is no reason to say no.
func TestLevelDBsReader(t *testing.T) {
	keys := vectors.Keys("user8", 0, 256)
	for _, v := range vectors.LevelDBReader() {
		data := v.Data()
		hits, stateless := make([]bool, len(keys)), make([]bool, len(keys))
		for i, key := range keys {
			stateless[i] = leveldb.MayContain(data, key)
		}
		f, err := leveldb.Open(data, keyhash.Hash{})
		if len(data) == 1 {
			if !errors.Is(err, simdbloom.ErrCorrupt) || !stateless[0] {
				t.Errorf("a single byte: %v, MayContain %v", err, stateless[0])
			}
			continue
		}
		if err != nil {
			t.Errorf("%d bytes, k=%d: %v", v.BodyLen, v.K, err)
			continue
		}
		f.ContainsKeys(keys, hits)
		if err := errors.Join(v.CheckAnswers(hits), v.CheckAnswers(stateless)); err != nil {
			t.Errorf("%d bytes %s, k=%d: %v", v.BodyLen, v.BodyFill, v.K, err)
		}
	}
}

func TestLevelDBsBlocks(t *testing.T) {
	queries, rocksDBs := 0, 0
	for _, v := range vectors.LevelDBBlocks() {
		hash := keyhash.Hash{} // LevelDB's
		if v.Writer == "rocksdb" {
			rocksDBs++
			hash = keyhash.RocksDB32
		}
		b := levelblock.New(float64(v.BitsPerKey), 11, hash)
		for range 2 { // a builder is empty again
			addSteps(b, v)
			size := b.SizeBytes()
			data := b.Finish()
			sum := sha256.Sum256(data)
			if !bytes.Equal(sum[:], v.SHA256) || v.Bytes != nil && !bytes.Equal(data, v.Bytes) || size != len(data) || b.Len() != 0 {
				t.Fatalf("%s, %v bits per key, %s keys, prefix %d, steps %v: %x, want %x", v.Writer, v.BitsPerKey, v.Keys, v.Prefix, v.Steps, data, []byte(v.Bytes))
			}
			checkBlock(t, v, data, hash)
		}
		queries += len(v.Queries)
	}
	if queries < 1000 || rocksDBs < 100 {
		t.Errorf("only %d queries, and %d blocks of RocksDB", queries, rocksDBs)
	}
}

// addSteps adds the keys of data blocks, and before a key its prefix, unless that was the last one
// in the same filter, as RocksDB's block-based filter does. An empty prefix is as none.
func addSteps(b *levelblock.Builder, v vectors.FilterBlock) {
	var last []byte
	filter := uint64(0)
	for _, step := range v.Steps {
		b.StartBlock(step.Offset)
		if next := step.Offset >> 11; next != filter {
			filter, last = next, nil
		}
		for _, key := range vectors.Keys(v.Keys, step.From, step.From+step.Count) {
			if prefix, ok := v.PrefixOf(key); ok && v.Prefix != 0 && (len(last) == 0 || !bytes.Equal(prefix, last)) {
				b.Add(prefix)
				last = prefix
			}
			if v.WholeKey || v.Writer == "leveldb" {
				b.Add(key)
			}
		}
	}
}

func checkBlock(t *testing.T, v vectors.FilterBlock, data []byte, hash keyhash.Hash) {
	t.Helper()
	block, err := leveldb.OpenBlock(data, hash)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range v.Queries {
		key, want := vectors.Keys(v.Keys, q.Key, q.Key+1)[0], q.Answer == 1
		if block.MayContain(q.Offset, key) != want {
			t.Fatalf("%v bits per key, %s keys, steps %v: key %d at %d: not %v", v.BitsPerKey, v.Keys, v.Steps, q.Key, q.Offset, want)
		}
	}
	for _, step := range v.Steps {
		for _, key := range vectors.Keys(v.Keys, step.From, step.From+step.Count) {
			prefix, ok := v.PrefixOf(key)
			if (v.WholeKey || v.Writer == "leveldb") && !block.MayContain(step.Offset, key) ||
				v.Prefix != 0 && ok && !block.MayContain(step.Offset, prefix) {
				t.Fatalf("%s, steps %v: key %x of the block at %d is missing", v.Writer, v.Steps, key, step.Offset)
			}
		}
	}
}
