// Package ranges reads ranges of files for filterfile.OpenAt and filterset.OpenAt: of an [fs.FS], and of an HTTP
// server, such as an object store's.
package ranges

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/simdbloom/simdbloom/filterfile"
)

// FS reads the files of a file system, such as os.DirFS(folder). They must be [io.ReaderAt]: others are an error. Each
// range is one opening of the file. A file whose size or time has changed since its first range is an error.
func FS(fsys fs.FS) filterfile.Ranges { return &files{fsys: fsys} }

type files struct {
	fsys fs.FS
	seen versions
}

func (f *files) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	file, err := f.fsys.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := f.seen.check(name, fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())); err != nil {
		return err
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		return fmt.Errorf("%s: a %T cannot be read at an offset", name, file)
	}
	n, err := at.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return err
}
