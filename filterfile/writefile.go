package filterfile

import (
	"os"
	"runtime"

	"github.com/simdbloom/simdbloom/internal/replace"
)

// WriteFile writes a filter file. It writes another file in the same folder, has the system
// store it, and renames it to path, so that after a crash there is the old file or the new one,
// whole, and whoever has the old one open keeps it. A symbolic link is replaced, not what it
// points to. A new file's permissions are 0666 before umask; an old one's are kept.
//
// After an error the old file is there, unless the error mentions that path is written. After a crash,
// a file named ".NAME.NUMBER.tmp" may be left beside path, where NAME is path's last element. Nothing
// uses it, and nothing removes it: another program could be writing it. Remove such files when nobody
// writes path. The name is up to 26 bytes longer than NAME: file systems have a limit.
//
// Any number of goroutines and programs may write the same file: one of them is the last.
func WriteFile(path string, f Source, options ...WriteOption) error {
	made, err := New(f, options...)
	if err != nil {
		return err
	}
	o, err := made.checked()
	if err != nil {
		return err
	}
	err = replace.File(path, 0o666, func(file *os.File) error {
		_, err := o.File.WriteTo(file)
		return err
	})
	runtime.KeepAlive(o)
	return wrap(err)
}
