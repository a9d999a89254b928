package redisbloom

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"

	"github.com/simdbloom/simdbloom"
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

// OpenFile returns the filter in a file: a dump for [Open], or all replies of "redis-cli --raw
// BF.SCANDUMP", one behind the other, with their iterators. On Unix systems it maps a dump into memory and reads
// its header; elsewhere, and for replies, it reads all of the file. Close the File when you are done: a mapped
// file stays mapped until then. It returns Open's errors, and the system's. A directory, a device or a pipe is
// an error, too.
//
// A mapped file's pages are the system's, which may drop them when memory is short, and read them again. Nobody
// may write to the file or shorten it while it is mapped: then lookups give wrong answers, or the program ends.
//
// In a file that memory does not hold, a lookup waits for the disk up to once a probe. ContainsKeys has the system
// read the pages of 256 keys at once: give it many.
func OpenFile(path string) (*File, error) {
	file, err := mmap.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("redisbloom: %w", err)
	}
	defer file.Close()
	pages := classic.Map(file)
	if pages == nil {
		data, err := io.ReadAll(file)
		if err != nil {
			return nil, fmt.Errorf("redisbloom: %w", err)
		}
		f, err := Open(data)
		if err != nil {
			return openReplies(data, err)
		}
		return &File{Filter: f}, nil
	}
	f, err := Open(pages.Bytes())
	if err != nil {
		defer pages.Unmap()
		return openReplies(pages.Bytes(), err)
	}
	at := f.header.bytes()
	for i := range f.links {
		l := &f.links[i]
		l.array = pages.Bits(at, at+len(l.words))
		at += len(l.words)
	}
	return &File{Filter: f, pages: pages}, nil
}

// openReplies returns the filter of replies, which it copies. If they are none, it returns the error.
func openReplies(data []byte, err error) (*File, error) {
	for _, l := range layouts {
		dump, ended, is, flaw := l.join(data)
		if is && flaw == nil {
			var f *Filter
			if f, flaw = Open(dump); flaw == nil {
				return &File{Filter: f}, nil
			}
			if !ended {
				flaw = fmt.Errorf("%w, and the last reply, of the iterator 0, is missing: call BF.SCANDUMP until it returns 0", flaw)
			}
		}
		if is {
			err = flaw
		}
	}
	return nil, err
}

// firstIterator begins the reply that has the header.
const firstIterator = "1\n"

// join returns the data of replies, whether the last one is there, and whether they are replies in this layout. Each
// one is an iterator, a newline, the data, and a newline. The first iterator is 1, before the header. The others are 1
// and the number of bytes up to the end of their data, without the header. The last one, which may be missing, is 0,
// without data.
func (l layout) join(replies []byte) (dump []byte, ended, is bool, err error) {
	rest, ok := bytes.CutPrefix(replies, []byte(firstIterator))
	if !ok || len(rest) < l.fixed {
		return nil, false, false, nil
	}
	count := uint64(binary.LittleEndian.Uint32(rest[8:]))
	size := uint64(l.fixed) + count*uint64(l.link)
	if size >= uint64(len(rest)) || rest[size] != '\n' {
		return nil, false, false, nil
	}
	dump, rest = append(make([]byte, 0, len(replies)), rest[:size]...), rest[size+1:]
	for from := uint64(1); len(rest) > 0; {
		line, data, _ := bytes.Cut(rest, []byte("\n"))
		if len(line) > 20 { // more digits than a number has
			line = nil
		}
		next, err := strconv.ParseUint(string(line), 10, 64)
		if err == nil && next == 0 && len(bytes.Trim(data, "\n")) == 0 {
			return dump, true, true, nil
		}
		n := next - from
		if err != nil || next <= from || n > uint64(len(data)) || n < uint64(len(data)) && data[n] != '\n' {
			return nil, false, true, fmt.Errorf("redisbloom: %w: %d bytes: the reply at byte %d does not continue the one before it: a part is missing or damaged", simdbloom.ErrCorrupt, len(replies), len(replies)-len(rest))
		}
		dump, rest, from = append(dump, data[:n]...), data[min(n+1, uint64(len(data))):], next
	}
	return dump, false, true, nil
}

// Close ends the use of the file. Lookups that are under way in other goroutines end as they would have; later
// ones panic. A mapped file is unmapped by the garbage collector, when no lookup uses it any more. Close must not
// be called while another goroutine begins a lookup. It returns nil.
func (f *File) Close() error {
	if f.pages != nil {
		f.pages.Release()
	}
	f.Filter, f.pages = nil, nil
	return nil
}
