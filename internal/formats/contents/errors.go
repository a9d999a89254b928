package contents

import "errors"

// ErrCorrupt is wrapped by every error about a filter's bytes.
var ErrCorrupt = errors.New("corrupt filter")

// ErrNoHash is returned where a key hash is required and the zero one was given.
var ErrNoHash = errors.New("the key hash is the zero Hash: pass one such as keyhash.XX64")

// AlwaysTrue is the filter that RocksDB writes where it gives up: zeros, which every reader, RocksDB's
// and Speedb's included, reads as "may contain everything".
var AlwaysTrue [6]byte

// ErrUnknown is wrapped by the errors about intact files that the reader cannot use.
var ErrUnknown = errors.New("unknown filter")

// Unknown returns an error about a name that is not known. It wraps [ErrUnknown], whose words it does not repeat.
func Unknown(err error) error { return unknown{err} }

type unknown struct{ error }

func (unknown) Unwrap() error { return ErrUnknown }
