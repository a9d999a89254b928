package dcso

import (
	"io"

	"github.com/simdbloom/simdbloom/internal/classic"
	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/nocopy"
)

// File is a filter in a file. [OpenFile] returns it. Do not copy it: go vet reports copies.
type File struct {
	_ nocopy.Mark
	*Filter
	pages *classic.Pages // nil if it is not mapped
}

// OpenFile returns the filter in a file. On Unix systems it maps the file into memory and reads its header;
// elsewhere, and where that fails, and if the file is in gzip, it reads all of it, as [Read] does. Close the File
// when you are done: a mapped file stays mapped until then. It returns Open's errors, and the system's. A
// directory, a device or a pipe is an error, too.
//
// A mapped file's pages are the system's, which may drop them when memory is short, and read
// them again. Nobody may write to the file or shorten it while it is mapped: then lookups
// give wrong answers, or the program ends.
//
// In a file that memory does not hold, a lookup waits for the disk up to k times. ContainsKeys and ContainsHashes
// have the system read the pages of 256 keys at once: give them many.
func OpenFile(path string) (*File, error) {
	file, err := mmap.OpenRegular(path)
	if err != nil {
		return nil, wrap(err)
	}
	defer file.Close()
	start := make([]byte, headerBytes)
	n, err := file.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return nil, wrap(err)
	}
	if !isGzip(start[:n]) {
		if pages := classic.Map(file); pages != nil {
			return openMapped(pages)
		}
	}
	f, err := Read(file)
	if err != nil {
		return nil, err
	}
	return &File{Filter: f}, nil
}

func openMapped(pages *classic.Pages) (*File, error) {
	f, err := Open(pages.Bytes())
	if err != nil {
		pages.Unmap()
		return nil, err
	}
	f.array = pages.Bits(f.words, f.end)
	return &File{Filter: f, pages: pages}, nil
}

// Close ends the use of the file. Lookups that are under way in other goroutines end as they would
// have; later ones panic. A mapped file is unmapped by the garbage collector, when no
// lookup uses it any more. Close must not be called while another goroutine begins a lookup. It returns nil.
func (f *File) Close() error {
	if f.pages != nil {
		f.pages.Release()
	}
	f.Filter, f.pages = nil, nil
	return nil
}
