package filterblock

import (
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// ReadOptions say which keys and prefixes a table's filter has, as the table records, and how to read it. One of
// WholeKeys, Prefix and PrefixName must be set: the zero options are an error.
type ReadOptions struct {
	// WholeKeys is set if the filter has whole keys: the table property
	// rocksdb.block.based.table.whole.key.filtering. Set it only if the table does.
	WholeKeys bool

	// Prefix is the extractor of the prefixes that lookups have, or nil. Leave it nil if the
	// filter has no prefixes.
	Prefix *Extractor

	// PrefixName is the name of the extractor that the filter was built with: the property
	// rocksdb.prefix.extractor.name. If it is not Prefix's, as after a change of options, the
	// filter's prefixes are of no use: without whole keys every answer is "may contain". Without a
	// name they are taken to be Prefix's.
	PrefixName string

	// Compare is the order of keys. nil is the order of bytes. In partitions of another order, prefixes
	// are not looked up: the keys of one could be anywhere.
	Compare func(a, b []byte) int

	// Unordered is set if the order of keys is unknown. Each lookup in partitions then goes through all of
	// them, until one may contain the key or the prefix, and Compare is not used.
	Unordered bool

	// Index is how the index of partitions is written.
	Index IndexFormat

	// Cache keeps partitions. nil keeps none: load is called for every lookup.
	Cache Cache

	// OnError, if not nil, is called with every error of load, and where it returned nothing.
	// Several goroutines may call it at once. The answer is "may contain".
	OnError func(Handle, error)

	// Counters, if not nil, count the answers. Lookups that read no filter, or could not, are not counted. A prefix
	// that may go on in a neighbouring partition counts as checked, with the answer "may contain".
	Counters *Counters
}

// Cache keeps the partitions of one table's filter. Several goroutines call it at once. A block cache
// that is shared by tables adds the table to the handle.
type Cache interface {
	// Get returns the partition that Put was given for the handle, unless it has been dropped.
	Get(h Handle) (partition []byte, ok bool)
	// Put may keep a partition that was loaded. Nobody changes it.
	Put(h Handle, partition []byte)
}

// Reader looks up keys and prefixes in one table's filter. "No" is certain. Where the filter
// cannot answer, the answer is "may contain". Any number of goroutines may use it at once.
type Reader struct {
	policy *policy.Policy
	o      ReadOptions

	prefixes bool // the filter has the prefixes of o.Prefix

	block  []byte            // of a filter in one piece
	filter *simdbloom.Filter // likewise; nil for one of policy.New

	index *Index // nil for a filter in one piece
	load  func(Handle) ([]byte, error)
}

// Open returns a reader of a filter in one piece, whose bytes are block. It keeps block and copies
// nothing. It accepts any bytes; an error about them wraps [simdbloom.ErrCorrupt]. No bytes are a filter without
// keys, which contains nothing. It costs less than a microsecond.
func Open(p *policy.Policy, block []byte, o ReadOptions) (*Reader, error) {
	if err := o.check(p); err != nil {
		return nil, err
	}
	r := newReader(p, o)
	r.block = block
	var err error
	if p.Format() != simdbloom.Reserved { // of policy.New
		r.filter, err = p.Open(block)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// OpenPartitioned returns a reader of a filter in partitions, with their index. It keeps nothing of the index block.
// It accepts any bytes; an error about them wraps [simdbloom.ErrCorrupt]. No bytes are a filter without keys. An index
// whose keys are not in order is an error: see ReadOptions.Compare.
//
// load returns the partition that a handle is of. A handle has whatever the index has: load must
// return an error for one that is not in the file. Several goroutines call it at once, for every
// lookup that the cache does not answer. The reader does not change the bytes, and keeps them only
// as long as a lookup.
//
// It costs some 20 ns a partition, and memory for the index keys and 20 bytes a partition.
func OpenPartitioned(p *policy.Policy, index []byte, load func(Handle) ([]byte, error), o ReadOptions) (*Reader, error) {
	if err := o.check(p); err != nil {
		return nil, err
	}
	if load == nil {
		return nil, errors.New("filterblock: OpenPartitioned's load must not be nil")
	}
	x, err := ReadIndex(index, o.Index)
	if err != nil {
		return nil, err
	}
	if x.Len() == 0 && len(index) > 0 {
		return nil, corruptIndex("no partitions")
	}
	if !o.Unordered && !x.sorted(o.Compare) {
		return nil, corruptIndex("keys that are not in order")
	}
	r := newReader(p, o)
	r.index, r.load = x, load
	return r, nil
}

var errNoPolicy = errors.New("the policy is nil")

func (o *ReadOptions) check(p *policy.Policy) error {
	switch {
	case p == nil:
		return fmt.Errorf("filterblock: %w", errNoPolicy)
	case !o.WholeKeys && o.Prefix == nil && canonicalName(o.PrefixName) == "":
		return errors.New("filterblock: WholeKeys, Prefix and PrefixName are not set: the options must say what the filter was made of")
	}
	return nil
}

func newReader(p *policy.Policy, o ReadOptions) *Reader {
	r := &Reader{policy: p, o: o}
	r.prefixes = o.Prefix != nil && (o.PrefixName == "" || canonicalName(o.PrefixName) == o.Prefix.Name())
	return r
}

// canonicalName returns the name that RocksDB has for an extractor today.
func canonicalName(name string) string {
	if e, err := ParseExtractor(name); err == nil {
		return e.Name()
	}
	return name
}

// MayContain reports whether the table may have the key. False means that it does not. If the
// filter has only prefixes, it looks up the key's prefix, as RocksDB does. Of a filter in
// partitions it loads one. It costs the key's hash, a few cache misses at most, and with partitions
// a binary search. It allocates nothing.
//
// Filters have nothing of deletions of ranges, which may delete the key in older tables: read a table's, whatever
// the answer.
func (r *Reader) MayContain(key []byte) bool { return r.mayContain(pointLookup, key) }

// MayContainPrefix reports whether the table may have a key whose prefix, by the extractor of the
// options, is the given one. Of a filter in partitions it loads one. It costs as much as MayContain.
//
// A filter has no shorter prefixes: "fixed:8" answers "may contain" for one of 4 bytes, and
// "capped:8" answers for the key of these 4 bytes only.
func (r *Reader) MayContainPrefix(prefix []byte) bool { return r.mayContain(prefixLookup, prefix) }

// MayContainSeek reports whether the table may have a key that is at or after the given one and has
// the same prefix. Call it before an iterator seeks a key, if it is to end with the key's prefix.
// Of a filter in partitions it loads the key's. It costs as much as MayContain.
//
// It is for seeks forward only. For a backward one (SeekForPrev) call MayContainPrefix with the key's prefix: the
// keys in front of the key may be in another partition. Deletions of ranges are as in MayContain.
func (r *Reader) MayContainSeek(key []byte) bool { return r.mayContain(seek, key) }

func (r *Reader) mayContain(q query, key []byte) bool {
	entry, ok := r.entryOf(q, key)
	if !ok {
		return true
	}
	may, answered := r.lookUp(entry, key)
	if !may && r.index != nil && r.ofPrefixes(q) && r.goesOn(entry, r.index.Find(key, r.o.Compare)) {
		may = true
	}
	switch {
	case !answered:
	case q != pointLookup:
		r.o.Counters.countSeek(may)
	case r.o.WholeKeys:
		r.o.Counters.countKey(may)
	default:
		r.o.Counters.countPrefix(may)
	}
	return may
}

// query is a kind of lookup.
type query int

const (
	pointLookup  query = iota // for a key
	prefixLookup              // for a prefix
	seek                      // for the prefix of a key, from this key on
)

// entryOf returns the entry to look up in the filter, or false if it cannot answer.
func (r *Reader) entryOf(q query, key []byte) (entry []byte, ok bool) {
	switch {
	case q == pointLookup && r.o.WholeKeys:
		return key, true
	case !r.prefixes || q != pointLookup && r.index != nil && r.o.Compare != nil && !r.o.Unordered:
		return nil, false
	case q == prefixLookup:
		return key, r.o.Prefix.gives(key)
	}
	return r.o.Prefix.Prefix(key)
}

// lookUp looks up an entry in the filter, or in the key's partition, or in all. It returns "may contain" and
// false if the partition cannot be read.
func (r *Reader) lookUp(entry, key []byte) (may, answered bool) {
	if r.index == nil {
		return r.policy.MayContain(r.block, entry), true
	}
	first := 0
	if !r.o.Unordered {
		first = max(r.index.Find(key, r.o.Compare), 0)
	}
	for i := first; i < r.index.Len(); i++ {
		partition := r.partition(i)
		if partition == nil {
			return true, false
		}
		if may = r.policy.MayContain(partition, entry); may || !r.o.Unordered && !r.equalsIndexKey(key, i) {
			break
		}
	}
	return may, true
}

// equalsIndexKey reports whether a key equals the index key of a partition. By a function, keys of different bytes can
// be equal, and versions of them in the partitions on both sides.
func (r *Reader) equalsIndexKey(key []byte, partition int) bool {
	return r.o.Compare != nil && r.o.Compare(r.index.Key(partition), key) == 0
}

// goesOn reports whether a prefix that is not in a partition may still be one of its keys' or the next one's first
// key's: whether an index key beside the partition has it. RocksDB's first versions with partitions added a prefix only
// to the first partition that has it (up to 5.14), and not in front of the first one (up to 6.5). An extractor of one's
// own may give the keys in between other prefixes.
func (r *Reader) goesOn(prefix []byte, partition int) bool {
	if r.index == nil || r.o.Unordered {
		return false
	}
	for i := max(partition-1, 0); i <= partition && i < r.index.Len(); i++ {
		if r.o.Prefix.mayBegin(r.index.Key(i), prefix) {
			return true
		}
	}
	return false
}

// partition returns a partition's bytes, or nil if they cannot be read.
func (r *Reader) partition(i int) []byte {
	h := r.index.Handle(i)
	if r.o.Cache != nil {
		if partition, ok := r.o.Cache.Get(h); ok && len(partition) > 0 {
			return partition
		}
	}
	partition, err := r.load(h)
	if err == nil && len(partition) == 0 {
		err = fmt.Errorf("filterblock: the partition at %d: %w: no bytes", h.Offset, simdbloom.ErrCorrupt)
	}
	if err != nil {
		if r.o.OnError != nil {
			r.o.OnError(h, err)
		}
		return nil
	}
	if r.o.Cache != nil {
		r.o.Cache.Put(h, partition)
	}
	return partition
}

// containsKeys looks up keys or prefixes in a filter in one piece.
func (r *Reader) containsKeys(entries [][]byte, hits []bool) {
	if r.filter != nil {
		r.filter.ContainsKeys(entries, hits)
		return
	}
	for i, entry := range entries {
		hits[i] = r.policy.MayContain(r.block, entry)
	}
}

// ofPrefixes reports whether a prefix is looked up.
func (r *Reader) ofPrefixes(q query) bool { return q != pointLookup || !r.o.WholeKeys }
