package failures

import (
	"errors"
	"os"
)

// OpenRegular opens a file that is no folder, device or pipe. It does not open others: a named pipe would wait for a
// writer. Its error has the file's name.
func OpenRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

// OpenSized is OpenRegular, and returns the file's size.
func OpenSized(name string) (file *os.File, size int64, err error) {
	if file, err = OpenRegular(name); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}
