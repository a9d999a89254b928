package filterfile

import (
	"os"

	"github.com/simdbloom/simdbloom/internal/replace"
)

// WriteFile writes a filter file. It writes another file in the same folder, has the system
// store it, and renames it to path, so that after a crash there is the old file or the new one,
// whole, and whoever has the old one open keeps it. A symbolic link is replaced, not what it
// points to. A new file's permissions are 0666 before umask; an old one's are kept.
//
// After an error the old file is there, unless the error mentions that path is written. The other file is named
// ".NAME.NUMBER.tmp", where NAME is path's last element. A killed program leaves it, and the next WriteFile of path
// removes it: a file of such a name that nobody has locked (flock), or on Windows open. Where the system has no locks,
// it stays, as in folders of more than 10,000 files. The name is up to 26 bytes longer than NAME: file systems have a
// limit.
//
// WriteFile needs no memory for a copy of f, unless f is a [simdbloom.Concurrent], of which it takes one: keys may be
// added to that meanwhile.
//
// Any number of goroutines and programs may write the same file: one of them is the last.
func WriteFile(path string, f Source, options ...WriteOption) error {
	made, err := seal(f, options)
	if err != nil {
		return err
	}
	return wrap(replace.File(path, 0o666, func(file *os.File) error {
		_, err := made.WriteTo(file)
		return err
	}))
}
