package filterfile

import (
	"context"

	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/cold"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Ranges reads ranges of named files, such as of objects in a store. Package ranges has those of an fs.FS and of HTTP.
type Ranges interface {
	// ReadRange reads len(p) bytes of a file, from off on, into p. If the file ends before, it reads what is there, and
	// returns an error that wraps [io.ErrUnexpectedEOF] or [io.EOF]. Any number of goroutines may call it at once. It
	// should return soon after ctx is done: lookups do not wait for it then.
	ReadRange(ctx context.Context, name string, p []byte, off int64) error
}

// Remote is a filter, or a set of filters, of which lookups read ranges of bytes. [OpenAt] and filterset.OpenAt return
// it.
//
// Its queries are those of a [simdbloom.Filter] with a context and an error. After an error, every key whose lookup
// failed "may be contained": its answer is true, and others are right. Errors are those of [Ranges], of ctx, and
// [simdbloom.ErrCorrupt]. False comes only from bytes whose checksum was compared. Any number of goroutines may use it
// at once, and wait for ranges that another one reads. It need not be closed.
type Remote cold.Filter

func (r *Remote) cold() *cold.Filter { return (*cold.Filter)(r) }

// OpenAt opens the filter file of the given name, of which it reads the header, and the filter's last bytes: in a
// Linear filter the headers of lines, 1.5 % of the bytes. Then a lookup of a new key is one request for a piece, of 64
// KiB or as [WithPieceBytes] said. LevelDB's filters, and those of at most one piece, are read whole.
//
// Its options are [WithHash], [WithMemory], [WithReadCost], [WithConcurrency] and [WithoutChecks]. Errors wrap
// [simdbloom.ErrCorrupt], [simdbloom.ErrUnknown], or those of ranges. A file that is replaced later makes lookups
// return an error.
func OpenAt(ctx context.Context, ranges Ranges, name string, options ...OpenOption) (*Remote, error) {
	o := checked.OptionsOf(options)
	o.Remote.Hash = o.Hash
	f, err := cold.New(ranges, o.Remote)
	if err == nil {
		err = f.UseFile(ctx, name)
	}
	if err != nil {
		return nil, wrap(err)
	}
	return (*Remote)(f), nil
}

// Contains reports whether the key may have been added.
func (r *Remote) Contains(ctx context.Context, key []byte) (bool, error) {
	return r.ContainsHash(ctx, r.Hash().Sum64(key))
}

// ContainsHash is Contains of a key by its hash, which [Remote.Hash] must have computed.
func (r *Remote) ContainsHash(ctx context.Context, hash uint64) (bool, error) {
	var hit [1]bool
	err := r.ContainsHashes(ctx, []uint64{hash}, hit[:])
	return hit[0], err
}

// ContainsKeys sets hits[i] to whether keys[i] may have been added. It panics if hits is shorter than keys. It reads
// each piece once, and those that are near each other by one request. The error is the first one: then all keys that
// depend on what failed have true, and the others their answer.
func (r *Remote) ContainsKeys(ctx context.Context, keys [][]byte, hits []bool) error {
	return wrap(r.cold().ContainsKeys(ctx, keys, hits))
}

// ContainsHashes is [Remote.ContainsKeys] of keys by their hashes.
func (r *Remote) ContainsHashes(ctx context.Context, hashes []uint64, hits []bool) error {
	return wrap(r.cold().ContainsHashes(ctx, hashes, hits))
}

// Hash returns the key hash that the file or the set records.
func (r *Remote) Hash() keyhash.Hash { return r.cold().Hash() }

// Counters returns the numbers of reads since the filter was opened.
func (r *Remote) Counters() Counters { return Counters(r.cold().Counters()) }

// Counters are a [Remote]'s.
type Counters struct {
	Requests  int64 // calls of ReadRange
	Bytes     int64 // that were requested
	CacheHits int64 // headers and pieces that lookups found in memory
	Errors    int64 // requests that failed, and wrong checksums
}

// WithMemory sets the bytes of memory that a [Remote] uses, at least 1 MiB, or else it is an error. Half of it is a
// cache, which keeps headers of files rather than pieces. Without it, there are 64 MiB. Nothing else uses this option,
// and the three below.
func WithMemory(bytes int64) OpenOption { return func(o *openOptions) { o.Remote.Memory = &bytes } }

// WithReadCost sets how many bytes cost a [Remote] as much as a request: nearer pieces are one request. Without it, it
// is 256 KiB. It is an error if it is below 0.
func WithReadCost(bytes int64) OpenOption { return func(o *openOptions) { o.Remote.ReadCost = &bytes } }

// WithConcurrency sets the largest number of requests that a [Remote] makes at once. Without it, there are 32. It is an
// error if n is below 1.
func WithConcurrency(n int) OpenOption { return func(o *openOptions) { o.Remote.Requests = &n } }

// WithoutChecks has a [Remote] read lines of 64 bytes (Paired: 2 or 8 KiB, Ribbon up to 1 KiB) without comparing
// checksums, except for headers of files. Use it where bytes count, and the store is trusted: a wrong byte may make a
// key that was added look absent.
func WithoutChecks() OpenOption { return func(o *openOptions) { o.Remote.Unchecked = true } }
