package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A kind of file that is not a list of keys as it is.
type kind struct {
	name     string
	begins   string
	open     func(head) (io.ReadCloser, error) // nil if it is not read
	todo     string
	onlyText bool // binary keys may begin so
}

// kinds are all kinds that are known by their first bytes. No list of text begins so, and binary keys hardly ever.
var kinds = allKinds()

var tar = kind{name: "a tar archive", todo: through("tar -xOf FILE"), onlyText: true}

// through explains how to read a file by another program.
func through(command string) string {
	return fmt.Sprintf("pipe it through a program that reads it, \"%s | simdbloom …\"", command)
}

func allKinds() (all []kind) {
	const (
		columns = "write its column as lines or as Parquet"
		noKeys  = "it has no keys to read"
		picture = "it is no list of keys"
	)
	read := func(name string, open func(head) (io.ReadCloser, error), begins ...string) {
		for _, b := range begins {
			all = append(all, kind{name: name, begins: b, open: open})
		}
	}
	refuse := func(name, todo string, begins ...string) {
		for _, b := range begins {
			all = append(all, kind{name: name, begins: b, todo: todo, onlyText: len(b) < 4})
		}
	}
	var control []string // control characters that do not follow a letter in text
	for c := range byte(' ') {
		if !bytes.Contains([]byte("\t\n\r"), []byte{c}) {
			control = append(control, string(rune(c)))
		}
	}
	read("gzip", openGzip, "\x1f\x8b\x08")
	read("Zstandard", openZstd, "\x28\xb5\x2f\xfd")
	for nibble := range 16 { // skippable frames, which pzstd writes first
		read("Zstandard", openZstd, string([]byte{0x50 + byte(nibble), 0x2a, 0x4d, 0x18}))
	}
	for level := '1'; level <= '9'; level++ {
		read("bzip2", openBzip2, "BZh"+string(level)+"1AY&SY", "BZh"+string(level)+"\x17rE8P\x90") // a block, or the end
	}
	refuse("a file compressed by xz", through("xz -dc FILE"), "\xfd7zXZ\x00")
	refuse("a file compressed by LZMA", through("xz -dc --format=lzma FILE"), "\x5d\x00\x00")
	refuse("a file compressed by lzip", through("lzip -dc FILE"), "LZIP\x01", "LZIP\x00")
	refuse("a file compressed by lzop", through("lzop -dc FILE"), "\x89LZO\x00\r\n\x1a\n")
	refuse("a file compressed by LZ4", through("lz4 -dc FILE"), "\x04\x22\x4d\x18", "\x02\x21\x4c\x18", "\x03\x21\x4c\x18")
	refuse("a file compressed by Snappy", through("snzip -dc FILE"), "\xff\x06\x00\x00sNaPpY")
	refuse("a file compressed by MinLZ", through("mz d -c FILE"), "\xff\x06\x00\x00MinLz")
	refuse("a file compressed by S2", through("s2d -c FILE"), "\xff\x06\x00\x00S2sTwO")
	refuse("a file compressed by zlib", through("zlib-flate -uncompress < FILE"), "x\x01", "x\x9c", "x\xda")
	refuse("a file compressed by compress", through("zcat FILE"), "\x1f\x9d", "\x1f\xa0")
	refuse("a file compressed by pack", through("zcat FILE"), "\x1f\x1e")
	refuse("a file compressed by lrzip", through("lrzip -dc FILE"), "LRZI\x00")
	refuse("a ZIP archive (or a document of an office program)", through("unzip -p FILE"), "PK\x03\x04", "PK\x07\x08")
	refuse("an empty ZIP archive", noKeys, "PK\x05\x06")
	refuse("a 7z archive", through("7z x -so FILE"), "7z\xbc\xaf\x27\x1c")
	refuse("a RAR archive", through("unrar p -inul FILE"), "Rar!\x1a\x07")
	refuse("a cabinet file", through("cabextract -p FILE"), "MSCF\x00\x00\x00\x00")
	refuse("an ar archive", through("ar p FILE"), "!<arch>\n")
	for _, c := range control { // words begin with PAR, too
		refuse("a Parquet file", "\"simdbloom build -parquet=COLUMN\" reads a column of it", "PAR1"+c)
		refuse("an encrypted Parquet file", noKeys, "PARE"+c)
		refuse("an ORC file", columns, "ORC"+c)
	}
	refuse("an Arrow file", columns, "ARROW1\x00\x00")
	refuse("an Avro file", columns, "Obj\x01")
	refuse("a sequence file of Hadoop", columns, "SEQ\x06", "SEQ\x05", "SEQ\x04")
	refuse("an HDF5 file", columns, "\x89HDF\r\n\x1a\n")
	refuse("an array of NumPy", columns, "\x93NUMPY")
	refuse("a pickle of Python", columns, "\x80\x02", "\x80\x03", "\x80\x04\x95", "\x80\x05\x95")
	refuse("an SQLite database", "pipe a query through it, \"sqlite3 FILE 'select …' | simdbloom …\"", "SQLite format 3\x00")
	refuse("a dump of PostgreSQL", through("pg_restore -f - FILE"), "PGDMP\x01")
	refuse("an office document of the old format", "save its column as CSV", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	refuse("a PDF file", through("pdftotext FILE -"), "%PDF-1.", "%PDF-2.")
	refuse("a picture", picture, "\x89PNG\r\n\x1a\n", "\xff\xd8\xff")
	refuse("a filter file of simdbloom", noKeys, "\x89SBF\r\n\x1a\n")
	refuse("a program", noKeys, "\x7fELF", "MZ\x90\x00", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm")
	for _, mark := range []string{"\xff\xfe\x00\x00", "\x00\x00\xfe\xff"} {
		all = append(all, kind{name: "text in UTF-32", begins: mark, todo: through("iconv -f UTF-32 -t UTF-8 FILE"), onlyText: true})
	}
	return all
}

// kindOf returns the kind of a list that begins so, or nil.
func kindOf(seen []byte, text Text) *kind {
	for i := range kinds {
		if k := &kinds[i]; bytes.HasPrefix(seen, []byte(k.begins)) && (text != Binary || !k.onlyText) {
			return k
		}
	}
	if text != Binary && len(seen) > tarMagicAt && bytes.HasPrefix(seen[tarMagicAt:], []byte(tarMagic)) {
		return &tar
	}
	return nil
}

// mostWindow is the largest window that "zstd -d" accepts without --long, too. A frame of a few bytes may ask for any.
const mostWindow = 128 << 20

func openZstd(from head) (io.ReadCloser, error) {
	d, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow))
	if err != nil {
		return nil, err
	}
	return &zstdReader{ReadCloser: d.IOReadCloser()}, nil
}

// zstdReader adds advice about large windows, dictionaries, and what is behind the data.
type zstdReader struct {
	io.ReadCloser
	any bool // bytes were read
}

func (r *zstdReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		err = adviceError{fmt.Errorf("needs more than %d MiB of memory: %s", mostWindow>>20, through("zstd -dc --long=31 FILE"))}
	case errors.Is(err, zstd.ErrUnknownDictionary):
		err = adviceError{fmt.Errorf("needs the dictionary with which it was compressed: %s", through("zstd -dc -D DICTIONARY FILE"))}
	case errors.Is(err, zstd.ErrMagicMismatch) && r.any:
		err = errBehind("zstd -dc FILE")
	}
	r.any = r.any || n > 0
	return n, err
}
