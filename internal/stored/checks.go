package stored

import (
	"runtime"
	"sync"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/pieces"
)

// Begin checks all of the filter's bytes, or, lazily, its last ones, which decide how the rest is read, and leaves the
// others to f.Pieces.
func (f *File) Begin(lazily bool) error {
	const end = 256 // longer than every format's trailer: Linear's is the longest, of 136 bytes
	f.Cut()
	if lazily {
		if f.Mapping != nil {
			f.Pieces.ReadBy(mmap.ReadAhead)
		}
		f.Pieces.CheckFrom(max(len(f.Body)-end, 0))
		runtime.KeepAlive(f)
		return f.Err()
	}
	err := f.Check()
	f.Pieces = nil
	return err
}

// Cut makes f.Pieces, which check the bytes. Nothing is checked yet.
func (f *File) Cut() { f.Pieces = pieces.New(f.Body, f.PieceBytes, f.sums) }

// Check compares all checksums that were not compared yet.
func (f *File) Check() error {
	if f.Pieces != nil {
		f.Pieces.CheckAll()
		runtime.KeepAlive(f)
	}
	return f.Err()
}

// CheckFirst is Check of the piece that has the first byte.
func (f *File) CheckFirst() error {
	if f.Pieces != nil && len(f.Body) > 0 {
		f.Pieces.Check(0)
		runtime.KeepAlive(f)
	}
	return f.Err()
}

// Err returns the error about the piece that was found wrong first, if any was.
func (f *File) Err() error {
	if f.Pieces == nil {
		return nil
	}
	i, found := f.Pieces.FirstWrong()
	if !found {
		return nil
	}
	return corrupt("piece %d of %d, bytes %d to %d of the filter: its checksum is wrong",
		i, len(f.sums), i*f.PieceBytes, min((i+1)*f.PieceBytes, len(f.Body))-1)
}

// Copied returns the file with a copy of the filter in aligned memory. Its Pieces check bytes that were not checked.
func (f *File) Copied() *File {
	c := *f
	c.Body, c.Mapping, c.Pieces = aligned.Copy(f.Body), nil, nil
	if f.Pieces != nil && !f.Pieces.AllRight() {
		c.Pieces = pieces.New(c.Body, c.PieceBytes, c.sums)
	}
	runtime.KeepAlive(f)
	return &c
}

// Lend keeps the bytes mapped, which somebody reads who does not keep f reachable, until TakeBack.
func (f *File) Lend() {
	if f.Mapping != nil {
		lent.Store(f, nil)
	}
}

// TakeBack ends a Lend.
func (f *File) TakeBack() { lent.Delete(f) }

// lent has the Files whose mapped bytes are lent.
var lent sync.Map // of *File

// Recut gives the file's pieces, which are right, another size.
func (f *File) Recut(pieceBytes int) error {
	made, err := New(f.Format, f.Body, pieceBytes)
	if err == nil {
		made.Keys, made.BitsPerKey, made.Mapping = f.Keys, f.BitsPerKey, f.Mapping
		*f = made
	}
	return err
}
