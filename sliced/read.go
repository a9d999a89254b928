package sliced

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
)

// reader reads the filters of a file, whose bytes may be anything. It allocates a few times the file's size at most.
type reader struct {
	c    *collection
	d    directory
	from *source
	at   int // bytes of the body that were read
}

func (r *reader) read() (err error) {
	if r.d, r.at, err = readDirectory(r.from); err != nil {
		return err
	}
	most := uint64(fewestSliced - 1) // without matrices more ids than that have places
	switch {
	case len(r.d.places) > 0:
		most = mostFilters
	case len(r.d.shapes) > 0:
		most = r.d.shapes[0].columns
	}
	if n := uint64(len(r.d.places)); r.d.ids > most || n > 0 && n != r.d.ids {
		return corrupt("%d ids, which have %d places, of at most %d", r.d.ids, n, most)
	}
	waiting, err := r.readLoose()
	if err != nil {
		return err
	}
	for i := range r.d.shapes {
		if err := r.readShape(i); err != nil {
			return err
		}
	}
	if r.at != len(r.from.body) {
		return corrupt("%d bytes follow the last matrix", len(r.from.body)-r.at)
	}
	return r.place(waiting)
}

// skip returns the next bytes, if there are that many before the body's end, and goes on at a multiple of lineBytes.
func (r *reader) skip(what string, n uint64) (at int, err error) {
	left := uint64(len(r.from.body) - r.at)
	if n > left || (n+lineBytes-1)/lineBytes*lineBytes > left {
		return at, corrupt("%s of %d bytes at %d of %d", what, n, r.at, len(r.from.body))
	}
	at = r.at
	r.at += padded(int(n), lineBytes)
	for _, b := range r.from.body[at+int(n) : r.at] {
		if b != 0 {
			return at, corrupt("padding behind %s is not zero", what)
		}
	}
	return at, nil
}

// readLoose returns copies of the filters that are stored as they are.
func (r *reader) readLoose() ([]*simdbloom.Filter, error) {
	filters := make([]*simdbloom.Filter, len(r.d.loose))
	for i, l := range r.d.loose {
		if l.id >= r.d.ids || i > 0 && l.id <= r.d.loose[i-1].id || l.frame >= uint64(len(r.d.frames)) {
			return nil, corrupt("filter %d with frame %d, of %d and %d, in a list that ascends", l.id, l.frame, r.d.ids, len(r.d.frames))
		}
		at, err := r.skip("a filter", l.bytes)
		if err != nil {
			return nil, err
		}
		if err := r.from.check(at, int(l.bytes)); err != nil {
			return nil, err
		}
		fr := &r.d.frames[l.frame]
		data := r.from.body[at:][:l.bytes:l.bytes]
		if fr.before != "" || fr.after != "" {
			return nil, corrupt("filter %d has a header or a trailer beside its bytes", l.id)
		}
		if filters[i], err = r.open(fr, len(data), func(body []byte) { copy(body, data) }); err != nil {
			return nil, err
		}
	}
	return filters, nil
}

// open returns the filter with a frame and a body, which write fills.
func (r *reader) open(fr *frame, bodyBytes int, write func(body []byte)) (*simdbloom.Filter, error) {
	f, err := fr.filter(bodyBytes, r.c.hash, write)
	if err != nil {
		return nil, wrap(err)
	}
	if err := r.c.check(f); err != nil {
		return nil, corrupt("%v", err)
	}
	return f, nil
}

// readShape reads a shape that has a matrix, whose columns are free as yet.
func (r *reader) readShape(i int) error {
	entry := r.d.shapes[i]
	size := uint64(len(r.from.body))
	if entry.columns == 0 || entry.columns > mostFilters || entry.bodyBytes > size/8 {
		return corrupt("%d columns of %d bytes in a file of %d", entry.columns, entry.bodyBytes, size)
	}
	s := &shape{kind: kind{bodyBytes: int(entry.bodyBytes)}, columns: int(entry.columns)}
	wide, stride := width(s.columns), matrixStride(s.columns)
	above, bytes := bits.Mul64(uint64(stride), uint64(s.rows()))
	if above > 0 {
		bytes = ^uint64(0)
	}
	at, err := r.skip("a matrix", bytes)
	if err != nil {
		return err
	}
	if s.kind, err = r.kindOf(entry.frame, s.bodyBytes); err != nil {
		return err
	}
	if number := r.c.shapeOf(s.kind); number != i {
		return corrupt("two shapes of format %v, %d bytes and %d probes", simdbloom.Format(s.format), s.bodyBytes, s.probes)
	}
	for column := 0; column < s.columns; column += tileColumns {
		skipped := column / 8
		s.tiles = append(s.tiles, tile{
			memory: r.from.body[at+skipped : at+int(bytes)], stride: stride, room: min(wide-skipped, asm.MostSlicedBytes),
			source: r.from, at: at + skipped,
		})
	}
	s.usual = &r.d.frames[entry.frame]
	s.free.all(s.columns)
	if len(r.d.places) > 0 {
		s.ids = make([]uint32, s.columns)
	}
	r.c.shapes[i] = s
	return r.from.check(at+int(s.liveRow(&s.tiles[0])), stride)
}

// kindOf returns the kind of filters that have a frame, and bodies of the given size.
func (r *reader) kindOf(number uint64, bodyBytes int) (kind, error) {
	if number >= uint64(len(r.d.frames)) {
		return kind{}, corrupt("frame %d of %d", number, len(r.d.frames))
	}
	fr := &r.d.frames[number]
	f, err := r.open(fr, bodyBytes, func([]byte) {})
	if err != nil {
		return kind{}, err
	}
	if isConstant(f) {
		return kind{}, corrupt("a matrix of filters of the format %v", f.Format())
	}
	k, is, _ := cut(f)
	if k.bodyBytes != bodyBytes || is.before != fr.before || is.after != fr.after {
		return k, corrupt("filters with bodies of %d bytes, and not %d", k.bodyBytes, bodyBytes)
	}
	return k, nil
}

// place gives the ids to the filters: those that are in matrices, and others that are stored as they are.
func (r *reader) place(loose []*simdbloom.Filter) error {
	r.c.ids.n = int(r.d.ids)
	r.c.ids.removed.all(int(r.d.ids))
	if len(r.d.places) > 0 {
		r.c.ids.places = make([]place, r.c.ids.n)
	}
	inMatrices := make([]int, len(r.c.shapes))
	next := 0 // of loose
	for id := range r.c.ids.n {
		var f *simdbloom.Filter
		if next < len(loose) && r.d.loose[next].id == uint64(id) {
			f = loose[next]
			next++
		}
		at := uint64(id)
		switch {
		case len(r.d.places) > 0:
			at = r.d.places[id]
		case len(r.d.shapes) == 0:
			at = unplaced
		}
		switch shape, column := at>>32, at&math.MaxUint32; {
		case at == unplaced && f != nil:
			r.addLoose(id, f)
		case at == unplaced:
		case shape >= uint64(len(r.d.shapes)) || column >= r.d.shapes[shape].columns:
			return corrupt("filter %d is in column %d of shape %d", id, column, shape)
		case len(r.d.places) == 0 && f == nil && !r.c.shapes[shape].isLive(int(column)): // it was removed
		default:
			if err := r.addColumn(id, int(shape), int(column), f); err != nil {
				return err
			}
			if f == nil {
				inMatrices[shape]++
			}
		}
	}
	for number, n := range inMatrices {
		if err := r.c.shapes[number].checkLive(n); err != nil {
			return err
		}
	}
	return r.placeOdd()
}

// addColumn adds a filter that has a column of a matrix, and is there unless it is given.
func (r *reader) addColumn(id, number, column int, f *simdbloom.Filter) error {
	s := r.c.shapes[number]
	if !s.free.has(column) || s.isLive(column) == (f != nil) {
		return corrupt("filter %d is in column %d of shape %d, which is another's or not live", id, column, number)
	}
	a, fr := arrival{column: column}, s.usual
	if f != nil {
		if isConstant(f) {
			return corrupt("filter %d gives every key the same answer, and has a column", id)
		}
		var k kind
		fr = new(frame)
		if k, *fr, a.body = cut(f); k != s.kind {
			return corrupt("filter %d is not of its shape", id)
		}
		s.waiting = append(s.waiting, a)
		r.c.loose.add(id, f)
	}
	r.c.add(id, number, column, fr)
	return nil
}

// addLoose adds a filter that has no place.
func (r *reader) addLoose(id int, f *simdbloom.Filter) {
	r.c.loose.add(id, f)
	if isConstant(f) {
		r.c.add(id, noShape, 0, nil)
		return
	}
	k, fr, body := cut(f)
	number := r.c.shapeOf(k)
	s := r.c.shapes[number]
	a := arrival{s.next(), body}
	if number == 0 && r.c.ids.places == nil { // columns of removed ids are free
		for a.column = id; s.columns < id; s.columns++ {
			s.free.add(s.columns)
		}
	}
	s.waiting = append(s.waiting, a)
	r.c.add(id, number, a.column, &fr)
}

// placeOdd gives filters in matrices their frames, if these are not the usual ones.
func (r *reader) placeOdd() error {
	for i, o := range r.d.odd {
		id := int(min(o.id, mostFilters))
		if i > 0 && o.id <= r.d.odd[i-1].id || !r.c.ids.has(id) || r.c.loose.filter(id) != nil {
			return corrupt("filter %d has a frame, but no column, or it is listed twice", o.id)
		}
		s := r.c.shapes[r.c.ids.place(id).shape]
		k, err := r.kindOf(o.frame, s.bodyBytes)
		if err != nil {
			return err
		}
		if k != s.kind {
			return corrupt("the frame of filter %d is not of its shape", id)
		}
		if r.c.odd == nil {
			r.c.odd = make(map[int]*frame)
		}
		r.c.odd[id] = &r.d.frames[o.frame]
	}
	return nil
}

func (s *shape) isLive(column int) bool {
	t := &s.tiles[0]
	return t.memory[int(s.liveRow(t))+column/8]>>(column%8)&1 != 0
}

// checkLive requires that n columns are live, and sets what follows from the ids.
func (s *shape) checkLive(n int) error {
	t := &s.tiles[0]
	row := t.memory[s.liveRow(t):][:t.stride]
	for ; len(row) >= 8; row = row[8:] {
		n -= bits.OnesCount64(binary.LittleEndian.Uint64(row))
	}
	if n != 0 {
		return corrupt("%d live columns have no filter", -n)
	}
	next := uint32(math.MaxUint32)
	s.unordered = false // it seemed to be true while ids were missing
	for column, id := range slices.Backward(s.ids) {
		if s.free.has(column) {
			s.ids[column] = next // what Append puts there is probably below
		} else {
			s.unordered, next = s.unordered || id > next, id
		}
	}
	return nil
}
