package table

import (
	"bytes"
	"compress/flate"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestVerifyWithDictionaries has data that RocksDB's compressions take from a dictionary, of any bytes or trained.
func TestVerifyWithDictionaries(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	value := make([]byte, 300)
	random.Read(value)
	block := rowBlock(internal([]byte("key"), 1), value)
	var samples [][]byte
	for i := range 100 {
		samples = append(samples, fmt.Appendf(nil, "%d%s%d", i, value[i:], i))
	}
	trained, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 5, Contents: samples, History: block, Offsets: [3]int{1, 4, 8}})
	if err != nil || !bytes.HasPrefix(trained, trainedMagic) {
		t.Fatal(err)
	}
	of := func(n int) []byte { // the block behind n other bytes
		other := make([]byte, n)
		random.Read(other)
		return append(other, block...)
	}
	zstandard := func(option zstd.EOption) []byte {
		encoder, err := zstd.NewWriter(nil, option)
		if err != nil {
			t.Fatal(err)
		}
		defer encoder.Close()
		return encoder.EncodeAll(block, nil)
	}
	deflated := func(dictionary []byte) []byte {
		var packed bytes.Buffer
		w, _ := flate.NewWriterDict(&packed, flate.BestCompression, dictionary)
		w.Write(block)
		w.Close()
		return packed.Bytes()
	}
	// A copy of all but the last 5 bytes from the dictionary's end, and these.
	distance, more := len(block), len(block)-5-4-15
	lz4 := append([]byte{0x0f, byte(distance), byte(distance >> 8), 255, byte(more - 255), 0x50}, block[len(block)-5:]...)
	small, great := of(1000), of(100_000)
	for what, c := range map[string]struct {
		dictionary, compressed []byte
		by                     compression
	}{
		"Zstandard":          {small, zstandard(zstd.WithEncoderDictRaw(0, small)), compressedByZstd},
		"Zstandard, trained": {trained, zstandard(zstd.WithEncoderDict(trained)), compressedByZstd},
		"zlib":               {small, deflated(small), compressedByZlib},
		"LZ4":                {small, lz4, compressedByLZ4},
		"LZ4, far":           {great, lz4, compressedByLZ4HC},
	} {
		if len(c.compressed) > len(block)/2 {
			t.Errorf("%s: the dictionary is not used: %d bytes", what, len(c.compressed))
		}
		i := &image{format: rocksDB5}
		h := i.add(append(number(uint64(len(block))), c.compressed...), c.by)
		i.index = i.add(rowBlock(internal([]byte("key"), 1), encoded(h)), uncompressed)
		v := verified(t, opened(t, i.finish(rowBlock([]byte(dictionaryName), encoded(i.add(c.dictionary, uncompressed))))))
		if v.Entries != 1 || len(v.Problems) > 0 || v.Unread != 0 {
			t.Errorf("%s: %+v", what, v)
		}
	}
	if _, err := zstdFrame(zstandard(zstd.WithEncoderDict(trained)), 1000, trainedMagic); err == nil {
		t.Error("a dictionary that was cut short is no error")
	}
}
