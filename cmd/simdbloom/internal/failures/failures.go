// Package failures writes the errors of files for people.
package failures

import (
	"errors"
	"io/fs"
)

// WithoutName removes the file's name from an error, before which the command prints it.
func WithoutName(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
