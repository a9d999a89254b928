// Package answers has what the filters share for queries: the errors for bytes and hashes
// that Open refuses, the sizes of the pieces that batches are looked up in, and the way
// from answer bits to indexes.
//
// Code that calls a kernel is in each filter's own package. Through an interface or a type
// parameter, a kernel would cost an indirect call, and the compiler would move its hashes
// and bits from the stack to the heap. Package twins in internal/test keeps the copies the
// same.
package answers

import (
	"errors"
	"fmt"
)

// ErrCorrupt is wrapped by every error about a filter's bytes.
var ErrCorrupt = errors.New("corrupt filter")

// ErrNoHash is returned where a key hash is required and the zero one was given.
var ErrNoHash = errors.New("the key hash is the zero Hash")

// Corrupt returns the error for bytes with the given flaw.
func Corrupt(data []byte, flaw string) error {
	return fmt.Errorf("%w: %d bytes: %s", ErrCorrupt, len(data), flaw)
}
