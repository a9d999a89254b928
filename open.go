package simdbloom

import (
	"bytes"
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

var (
	// ErrCorrupt is wrapped by every error about a filter's bytes: they are damaged, cut short, or not a filter.
	ErrCorrupt = contents.ErrCorrupt

	// ErrUnknown is wrapped by the errors about intact stored filters whose format or key hash this version does not
	// know, or is not the one that is required.
	ErrUnknown = contents.ErrUnknown

	// ErrTooLarge is wrapped by the error for more keys than the format, or a slice on this machine,
	// can hold. [WithMaxBytes] prevents it.
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by a Builder's error if [WithVerification] found that the filter
	// lacks a key that was added.
	ErrVerification = building.ErrVerification
)

// Open returns the filter whose bytes are data, as the readers of a format read them. It is Open of
// the format's package.
//
// It does not copy data, which must neither change nor be freed while the filter is in use. If data
// is memory-mapped, fault it in first: a batch runs in assembly and cannot be preempted during a page
// fault. hash must be the key hash that the filter was built with.
//
// Open accepts any bytes, of any length and alignment, and checks them in constant time. Zero bytes
// contain no key, and formats that the readers do not know may contain every key. Bytes that are
// cut short or contradict themselves are an error that wraps [ErrCorrupt]. The zero Hash, and a Format
// that has no readers, are errors, too. Bits that were flipped inside a valid filter only a checksum
// can find: MarshalBinary's bytes have them.
func Open(format Format, data []byte, hash keyhash.Hash) (*Filter, error) {
	return openBy(formats.ReaderOf(asm.Format(format)), format, format, data, hash, nil)
}

// OpenLinked is Open of a format whose package is imported, also for its side effect only, and for others an
// error that names it. The Open of each format's package calls it: so a program that opens filters of one
// format does not contain the kernels of all.
func OpenLinked(format Format, data []byte, hash keyhash.Hash) (*Filter, error) {
	_, read, err := formats.Linked(asm.Format(format))
	if err != nil {
		return nil, fmt.Errorf("simdbloom: %v: %w", format, err)
	}
	return openBy(read, format, format, data, hash, nil)
}

// openAs is Open of bytes that were recorded under a format's name, which may have the number of blocks in a batch.
// They may be a file's.
func openAs(format, named Format, batchBlocks int, data []byte, hash keyhash.Hash, file *stored.File) (*Filter, error) {
	return openBy(formats.ReaderNamed(asm.Format(format), batchBlocks), format, named, data, hash, file)
}

func openBy(read contents.Reader, format, named Format, data []byte, hash keyhash.Hash, file *stored.File) (*Filter, error) {
	switch {
	case hash.IsZero():
		return nil, wrap(contents.ErrNoHash)
	case read == nil:
		return nil, fmt.Errorf("simdbloom: filters of the format %v cannot be opened", format)
	}
	c, err := read.Read(data)
	if err != nil {
		return nil, fmt.Errorf("simdbloom: %v: %w", format, err)
	}
	c.Decide(hash)
	f := &Filter{kernel: c.Kernel(), hash: hash, data: data, file: file, named: named, reader: format, format: Format(c.Format)}
	if file != nil && file.Pieces != nil {
		if err := f.checkLazily(); err != nil {
			return nil, err
		}
	}
	hashBy(&f.kernel, hash)
	return f, nil
}

// checkLazily has lookups check the file's bytes. It checks a header, by which the rest is read.
func (f *Filter) checkLazily() error {
	header := formats.Of(asm.Format(f.format)).HeaderBytes
	if header > 0 {
		if err := f.file.CheckFirst(); err != nil {
			return wrap(err)
		}
	}
	f.kernel.CheckLazily(f.file.Pieces, header)
	return nil
}

// OpenNamed returns the filter whose bytes were recorded under a name such as
// "simdbloom.FastLocal.XX64": the format and the key hash, as package policy's Name and stored filters
// have it. Data is used as by [Open].
//
// RocksDB has filters of three formats under one name, so under the names of its key hashes, XXPH3 and
// RocksDB32, keys are looked up in FastLocal, Ribbon and Legacy filters, whichever the bytes are. Of a
// filter whose key hash is another one than the name's, ContainsHash is always true.
//
// hash is the one that the name ends with. It may be zero for a hash that package keyhash has. An
// error wraps [ErrCorrupt], or [ErrUnknown] if the name is not known or ends with another hash.
func OpenNamed(name string, data []byte, hash keyhash.Hash) (*Filter, error) {
	return openNamed(name, data, hash, nil)
}

// openNamed is OpenNamed of bytes that may be a file's.
func openNamed(name string, data []byte, hash keyhash.Hash, file *stored.File) (*Filter, error) {
	format, hash, err := formats.ParseName(name, hash)
	if err != nil {
		return nil, wrap(err)
	}
	reader, own := Format(format), hash
	switch {
	case hash == keyhash.XXPH3 && (reader == FastLocal || reader == Ribbon), hash == keyhash.RocksDB32 && reader == Legacy:
		switch is := Format(rocksdb.FormatOf(data)); is {
		case FastLocal, Ribbon:
			reader, own = is, keyhash.XXPH3
		case Legacy:
			reader, own = is, keyhash.RocksDB32
		}
	case bytes.Equal(data, contents.AlwaysTrue[:]): // what a store writes in place of a filter
		if _, flaw := formats.ReaderOf(format)(data); flaw != "" {
			reader = FastLocal
		}
	}
	f, err := openAs(reader, Format(format), formats.BatchBlocksOf(name), data, own, file)
	if err != nil || own == hash {
		return f, err
	}
	return keysOnly(f, Format(format), hash), nil
}

// keysOnly returns a filter that looks up keys in f, and may contain every hash.
func keysOnly(f *Filter, named Format, hash keyhash.Hash) *Filter {
	kernel := asm.NewConstant(true)
	kernel.KeysOf(&f.kernel)
	return &Filter{kernel: kernel, hash: hash, data: f.data, file: f.file, named: named, reader: f.reader, format: f.format}
}

// hashBy sets the key hash of a filter's kernel. It does not return the Kernel: copying one slows Open down.
func hashBy(kernel *asm.Kernel, hash keyhash.Hash) {
	switch hash {
	case keyhash.XX64:
		kernel.HashBy(asm.XX64, nil)
	case keyhash.XXPH3:
		kernel.HashBy(asm.XXPH3, nil)
	case keyhash.LevelDB32:
		kernel.HashBy(asm.LevelDB32, nil)
	case keyhash.RocksDB32:
		kernel.HashBy(asm.RocksDB32, nil)
	default:
		kernel.HashBy(asm.OutsideHash, func(sums []uint64, keys [][]byte) { hash.AppendHashes(sums[:0], keys) })
	}
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("simdbloom: %w", err)
}
