package contents

// A Lookup looks up hashes in a filter of which not all bytes are at hand, or known to be right. A query names the
// ranges of bytes that it reads, one after the other.
type Lookup interface {
	// Begin returns the query of a hash, which names its first range.
	Begin(hash uint64) Query
	// Next reads the range that a query names. If there is no answer yet, the query names another range.
	Next(q *Query, data []byte) Answer
}

// A Query is a lookup on its way.
type Query struct {
	At    uint64 // the range's first byte, counted from the filter's
	Hash  uint64 // as the format has changed it
	Bytes uint32 // of the range, or 0 for an answer that needs none
	Last  bool   // the answer follows from this range

	// Of Linear.
	Line   uint32
	Layer  uint8
	Header uint8
}

// An Answer is a query's: no, may contain, or not known yet.
type Answer uint8

const (
	More Answer = iota // it needs another range
	No
	Maybe
)

// AnswerOf returns Maybe for true, and No for false.
func AnswerOf(found bool) Answer {
	if found {
		return Maybe
	}
	return No
}

// Blocks is the Lookup of a format whose keys have one block each, or one unit of blocks that depend on each other.
type Blocks struct {
	Before     uint64 // bytes before the first block
	BlockBytes uint32
	Blocks     uint32
	BlockOf    func(hash uint64, blocks uint32) uint32
	Has        func(block []byte, hash uint64) bool // by fallback
}

func (b *Blocks) Begin(hash uint64) Query {
	at := b.Before + uint64(b.BlockOf(hash, b.Blocks))*uint64(b.BlockBytes)
	return Query{At: at, Hash: hash, Bytes: b.BlockBytes, Last: true}
}

func (b *Blocks) Next(q *Query, block []byte) Answer { return AnswerOf(b.Has(block, q.Hash)) }
