package filterset

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// Builder builds a set of filters of any number of keys in bounded memory. It keeps hashes in a file in the
// set's folder, 8 bytes a key, until Finish builds the parts. Only one goroutine may use it at a time.
// Adding keys returns no error: Finish and Err do. After use it must be finished or closed, and then adding keys
// panics. Do not copy it: go vet reports copies.
type Builder struct {
	_        nocopy.Mark
	folder   setFolder
	policy   *policy.Policy
	options  options
	memory   int64
	expected int64

	layer     string // the path of the folder
	id        string
	held      *folderLock
	committed bool     // or at least begun to be
	spill     *spill   // nil if the builder is closed
	staged    []uint64 // hashes that came one by one
	keys      int64
	report    reporter
}

const (
	leastMemory = 16 << 20

	// keysOfPart is the number of keys that a part should have at most: more parts make batches of lookups
	// shorter, fewer make building slower, since a part's memory leaves the caches.
	keysOfPart = 1 << 22

	// listsIfUnknown is the number of lists, and the most parts, if the number of keys is not given.
	listsIfUnknown = 1024

	stagedHashes = 4096
)

// NewBuilder returns a builder of a set in the folder dir, which it creates, with its parents, if it does not exist.
// The set that may be there stays until Finish replaces it. Everything is in dir: it needs room for 8 bytes a key, and
// for the filters.
//
// The policy gives the format, bits per key and key hash. Its format must be FastLocal, Paired, Linear, Ribbon or
// SplitBlock. expectedKeys is the number of keys, or 0 if it is unknown: then there are at most 1,024 parts. More
// keys than expected make larger parts. memory is about the number of bytes that the builder may take, at
// least 16 MiB; a part's hashes, of which there are 8 bytes a key, and its filter must fit in it. It needs 4 KiB for
// each part, even if that is more.
//
// It also removes the leftovers of killed builders in the folder. Any number of
// programs may build in the same folder: the last one that finishes replaces the others' sets, or adds its
// layer ([WithLayer]).
func NewBuilder(dir string, p *policy.Policy, expectedKeys, memory int64, options ...Option) (*Builder, error) {
	o, err := optionsOf(options)
	switch {
	case err != nil:
	case expectedKeys < 0:
		err = fmt.Errorf("filterset: expectedKeys must be at least 0, not %d", expectedKeys)
	case memory < leastMemory:
		err = fmt.Errorf("filterset: memory must be at least %d bytes, not %d", leastMemory, memory)
	default:
		err = checkPolicy(p)
	}
	if err != nil {
		return nil, err
	}
	b := &Builder{
		folder: setFolder{dir: dir}, policy: p, options: o, memory: min(memory, math.MaxInt), expected: expectedKeys,
		staged: make([]uint64, 0, stagedHashes), report: reporter{report: o.progress},
	}
	err = b.folder.begin(func() (err error) {
		removeUnused(dir)
		if o.layer {
			if _, err := toExtend(dir, p.Name(), 1); err != nil {
				return err
			}
		}
		b.id, b.held, err = newLayer(dir)
		return err
	})
	if err != nil {
		return nil, wrap(err)
	}
	b.layer = filepath.Join(dir, layerPrefix+b.id)
	lists := o.parts
	if lists == 0 && expectedKeys == 0 {
		lists = listsIfUnknown
	} else if lists == 0 {
		lists = partsFor(expectedKeys, b.memory)
	}
	b.spill = newSpill(filepath.Join(b.layer, "hashes"), lists, b.memory/4)
	return b, nil
}

func checkPolicy(p *policy.Policy) error {
	if p == nil {
		return errors.New("filterset: the policy of a set must not be nil")
	}
	switch {
	case p.Hash().Bits() == 32:
		return fmt.Errorf("filterset: sets have no filters of the policy %s: their key hashes have 32 bits", p.Name())
	case p.BitsPerKey() < leastBitsPerKey:
		return fmt.Errorf("filterset: bits per key of a set must be at least %v, not %v", leastBitsPerKey, p.BitsPerKey())
	}
	return nil
}

const leastBitsPerKey = 0.5

// partsFor returns the number of parts for some number of keys.
func partsFor(keys, memory int64) int {
	most := min(keysOfPart, memory/128) // keys of a part
	parts := 1
	for parts < mostParts && keys/int64(parts) > most {
		parts *= 2
	}
	return parts
}

// Add adds a key.
func (b *Builder) Add(key []byte) { b.AddHash(b.policy.Hash().Sum64(key)) }

// AddString adds a key, without copying it.
func (b *Builder) AddString(key string) { b.AddHash(b.policy.Hash().Sum64String(key)) }

// AddUint64 adds the value's 8 little-endian bytes as a key.
func (b *Builder) AddUint64(value uint64) { b.AddHash(b.policy.Hash().SumUint64(value)) }

// AddHash adds a key by its hash, which the policy's Hash must have computed.
func (b *Builder) AddHash(hash uint64) {
	if b.spill == nil {
		panicFinished()
	}
	b.staged = append(b.staged, hash)
	if len(b.staged) == stagedHashes {
		b.flush()
	}
}

// AddHashes adds keys by their hashes. It is the fastest way to add keys, at some nanoseconds each, until the
// disk is slower. It keeps nothing of the slice.
func (b *Builder) AddHashes(hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), stagedHashes)
		b.addAll(hashes[:n])
		hashes = hashes[n:]
	}
}

// AddKeys adds keys, in less time than one by one.
func (b *Builder) AddKeys(keys [][]byte) {
	b.flush()
	for len(keys) > 0 {
		n := min(len(keys), stagedHashes)
		b.addAll(b.policy.Hash().AppendHashes(b.staged[:0], keys[:n]))
		keys = keys[n:]
	}
}

// AddColumn adds the values of a column that are not null, as Add of the bytes of each would, and keeps nothing of
// the column. With XX64 it hashes numbers by a kernel.
func (b *Builder) AddColumn(column keyhash.Column) {
	b.flush()
	for n := column.Len(); n > 0; n = column.Len() {
		n = min(n, stagedHashes)
		b.addAll(b.policy.Hash().AppendColumn(b.staged[:0], column.Slice(0, n)))
		column = column.Slice(n, column.Len())
	}
}

// flush adds the staged hashes.
func (b *Builder) flush() {
	if len(b.staged) > 0 {
		b.addAll(b.staged)
		b.staged = b.staged[:0]
	}
}

func (b *Builder) addAll(hashes []uint64) {
	if b.spill == nil {
		panicFinished()
	}
	b.spill.add(hashes)
	b.keys += int64(len(hashes))
	b.report.now(addingKeys, b.keys, b.expected, false)
}

//go:noinline
func panicFinished() { panic("filterset: the Builder is finished or closed") }

// Len returns the number of keys that were added, with repeated ones.
func (b *Builder) Len() int64 { return b.keys + int64(len(b.staged)) }

// Err returns the error of the disk that Finish will return, such as that it is full, or nil. Programs that
// add keys for a long time stop when there is one.
func (b *Builder) Err() error {
	if b.spill == nil {
		return nil
	}
	return b.spill.err()
}

// Close ends the use of the builder. Without Finish, or if that failed, it removes everything that the builder has
// written, and the folders that NewBuilder made, if nothing else is in them. Folders, links and the set that were there
// before are unchanged. It may be called more than once, and returns nil.
func (b *Builder) Close() error {
	if b.spill == nil {
		return nil
	}
	b.spill.remove()
	b.spill = nil
	discard(&b.folder, []string{b.id}, []*folderLock{b.held}, b.committed)
	return nil
}
