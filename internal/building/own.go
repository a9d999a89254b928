package building

import (
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Own has the functions of a filter that is no format of this library.
type Own struct {
	SizeBytes  func(keys int) int
	Build      func(hashes []uint64) ([]byte, error)
	MayContain func(data []byte, hash uint64) bool
}

// ownScheme builds such filters.
type ownScheme struct {
	InOrder
	own    Own
	verify bool
}

// NewOwn returns an empty builder of filters of one's own, or an error for an option that they do not have.
func NewOwn(own Own, hash keyhash.Hash, o *Options) (*Builder, error) {
	if err := o.Check(0, 0); err != nil {
		return nil, err
	}
	if o.Limit != (Limit{}) {
		return nil, errors.New("a filter of one's own has no option " + o.Limit.name())
	}
	kept := *o
	kept.Verification = false // the scheme's
	return New(&ownScheme{own: own, verify: o.Verification}, nil, hash, &kept), nil
}

// Size returns the result of the scheme's own SizeBytes.
func (s *ownScheme) Size(log *hashlog.Log) (bytes uint64, allowed bool) {
	if log.Len() == 0 {
		return 0, true
	}
	return uint64(max(s.own.SizeBytes(log.Len()), 1)), true
}

// Build copies what the function returns. No bytes would be a filter without keys.
func (s *ownScheme) Build(log *hashlog.Log, _ int, memory Memory) ([]byte, error) {
	if log.Len() == 0 {
		return memory(0, true)
	}
	hashes := make([]uint64, 0, log.Len())
	for some := range log.All() {
		hashes = append(hashes, some...)
	}
	built, err := s.own.Build(hashes)
	if err == nil && len(built) == 0 {
		err = fmt.Errorf("the filter of %d keys has no bytes", len(hashes))
	}
	if err != nil {
		return nil, err
	}
	if s.verify { // the hashes of the log: the function may have changed its own
		for some := range log.All() {
			for _, hash := range some {
				if !s.own.MayContain(built, hash) {
					return nil, ErrVerification
				}
			}
		}
	}
	data, err := memory(uint64(len(built)), true)
	copy(data, built)
	return data, err
}
