package sliced

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// Open returns the Filters in a file that WriteFile wrote. On Unix systems it maps the file into memory, with all that
// [filterfile.Open] documents. It reads and checks the whole file; with [filterfile.WithLazyCheck] only what it needs
// at once, and lookups check each piece of 4 KiB when they first read it. Rows in a piece that is wrong rule out no
// filter, and [Filters.Err] names the piece. A key hash from keyhash.New needs [filterfile.WithHash].
//
// Append, AppendAll and Remove copy a tile that they change, of up to 32,768 filters, into memory: the file stays as it
// is until WriteFile replaces it.
//
// The error wraps [simdbloom.ErrCorrupt] if the bytes are wrong, [simdbloom.ErrUnknown] if the file has another key
// hash or something else than Filters, or the system's error.
func Open(path string, options ...filterfile.OpenOption) (*Filters, error) {
	file, err := mmap.OpenRegular(path)
	if err != nil {
		return nil, wrap(err)
	}
	defer file.Close()
	o := checked.OptionsOf(options)
	loaded, err := checked.Load(file, o)
	if err != nil {
		return nil, checked.About(path, wrap(err))
	}
	c, err := read(&loaded, o)
	if err != nil {
		return nil, checked.About(path, err)
	}
	return filtersOf(c), nil
}

// OpenBytes returns the Filters in the bytes of a file, without copying them: they must neither change nor be freed
// while the Filters are in use. It accepts any bytes. Bytes that begin at a multiple of 64 are looked up fastest.
func OpenBytes(data []byte, options ...filterfile.OpenOption) (*Filters, error) {
	file, err := stored.Parse(data)
	if err != nil {
		return nil, wrap(err)
	}
	c, err := read(&file, checked.OptionsOf(options))
	if err != nil {
		return nil, err
	}
	return filtersOf(c), nil
}

// read returns the filters of a file, which it checks as the options say.
func read(file *stored.File, o checked.Options) (*collection, error) {
	name, is := strings.CutPrefix(file.Format, family)
	if !is {
		return nil, fmt.Errorf("sliced: %w: the format %q: package filterfile opens files of one filter", contents.ErrUnknown, file.Format)
	}
	hash, err := formats.HashNamed(name, o.Hash)
	if err != nil {
		return nil, wrap(err)
	}
	file.Cut()
	from := &source{file.Body, file, file.Pieces}
	if !o.Lazy {
		if err := file.Check(); err != nil {
			return nil, wrap(err)
		}
	}
	r := reader{c: &collection{hash: hash, source: from}, from: from}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.c, nil
}
