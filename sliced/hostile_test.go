package sliced

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
)

// fileOf returns a file with a body and right checksums.
func fileOf(body []byte) []byte {
	file := contract.Must(stored.New(family+keyhash.XX64.Name(), body, stored.LeastPieceBytes))
	return slices.Clip(file.AppendTo(nil)) // what is read behind it panics
}

// TestDirectoriesThatContradictThemselves: each number is possible by itself. Where a filter would be lost, or have
// another's bytes, the file is an error.
func TestDirectoriesThatContradictThemselves(t *testing.T) {
	s := New(keyhash.XX64)
	add := func(n, keys int) {
		for i := range n {
			m := contract.Must(bloom.NewMutable(keys, 10+float64(i%2)/1000, keyhash.XX64)) // each second frame is another
			m.AddHash(uint64(i))
			contract.Must(s.Append(&m.Filter))
		}
	}
	add(40, 40)  // shape 0
	add(43, 100) // shape 1: filters 40 to 79 are in its matrix, and 80 to 82 wait, with columns
	add(2, 150)  // 83 and 84 have no place
	contract.Must(s.Append(contract.Must(bloom.Open(nil, keyhash.XX64))))
	for _, id := range []int{3, 43} {
		if err := s.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	var data bytes.Buffer
	contract.Must(s.WriteTo(&data))
	read := func() (d directory, rest []byte) {
		file := contract.Must(stored.Parse(data.Bytes()))
		file.Cut()
		d, length, err := readDirectory(&source{file.Body, &file, file.Pieces})
		if err != nil {
			t.Fatal(err)
		}
		return d, file.Body[length:]
	}
	d, rest := read()
	rest[d.loose[0].bytes] = 1
	if _, err := OpenBytes(fileOf(append(d.bytes(), rest...))); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("padding behind a filter is not zero: %v", err)
	}
	rest[d.loose[0].bytes] = 0
	if _, err := OpenBytes(fileOf(append(d.bytes(), rest[:len(rest)-8]...))); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("padding behind the last matrix is missing: %v", err)
	}
	const removed = 3 // the free column of shape 0
	for what, change := range map[string]func(d *directory){
		"a loose filter that is listed twice":     func(d *directory) { d.loose[1].id, d.places[81], d.places[82] = d.loose[0].id, unplaced, unplaced },
		"loose filters that do not ascend":        func(d *directory) { d.loose[3].id = d.loose[1].id },
		"a loose filter without an id":            func(d *directory) { d.loose[5].id = d.ids },
		"a loose filter without a frame":          func(d *directory) { d.loose[0].frame = uint64(len(d.frames)) },
		"a loose filter with a trailer beside it": func(d *directory) { d.loose[0].frame = d.shapes[0].frame },
		"one place":                                   func(d *directory) { d.places = d.places[:1] },
		"fewer places than ids":                       func(d *directory) { d.places = d.places[1:] },
		"no columns":                                  func(d *directory) { d.shapes[0].columns = 0 },
		"a matrix of a frame that is none":            func(d *directory) { d.shapes[0].frame = uint64(len(d.frames)) },
		"a matrix of whole filters":                   func(d *directory) { d.shapes[0].frame = d.loose[0].frame },
		"a filter in a removed one's column":          func(d *directory) { d.places[2] = removed },
		"two filters in a column":                     func(d *directory) { d.places[2] = 0 },
		"a loose filter in another's column":          func(d *directory) { d.places[80], d.places[45] = d.places[45], unplaced },
		"a loose filter in a column of another shape": func(d *directory) { d.places[80] = removed },
		"an empty filter with a column":               func(d *directory) { d.places[85] = removed },
		"a filter that lost its column":               func(d *directory) { d.places[2] = unplaced },
		"a column that the matrix has not":            func(d *directory) { d.places[2] = 40 },
		"a shape that the file has not":               func(d *directory) { d.places[2] = 2 << 32 },
		"a frame of its own that is listed twice":     func(d *directory) { d.odd[1].id = d.odd[0].id },
		"frames of their own that do not ascend":      func(d *directory) { d.odd[3].id = d.odd[1].id },
		"a frame of its own that is none":             func(d *directory) { d.odd[0].frame = uint64(len(d.frames)) },
		"a frame of its own that is a whole filter's": func(d *directory) { d.odd[0].frame = d.loose[0].frame },
		"a frame of its own with other probes": func(d *directory) {
			fr := d.frames[d.odd[0].frame]
			fr.after = strings.Replace(fr.after, fr.after[2:3], "\x01", 1)
			d.odd[0].frame, d.frames = uint64(len(d.frames)), append(d.frames, fr)
		},
		"a frame beside that of a loose filter": func(d *directory) { d.odd = append(d.odd, oddEntry{80, d.odd[0].frame}) },
		"a frame of a removed filter":           func(d *directory) { d.odd[1].id = removed },
		"a frame of an id that there is not":    func(d *directory) { d.odd[len(d.odd)-1].id = d.ids },
		"a frame with more bytes than any has":  func(d *directory) { d.frames[0].after = strings.Repeat("\x00", mostBeside+1) },
		"":                                      func(*directory) {},
	} {
		d, rest := read()
		change(&d)
		for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
			if _, err := OpenBytes(fileOf(append(d.bytes(), rest...)), options...); errors.Is(err, simdbloom.ErrCorrupt) != (what != "") {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// TestLongDirectories: nothing may follow the fields but padding, and a piece that is wrong is named.
func TestLongDirectories(t *testing.T) {
	d := directory{frames: []frame{{name: strings.Repeat("x", 40)}}} // fields and length are two lines
	body := d.bytes()
	if s, err := OpenBytes(fileOf(body)); len(body) != 2*lineBytes || err != nil || s.Len() != 0 {
		t.Fatalf("%d bytes: %v", len(body), err)
	}
	body = append(body, make([]byte, lineBytes)...)
	if _, err := OpenBytes(fileOf(body)); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("a line of zeros behind the directory: %v", err)
	}
	binary.LittleEndian.PutUint64(body, uint64(len(body)))
	if _, err := OpenBytes(fileOf(body)); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("a line of zeros behind the fields: %v", err)
	}
	d.frames[0].after = strings.Repeat("x", mostBeside)
	if body = d.bytes(); len(body) < mostBeside {
		t.Errorf("a trailer of as many bytes as it may have: %d bytes", len(body))
	} else if _, err := OpenBytes(fileOf(body)); err != nil {
		t.Error(err)
	}
	d.frames[0] = frame{name: strings.Repeat("x", 5000)}
	data := fileOf(d.bytes())
	data[bytes.IndexByte(data, 'x')+4900] ^= 1 // in the second piece
	if _, err := OpenBytes(data, filterfile.WithLazyCheck()); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "piece") {
		t.Error(err)
	}
}
