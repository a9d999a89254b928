package redisbloom

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"

	"github.com/simdbloom/simdbloom"
)

// Verify finds contradictions, since a dump has no checksum: the number of probes must follow from the rate, the links'
// keys must add up to the filter's, and no more bits may be set than the keys can have set. It reads the whole filter.
// The error wraps [simdbloom.ErrCorrupt]. Most flipped bits of the header are found, and few others.
//
// RedisBloom refuses to load most of such filters. It dumps none, unless keys were added during a dump.
func (f *Filter) Verify() error {
	corrupt := func(format string, values ...any) error {
		return fmt.Errorf("redisbloom: %w: %s", simdbloom.ErrCorrupt, fmt.Sprintf(format, values...))
	}
	defer runtime.KeepAlive(f)
	keys := uint64(0)
	for i := range f.links {
		l := &f.links[i]
		keys += l.Keys
		if !l.isPlausible() {
			return corrupt("link %d has %d probes and %v bits a key, which are not those of a rate of %v", i, l.Probes, l.perKey, l.FPR)
		}
		if high, most := bits.Mul64(l.Keys, uint64(l.Probes)); high == 0 {
			if ones := l.array.Ones(); ones > most {
				return corrupt("link %d has %d bits set, more than %d keys can set", i, ones, l.Keys)
			}
		}
	}
	if keys != f.keys {
		return corrupt("the links have %d keys, and the filter %d", keys, f.keys)
	}
	return nil
}

// isPlausible reports whether the number of probes follows from the bits per key, and these from the rate.
// RedisBloom has these digits of ln 2 and its square. Logarithms differ in their last bits.
func (l *link) isPlausible() bool {
	const ln2, square = 0.693147180559945, 0.480453013918201
	want := -math.Log2(l.FPR) * math.Ln2 / square // math.Log is wrong below 2^-1022
	return math.Abs(l.perKey-want) <= want*1e-9 && l.Probes == int(math.Ceil(ln2*l.perKey))
}
