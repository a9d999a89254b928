//go:build !unix

package mmap

import (
	"errors"
	"os"
)

// Map fails.
func Map(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

// ReadAhead does nothing.
func ReadAhead([]byte) {}

// Random does nothing.
func Random([]byte) {}

// Unmap does nothing.
func Unmap([]byte) {}
