package ranges

import (
	"fmt"
	"hash/maphash"
	"sync"
)

// versions are those of the files that were read, so that a replaced one is noticed. They need some tens of bytes for
// each.
type versions struct {
	mu   sync.Mutex
	of   map[uint64]uint64
	seed maphash.Seed
}

// check returns an error if another version of the file was seen before.
func (v *versions) check(name, version string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.of == nil {
		v.of, v.seed = make(map[uint64]uint64), maphash.MakeSeed()
	}
	key, now := maphash.String(v.seed, name), maphash.String(v.seed, version)
	if before, ok := v.of[key]; ok && before != now {
		return fmt.Errorf("%s was changed or replaced since it was first read: open it again", name)
	}
	v.of[key] = now
	return nil
}
