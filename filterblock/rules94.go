package filterblock

import "bytes"

// rules94 are the rules of RocksDB up to 9.4 (FullFilterBlockBuilder::Add and AddPrefix, and
// PartitionedFilterBlockBuilder::MaybeCutAFilterBlock). They compare keys. Whatever is odd here
// is RocksDB's: filters of prefixes only never set the last prefix, and so add the empty one.
type rules94 struct {
	added
	calls int // of addKey, in the partition

	key       []byte // the last one that was added
	hasKey    bool
	prefix    []byte // likewise
	hasPrefix bool
	inDomain  bool // the last key was
}

// addKey adds a key or a prefix.
func (r *rules94) addKey(key []byte) {
	r.calls++
	r.entries.add(key)
}

func (r *rules94) add(key []byte) {
	if !r.hasPrefix && r.inDomain {
		r.addKey(r.prefix)
		r.hasPrefix = true
	}
	prefix, ok := r.extractor.Prefix(key)
	if r.wholeKeys {
		if !ok {
			r.addKey(key)
		} else if !r.hasKey || !bytes.Equal(key, r.key) {
			r.addKey(key)
			r.key, r.hasKey = append(r.key[:0], key...), true
		}
	}
	r.inDomain = ok
	switch {
	case !ok:
	case !r.wholeKeys:
		r.addKey(prefix)
	case !r.hasPrefix || !bytes.Equal(prefix, r.prefix):
		r.addKey(prefix)
		r.prefix, r.hasPrefix = append(r.prefix[:0], prefix...), true
	}
}

// full compares for equality, as RocksDB does: where two or three calls for a key skip the number,
// it asks for no cut.
func (r *rules94) full(target int) bool { return r.calls == target }

func (r *rules94) beforeCut(next []byte) {
	if prefix, ok := r.extractor.Prefix(next); ok && !bytes.Equal(prefix, r.prefix) {
		r.addKey(prefix)
	}
}

func (r *rules94) afterCut([]byte) { r.calls, r.hasKey, r.hasPrefix = 0, false, false }

func (r *rules94) reset() { *r = rules94{added: r.added, key: r.key[:0], prefix: r.prefix[:0]} }
