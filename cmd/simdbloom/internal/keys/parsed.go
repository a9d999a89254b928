package keys

import "github.com/simdbloom/simdbloom/keyhash"

// Parsed are the keys of a chunk. Empty lines and empty columns are no keys.
type Parsed struct {
	Records []Record // that the keys are in: the same one again for each key of a row
	Odd     Odd

	spans  [][2]uint32 // where keys begin and end in the data
	data   []byte      // the chunk, or copies
	copies []byte      // of keys that are not in the chunk as they are
	room   []byte      // for a key in another case
	whole  []byte      // for a key behind a prefix
	ends   [mostEnds]uint32
	hashes []uint64
	views  [][]byte
}

// Record is a part of a chunk, with its end.
type Record struct{ From, To int32 }

// mostEnds is how many ends of lines are found at a time, so that they are in the nearest cache.
const mostEnds = 2048

// reset drops all keys, and keeps the memory.
func (p *Parsed) reset() {
	p.Records, p.Odd, p.spans, p.copies = p.Records[:0], Odd{}, p.spans[:0], p.copies[:0]
}

// add adds the key between two places, of the record between two others.
func (p *Parsed) add(begin, end, from, to int) {
	p.spans = append(p.spans, [2]uint32{uint32(begin), uint32(end)})
	p.Records = append(p.Records, Record{int32(from), int32(to)})
}

// addCopy copies a key, and adds it.
func (p *Parsed) addCopy(key []byte, from, to int) {
	begin := len(p.copies)
	p.copies = append(p.copies, key...)
	p.add(begin, len(p.copies), from, to)
}

// Hashes returns the keys' hashes, until the next Parse.
func (p *Parsed) Hashes(hash keyhash.Hash) []uint64 {
	p.hashes = hash.AppendColumn(p.hashes[:0], keyhash.Spans(p.spans, p.data))
	return p.hashes
}

// Keys returns the keys, until the next Parse.
func (p *Parsed) Keys() [][]byte {
	p.views = p.views[:0]
	for _, span := range p.spans {
		p.views = append(p.views, p.data[span[0]:span[1]])
	}
	return p.views
}
