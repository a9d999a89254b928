package filterblock

// rules say which entries a key has: those of RocksDB from 9.6.1 on (FullFilterBlockBuilder::AddWithPrevKey and
// PartitionedFilterBlockBuilder::CutAFilterBlock). They compare hashes.
type rules struct {
	entries   *entries
	wholeKeys bool
	extractor *Extractor
	prefix    uint64 // the hash of the prefix that was added last, or would have been
	hasPrefix bool
}

// add adds the entries of a key.
func (r *rules) add(key []byte) {
	prefix, ok := r.extractor.Prefix(key)
	switch {
	case ok && r.wholeKeys:
		r.addBoth(r.entries.hash.Sum64(key), r.entries.hash.Sum64(prefix))
	case ok:
		r.entries.add(prefix)
	case r.wholeKeys:
		r.entries.add(key)
	}
}

// addBoth adds a key and its prefix (XXPH3FilterBitsBuilder::AddKeyAndAlt). The prefix comes first.
func (r *rules) addBoth(key, prefix uint64) {
	e := r.entries
	isLast := e.n > 0 && key == e.last
	isPrefix := r.hasPrefix && key == r.prefix
	if !(r.hasPrefix && prefix == r.prefix) && prefix != key && !(e.n > 0 && prefix == e.last) {
		e.append(prefix)
	}
	r.prefix, r.hasPrefix = prefix, true
	if !isLast && !isPrefix {
		e.append(key)
	}
}

// full reports whether the partition has as many entries as it should have.
func (r *rules) full(target int) bool { return r.entries.n >= target }

// beforeCut adds what the partition has of the next one's first key. A seek to a key between the
// two finds that key's prefix in the first partition.
func (r *rules) beforeCut(next []byte) {
	prefix, ok := r.extractor.Prefix(next)
	switch {
	case ok && r.wholeKeys:
		hash := r.entries.hash.Sum64(prefix)
		r.addBoth(hash, hash)
	case ok:
		r.entries.add(prefix)
	}
}

// afterCut begins a partition, with what it has of the last key of the one before: a backward seek
// to a key between the two finds that key's prefix in the second partition.
func (r *rules) afterCut(previous []byte) {
	r.reset()
	if prefix, ok := r.extractor.Prefix(previous); ok {
		r.entries.add(prefix)
	}
}

func (r *rules) reset() { r.hasPrefix = false }
