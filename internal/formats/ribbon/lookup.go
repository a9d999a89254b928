package ribbon

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// lookup looks up hashes by the two blocks that an equation lies in.
type lookup struct{ shape fallback.RibbonShape }

// Lookup returns how hashes are looked up in a body of the given size.
func Lookup(c *contents.Contents, bodyBytes uint64) contents.Lookup {
	return &lookup{fallback.NewRibbonShape(bodyBytes, c.Blocks, c.Seed)}
}

func (l *lookup) Begin(hash uint64) contents.Query {
	from, to := l.shape.Window(hash)
	return contents.Query{At: uint64(from), Hash: hash, Bytes: uint32(to - from), Last: true}
}

func (l *lookup) Next(q *contents.Query, window []byte) contents.Answer {
	return contents.AnswerOf(l.shape.ContainsIn(window, q.Hash))
}
