package filterblock

// rules say which entries a key has.
type rules interface {
	// add adds the entries of a key.
	add(key []byte)

	// full reports whether the partition has as many entries as it should have.
	full(target int) bool

	// beforeCut adds what the partition has of the next one's first key. A seek to a key between the
	// two finds that key's prefix in the first partition.
	beforeCut(next []byte)

	// afterCut begins a partition, with what it has of the last key of the one before: a backward seek
	// to a key between the two finds that key's prefix in the second partition.
	afterCut(previous []byte)

	reset()
}

func newRules(o *Options, e *entries) rules {
	added := added{e, o.WholeKeys, o.Prefix}
	if o.Rules == UpToRocksDB94 {
		return &rules94{added: added}
	}
	return &rules96{added: added}
}

// added has the entries that keys add, and their places.
type added struct {
	entries   *entries
	wholeKeys bool
	extractor *Extractor
}

// rules96 are the rules of RocksDB from 9.6.1 on (FullFilterBlockBuilder::AddWithPrevKey and
// PartitionedFilterBlockBuilder::CutAFilterBlock). They compare hashes.
type rules96 struct {
	added
	prefix    uint64 // the hash of the prefix that was added last, or would have been
	hasPrefix bool
}

func (r *rules96) add(key []byte) {
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
func (r *rules96) addBoth(key, prefix uint64) {
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

func (r *rules96) full(target int) bool { return r.entries.n >= target }

func (r *rules96) beforeCut(next []byte) {
	prefix, ok := r.extractor.Prefix(next)
	switch {
	case ok && r.wholeKeys:
		hash := r.entries.hash.Sum64(prefix)
		r.addBoth(hash, hash)
	case ok:
		r.entries.add(prefix)
	}
}

func (r *rules96) afterCut(previous []byte) {
	r.reset()
	if prefix, ok := r.extractor.Prefix(previous); ok {
		r.entries.add(prefix)
	}
}

func (r *rules96) reset() { r.hasPrefix = false }
