package sliced

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
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
		"a matrix of filters with a block behind their bodies": func(d *directory) {
			fr := &d.frames[d.shapes[0].frame]
			fr.after = strings.Repeat("\x00", 64) + fr.after
		},
		"": func(*directory) {},
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

// TestUnknownFrames: a matrix of filters with a name that this program does not know is of no use to it.
func TestUnknownFrames(t *testing.T) {
	s := New(keyhash.XX64)
	contract.Must(s.AppendAll(filtersOfSize(40, 1, 10)))
	var data bytes.Buffer
	contract.Must(s.WriteTo(&data))
	name := []byte("simdbloom.FastLocal.XX64")
	file := contract.Must(stored.Parse(bytes.Replace(data.Bytes(), name, []byte("simdbloom.FastLocaX.XX64"), 1)))
	if _, err := OpenBytes(fileOf(file.Body)); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Error(err)
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

// TestShortDirectories: numbers beyond a directory's end, and more bytes or entries than it has, are errors. What it
// claims to have takes no memory.
func TestShortDirectories(t *testing.T) {
	numbers := func(size int, of ...uint64) []byte {
		body := make([]byte, size)
		for i, n := range append([]uint64{uint64(size)}, of...) {
			binary.LittleEndian.PutUint64(body[8*i:], n)
		}
		return body
	}
	for what, c := range map[string]struct {
		body []byte
		is   bool
	}{
		"nothing":                      {numbers(64), true},
		"removed ids":                  {numbers(64, fewestSliced-1), true},
		"too many removed ids":         {numbers(64, fewestSliced), false},
		"a frame without its fields":   {numbers(64, 0, 1, 0, 0, 0, 0, 0), false},
		"a frame with all fields":      {numbers(128, 0, 1, 0, 0, 0, 0, 0), true},
		"256 bytes beside a body":      {numbers(384, 0, 1, 0, 0, 8, 0, mostBeside-8), true},
		"257 bytes beside a body":      {numbers(384, 0, 1, 0, 0, 8, 0, mostBeside-7), false},
		"a name of too many bytes":     {numbers(128, 0, 1, 0, 1000), false},
		"too many frames":              {numbers(64, 0, 1000), false},
		"too many frames for memory":   {numbers(1<<17, 0, 1<<17), false},
		"a filter behind the file":     {numbers(128, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 64), false},
		"bytes behind the last matrix": {append(numbers(64), make([]byte, 64)...), false},
	} {
		data := fileOf(c.body)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := OpenBytes(data)
		runtime.ReadMemStats(&after)
		if errors.Is(err, simdbloom.ErrCorrupt) == c.is || c.is && (err != nil || s.Len() != 0) {
			t.Errorf("%s: %v", what, err)
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", what, bytes)
		}
	}
	for says, body := range map[string][]byte{
		" 64 bytes follow":  append(numbers(64), make([]byte, 64)...),
		" 257 bytes beside": numbers(384, 0, 1, 0, 0, 8, 0, mostBeside-7),
	} {
		if _, err := OpenBytes(fileOf(body)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want%s", err, says)
		}
	}
}

// TestOneFilter: whatever is wrong in a file of one filter, which has no matrix, the file is an error that says what.
func TestOneFilter(t *testing.T) {
	const size = 8192 - 192 + 5 // 192 are the directory's: the third piece has the filter's last bytes
	b := contract.Must(bloom.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(size)))
	s := New(keyhash.XX64)
	contract.Must(s.Append(contract.Must(b.Filter())))
	var data bytes.Buffer
	contract.Must(s.WriteTo(&data))
	file := contract.Must(stored.Parse(data.Bytes()))
	if got, err := OpenBytes(data.Bytes()); err != nil || got.Len() != 1 || len(file.Body) != 8192+64 {
		t.Fatalf("%d filters in %d bytes, %v", got.Len(), len(file.Body), err)
	}
	for at, says := range map[int]string{100: "piece 0 of 3", 5000: "piece 1 of 3", 8196: "piece 2 of 3", len(file.Body) - 1: "padding"} {
		file.Body[at] ^= 1
		if _, err := OpenBytes(data.Bytes(), filterfile.WithLazyCheck()); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), says) {
			t.Errorf("byte %d: %v", at, err)
		}
		file.Body[at] ^= 1
	}
	for _, name := range []string{"simdbloom.Unknown.XX64", "unknown"} {
		for _, bitsPerKey := range []float64{0, 10} {
			file.Cut()
			d, length, err := readDirectory(&source{file.Body, &file, file.Pieces})
			if err != nil {
				t.Fatal(err)
			}
			d.frames[0].name, d.frames[0].bitsPerKey = name, bitsPerKey
			if _, err := OpenBytes(fileOf(append(d.bytes(), file.Body[length:]...))); !errors.Is(err, simdbloom.ErrUnknown) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	data.Reset()
	s = New(keyhash.XX64)
	contract.Must(s.Append(contract.Must(bloom.Open(append(make([]byte, size-9), 0xff, 0, 6, 0, 0), keyhash.XX64))))
	contract.Must(s.WriteTo(&data))
	wrong := data.Bytes()
	wrong[len(wrong)-64] ^= 1 // the filter's last byte, which is the third piece's first
	if _, err := OpenBytes(wrong, filterfile.WithLazyCheck()); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
}

// TestMostFilters: no id is beyond 32 bits, and no tile beyond memory.
func TestMostFilters(t *testing.T) {
	f := contract.Must(bloom.Open(nil, keyhash.XX64))
	s := New(keyhash.XX64)
	ids := &s.collection().ids
	ids.n = mostFilters - 1
	if err := s.Grow(1); err != nil {
		t.Error(err)
	}
	if err := s.Grow(2); !errors.Is(err, simdbloom.ErrTooLarge) {
		t.Error(err)
	}
	if first, err := s.AppendAll([]*simdbloom.Filter{f, f}); first != 0 || !errors.Is(err, simdbloom.ErrTooLarge) {
		t.Errorf("%d, %v", first, err)
	}
	ids.n++
	if id, err := s.Append(f); id != 0 || !errors.Is(err, simdbloom.ErrTooLarge) || !strings.Contains(err.Error(), " 1 more") {
		t.Errorf("%d, %v", id, err)
	}
	of := &shape{kind: kind{bodyBytes: math.MaxInt / 8}}
	if err := of.prepare([]arrival{{column: 7}}, 0); !errors.Is(err, simdbloom.ErrTooLarge) || of.tiles != nil {
		t.Error(err)
	}
}
