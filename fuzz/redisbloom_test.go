package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/redisbloom"
)

// FuzzOpenRedisBloom has any bytes as a dump of RedisBloom.
func FuzzOpenRedisBloom(f *testing.F) {
	add := func(options uint32, size, bits uint64, n2 byte, body ...byte) {
		dump := binary.LittleEndian.AppendUint64(nil, 1)
		for _, x := range []uint32{1, options, 2} {
			dump = binary.LittleEndian.AppendUint32(dump, x)
		}
		for _, x := range []uint64{size, bits, 1, math.Float64bits(0.01), math.Float64bits(9.585)} {
			dump = binary.LittleEndian.AppendUint64(dump, x)
		}
		dump = binary.LittleEndian.AppendUint32(dump, 7)
		dump = binary.LittleEndian.AppendUint64(dump, 1)
		f.Add(append(append(dump, n2), body...), queries)
	}
	f.Add([]byte{}, queries)
	for _, options := range []uint32{0, 1, 4, 5, 13, 99} {
		add(options, 8, 64, 0, 1, 2, 3, 255, 255, 255, 7, 8)
		add(options, 8, 64, 6, 1, 2, 3, 255, 255, 255, 7, 8)
		add(options, 8, 59, 0, 255, 255, 255, 255, 255, 255, 255, 255)
		add(options, 1<<63, 0, 40, 1)
	}
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		keys := bytes.SplitAfterN(queried, []byte{' '}, 70)
		hits := make([]bool, len(keys))
		testmem.BesideGuards(t, data, func(data []byte) {
			filter, err := redisbloom.Open(data)
			if err != nil {
				if !errors.Is(err, simdbloom.ErrCorrupt) || !redisbloom.MayContain(data, queried) {
					t.Fatal(err)
				}
				return
			}
			filter.ContainsKeys(keys, hits)
			for i, key := range keys {
				if hits[i] != filter.Contains(key) || hits[i] != redisbloom.MayContain(data, key) {
					t.Fatalf("key %x: not %v", key, hits[i])
				}
			}
			if err := filter.Verify(); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatal(err)
			}
			if rate := filter.EstimatedFPR(); !(rate >= 0 && rate <= 1) {
				t.Fatalf("rate %v", rate)
			}
		})
	})
}
