package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// lookup looks up hashes by the headers of their lines, a byte each, and by one line.
type lookup struct{ layers fallback.LinearLayers }

// Lookup returns how hashes are looked up in a filter with a trailer.
func Lookup(c *contents.Contents, _ uint64) contents.Lookup { return &lookup{LayersOf(c)} }

func (l *lookup) Begin(hash uint64) (q contents.Query) {
	q.Hash = fallback.LinearMix(hash)
	l.inLayer(&q)
	return q
}

// inLayer names the header of the hash's line in its layer. There is a layer.
func (l *lookup) inLayer(q *contents.Query) {
	q.Line, _, _, _ = l.layers.Place(int(q.Layer), q.Hash)
	q.At, q.Bytes = uint64(l.layers.NumLines())*asm.BlockBytes+uint64(q.Line), 1
}

func (l *lookup) Next(q *contents.Query, data []byte) contents.Answer {
	_, order, section, own := l.layers.Place(int(q.Layer), q.Hash)
	switch {
	case q.Last:
		return contents.AnswerOf(l.layers.InLine(data, q.Header, section, own))
	case fallback.LinearHolds(data[0], order):
		q.At, q.Bytes, q.Header, q.Last = uint64(q.Line)*asm.BlockBytes, asm.BlockBytes, data[0], true
	case int(q.Layer)+1 == l.layers.Number():
		return contents.Maybe
	default:
		q.Hash = fallback.LinearNext(own)
		q.Layer++
		l.inLayer(q)
	}
	return contents.More
}
