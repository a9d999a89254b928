package keys

import (
	"bytes"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
)

// parseLines adds the keys of records that end with a byte. Plain lines are the keys, and so are those of formats with
// other rules, which [Format.addLine] knows, unless it must look at them.
func (f *Format) parseLines(to *Parsed, data []byte) error {
	from, returns := 0, 0 // of the next line, and carriage returns that end lines
	for at, n := 0, 0; at < len(data); {
		n, at = asm.Ends(to.ends[:], data, at, f.End)
		for ends := to.ends[:n]; len(ends) > 0; ends = ends[1:] {
			if f.isPlain() {
				plain := to.addPlain(data, from, ends)
				if plain > 0 {
					from, ends = int(ends[plain-1]), ends[plain:]
				}
				if len(ends) == 0 {
					break
				}
			}
			next := int(ends[0])
			returns += f.addLine(to, data, from, next-1, next)
			from = next
		}
	}
	if from < len(data) {
		returns += f.addLine(to, data, from, len(data), len(data))
	}
	if f.Text && f.End == '\n' && bytes.Count(data, []byte{'\r'}) > returns {
		return returnWithin(data)
	}
	return nil
}

// isPlain reports whether lines are keys if nothing at their ends is odd.
func (f *Format) isPlain() bool { return !f.copied() && !f.Trim && f.Remark == "" }

// addPlain adds lines up to the first that is empty or begins or ends with an odd byte, and returns their number.
func (p *Parsed) addPlain(data []byte, from int, ends []uint32) (n int) {
	begin := uint32(from)
	before := len(p.spans)
	p.spans = slices.Grow(p.spans, len(ends))
	p.Records = slices.Grow(p.Records, len(ends))
	spans, records := p.spans[before:][:len(ends)], p.Records[before:][:len(ends)]
	for n < len(ends) {
		next := ends[n]
		end := next - 1
		if begin == end || oddAtEnds[data[begin]]|oddAtEnds[data[end-1]] != 0 {
			break
		}
		spans[n] = [2]uint32{begin, end}
		records[n] = Record{int32(begin), int32(next)}
		begin = next
		n++
	}
	p.spans, p.Records = p.spans[:before+n], p.Records[:before+n]
	return n
}

// addLine adds the key of the line between two places, if it has one. It returns the number of carriage returns that
// end the line, 0 or 1.
func (f *Format) addLine(to *Parsed, data []byte, from, end, next int) (returns int) {
	key := data[from:end]
	if f.End == '\n' {
		if n := len(key); n > 0 && key[n-1] == '\r' && !f.Raw {
			key = key[:n-1]
			returns = 1
		}
		n := f.marks(key)
		key, from = f.withoutRemark(key[n:]), from+n
	}
	switch {
	case len(key) > 0:
		f.add(to, key, from, next)
	case f.End == 0:
		to.add(0, 0, from, next) // nothing, which is in copies, too
	}
	return returns
}
