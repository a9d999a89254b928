package main

import (
	"math"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/redisbloom"
)

const redisKind = "RedisBloom dump"

// redisDump is a dump of RedisBloom in a file. It is queried by keys, since their hashes have 128 bits.
type redisDump struct{ *redisbloom.File }

func (*redisDump) Hash() keyhash.Hash { return keyhash.Hash{} }

func (*redisDump) Err() error { return nil }

// facts returns the facts of the header, and, if estimate is set, of the bits.
func (f *redisDump) facts(name string, estimate bool) *facts {
	links := f.Links()
	all := &facts{
		Name: name, Kind: redisKind, Format: "RedisBloom", Hash: "MurmurHash64A", Bytes: int64(f.SizeBytes()), Parts: 1, Layers: len(links),
		Keys: int64(min(f.Keys(), math.MaxInt64)), Probes: links[len(links)-1].Probes,
	}
	if f.HashBits() == 32 {
		all.Hash = "MurmurHash2"
	}
	bits, absent := 0.0, 1.0
	for _, l := range links {
		bits += float64(l.Bits)
		absent *= 1 - classicFPR(l.Keys, l.Bits, l.Probes)
		all.Capacity += min(l.Capacity, math.MaxUint64-all.Capacity)
		all.CapacityFPR += l.FPR
	}
	all.CapacityFPR = figures.SixDigits(all.CapacityFPR)
	if all.Keys > 0 {
		all.BitsPerKey = figures.SixDigits(bits / float64(all.Keys))
		all.PredictedFPR = figures.SixDigits(1 - absent)
	}
	if estimate {
		rate := figures.SixDigits(f.EstimatedFPR())
		all.EstimatedFPR = &rate
	}
	return all
}
