package sliced

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/replace"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// family is the name of a file's format, before that of the key hash.
const family = "simdbloom.Sliced."

// WriteFile writes the filters to a file, which [Open] opens, as [filterfile.WriteFile] does: after a crash there is
// the old file or the new one, whole, and Filters that were opened from the old one keep it.
//
// It copies nothing. Any number of goroutines may look up meanwhile.
func (s *Filters) WriteFile(path string) error {
	return s.write(func(file *stored.File) error {
		return replace.File(path, 0o666, func(f *os.File) error {
			_, err := file.WriteTo(f)
			return err
		})
	})
}

// WriteTo writes the bytes of a file to w, and returns how many.
func (s *Filters) WriteTo(w io.Writer) (n int64, err error) {
	err = s.write(func(file *stored.File) (err error) {
		n, err = file.WriteTo(w)
		return err
	})
	return n, err
}

func (s *Filters) write(to func(*stored.File) error) error {
	c := s.opened.Load()
	if c == nil {
		return errClosed
	}
	defer runtime.KeepAlive(c)
	if c.source != nil {
		if err := c.source.file.Check(); err != nil {
			return wrap(err)
		}
	}
	file, err := c.file()
	if err == nil {
		err = to(&file)
	}
	return wrap(err)
}

// file returns the stored form of the filters.
func (c *collection) file() (stored.File, error) {
	if c.hash.IsZero() {
		return stored.File{}, contents.ErrNoHash
	}
	d, err := c.directory()
	if err != nil {
		return stored.File{}, err
	}
	directory := d.bytes()
	size := uint64(len(directory))
	for _, l := range d.loose {
		size += uint64(padded(int(l.bytes), lineBytes))
	}
	for _, s := range c.shapes {
		if s.tiles != nil {
			size += s.matrixBytes()
		}
	}
	return stored.NewOf(family+c.hash.Name(), size, stored.LeastPieceBytes, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		b.Write(directory)
		for _, f := range c.loose.filters {
			data := f.Bytes()
			b.Write(data)
			b.Write(make([]byte, padded(len(data), lineBytes)-len(data)))
		}
		for _, s := range c.shapes {
			if s.tiles != nil {
				s.writeMatrix(b)
			}
		}
		return b.Flush()
	})
}

// directory returns the contents of the file's directory.
func (c *collection) directory() (d directory, err error) {
	frames := make(map[frame]uint64)
	number := func(f frame) uint64 {
		n, found := frames[f]
		if !found {
			n = uint64(len(d.frames))
			frames[f], d.frames = n, append(d.frames, f)
		}
		return n
	}
	d.ids = uint64(c.ids.n)
	numbers := make([]uint64, len(c.shapes)) // of those that have a matrix
	for i, s := range c.shapes {
		if numbers[i] = uint64(len(d.shapes)); s.tiles != nil {
			d.shapes = append(d.shapes, shapeEntry{number(*s.usual), uint64(s.bodyBytes), uint64(s.columns)})
		}
	}
	for i, f := range c.loose.filters {
		fr := frame{name: f.Name(), bitsPerKey: f.BitsPerKey()}
		if _, err := openNamed(fr.name, fr.bitsPerKey, f.Bytes(), c.hash); err != nil {
			return d, fmt.Errorf("filter %d could not be read again: %w", c.loose.ids[i], err)
		}
		d.loose = append(d.loose, looseEntry{uint64(c.loose.ids[i]), number(fr), uint64(f.SizeBytes())})
	}
	for id := range c.ids.n {
		if fr := c.odd[id]; fr != nil && c.loose.filter(id) == nil {
			d.odd = append(d.odd, oddEntry{uint64(id), number(*fr)})
		}
	}
	ids := c.ids.n
	if c.ids.places == nil && (len(d.shapes) > 0 || ids < fewestSliced) { // a reader knows them
		ids = 0
	}
	for id := range ids {
		if at := c.ids.place(id); !c.ids.has(id) || at.shape == noShape || c.shapes[at.shape].tiles == nil {
			d.places = append(d.places, unplaced)
		} else {
			d.places = append(d.places, numbers[at.shape]<<32|uint64(at.column))
		}
	}
	return d, nil
}

// A matrix has whole rows: a tile's continues the one before.

// matrixStride returns the distance of rows of a matrix with the given number of columns.
func matrixStride(columns int) int { return strideOf(width(columns)) }

// matrixBytes returns the size of the shape's matrix, with zeros up to a multiple of lineBytes.
func (s *shape) matrixBytes() uint64 {
	n := uint64(matrixStride(s.columns)) * uint64(s.rows())
	return (n + lineBytes - 1) / lineBytes * lineBytes
}

func (s *shape) writeMatrix(w *bufio.Writer) {
	stride := matrixStride(s.columns)
	zeros := make([]byte, stride+lineBytes)
	for row := range s.rows() {
		left := stride
		for i := range s.tiles {
			t := &s.tiles[i]
			part := t.memory[row*t.stride:][:s.tileWidth(i)]
			w.Write(part)
			left -= len(part)
		}
		w.Write(zeros[:left])
	}
	w.Write(zeros[:int(s.matrixBytes())-stride*s.rows()])
}
