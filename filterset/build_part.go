package filterset

import (
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/policy"
)

// BuildPart returns the file of a part of a set, built from the hashes of its keys, and the facts that the manifest
// records about it. Use it where parts are built by many machines: the bytes depend on the keys alone, neither on the
// order of the hashes nor on how often each is repeated. They are a [Builder]'s, if that is given each key once or has
// [WithDistinct]. Repeated hashes are dropped in any case, and no option but [WithPieceBytes] changes the bytes.
//
// It sorts the hashes, and writes over those that are dropped. Any number of goroutines may call it at once.
func BuildPart(p *policy.Policy, hashes []uint64, options ...Option) ([]byte, Part, error) {
	o, err := optionsOf(options)
	if err == nil {
		err = checkPolicy(p)
	}
	if err != nil {
		return nil, Part{}, err
	}
	sortHashes(hashes, make([]uint64, len(hashes)))
	b := newPartBuilder(p, o.pieceBytes, false, 1)
	b.hashes, b.sorted = slices.Compact(hashes), false // they are, and need no more room
	file, err := b.finish()
	if err != nil {
		return nil, Part{}, err
	}
	data := file.AppendTo(nil)
	return data, partOfFile(&file), nil
}

func partOfFile(file *stored.File) Part {
	return Part{Keys: file.Keys, Bytes: file.Offset + file.Length, Sum: file.Sum()}
}

// partBuilder builds one part after the other, and keeps its memory.
type partBuilder struct {
	policy   *policy.Policy
	builder  *simdbloom.Builder
	piece    int // bytes of a piece
	distinct bool
	sorted   bool     // the hashes must be in order
	hashes   []uint64 // of the part, if they must be in order
	room     []uint64
	filter   []byte
}

func newPartBuilder(p *policy.Policy, piece int, distinct bool, goroutines int) *partBuilder {
	return &partBuilder{
		policy: p, builder: p.NewBuilder(simdbloom.WithConcurrency(goroutines)), piece: piece, distinct: distinct,
		sorted: distinct || p.Format() == simdbloom.Ribbon, // whose bytes depend on the order
	}
}

// begin makes room for the hashes of a part.
func (b *partBuilder) begin(n int) {
	b.builder.Reset()
	if b.sorted {
		b.hashes = slices.Grow(b.hashes[:0], n)
	}
}

// add adds hashes of the part.
func (b *partBuilder) add(hashes []uint64) {
	if b.sorted {
		b.hashes = append(b.hashes, hashes...)
	} else {
		b.builder.AddHashes(hashes)
	}
}

// finish returns the part's file, which is valid until the next one is begun.
func (b *partBuilder) finish() (file stored.File, err error) {
	if b.sorted {
		b.room = slices.Grow(b.room[:0], len(b.hashes))
		sortHashes(b.hashes, b.room[:len(b.hashes)])
	}
	if b.distinct {
		b.hashes = slices.Compact(b.hashes)
	}
	b.builder.AddHashes(b.hashes)
	b.hashes = b.hashes[:0]
	keys := b.builder.Len()
	if size := b.builder.SizeBytes(); size > cap(b.filter) && size < mostReserved {
		b.filter = aligned.Make(size + size/16)
	}
	if b.filter, err = b.builder.AppendFinish(b.filter[:0]); err != nil {
		return file, err
	}
	if file, err = stored.New(b.policy.Name(), b.filter, b.piece); err != nil {
		return file, wrap(err)
	}
	file.Keys, file.BitsPerKey = int64(keys), b.policy.BitsPerKey()
	return file, nil
}

// mostReserved is the size of filters up to which memory is made for them ahead.
const mostReserved = 1 << 30
