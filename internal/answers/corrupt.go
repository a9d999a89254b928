// Package answers is what the two filters share of being read: the error for
// bytes that are no filter, and the way from a kernel's answer bits to bools,
// indexes and keys.
package answers

import (
	"errors"
	"fmt"
)

// ErrCorrupt is wrapped by every error about a filter's bytes.
var ErrCorrupt = errors.New("corrupt filter")

// ErrNoHash is returned where a key hash is required and the zero one was given.
var ErrNoHash = errors.New("no key hash was given")

// Corrupt returns the error for bytes with the given flaw.
func Corrupt(data []byte, flaw string) error {
	return fmt.Errorf("%w: %d bytes: %s", ErrCorrupt, len(data), flaw)
}
