package mmap

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBusy reports whether a file was not opened because another one is taking its place, which takes a moment.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}
