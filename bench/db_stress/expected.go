package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// version is the number of an operation on a key, from 1 on, and whether the key is there after it.
// Version 0 is a key that was never written.
type version uint32

func (v version) present() bool { return v&1 != 0 }

func (v version) next(present bool) version {
	next := v&^1 + 2
	if present {
		next++
	}
	return next
}

func (v version) String() string {
	switch {
	case v == 0:
		return "absent"
	case v.present():
		return fmt.Sprintf("version %d", v>>1)
	}
	return fmt.Sprintf("deleted by version %d", v>>1)
}

// expected has the store's expected values, in a file outside of it. For each key the file has two
// versions. The settled one survives a kill: the store acknowledged it, or a later write to the same
// log, after the operating system had it. The latest is written before its operation begins. So
// after a kill, a key has one of the two. A key has no further operation before these are the same.
//
// The file is written by one system call of 8 aligned bytes for each change. The system has them
// when the call returns, whatever becomes of the process. (Not of the machine: nothing here is about
// that.) One goroutine may change a key at a time; any number may read.
type expected struct {
	file       *os.File
	prefixSize int
	keys       []expectedKey
}

type expectedKey struct {
	recorded atomic.Uint64 // settled and latest, as in the file
	applied  atomic.Uint32 // the version that this process's reads must see, or a later one
}

const (
	expectedMagic  = "dbstress"
	expectedHeader = 8 + 8 + 8 // the magic, the number of keys and the prefix size
)

func newExpected(file string, keys, prefixSize int) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	data := []byte(expectedMagic)
	data = binary.LittleEndian.AppendUint64(data, uint64(keys))
	data = binary.LittleEndian.AppendUint64(data, uint64(prefixSize))
	return os.WriteFile(file, append(data, make([]byte, 8*keys)...), 0o666)
}

func openExpected(file string) (*expected, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if len(data) < expectedHeader || string(data[:8]) != expectedMagic {
		return nil, fmt.Errorf("%s is not an expected state", file)
	}
	keys := binary.LittleEndian.Uint64(data[8:])
	e := &expected{prefixSize: int(binary.LittleEndian.Uint64(data[16:]))}
	data = data[expectedHeader:]
	if uint64(len(data)) != 8*keys || e.prefixSize < 0 || e.prefixSize > headBytes {
		return nil, fmt.Errorf("%s is damaged", file)
	}
	e.keys = make([]expectedKey, keys)
	for i := range e.keys {
		e.keys[i].recorded.Store(binary.LittleEndian.Uint64(data[8*i:]))
		e.keys[i].applied.Store(uint32(e.settled(i)))
	}
	e.file, err = os.OpenFile(file, os.O_RDWR, 0)
	return e, err
}

func (e *expected) close() error { return e.file.Close() }

func (e *expected) settled(i int) version { return version(e.keys[i].recorded.Load()) }

func (e *expected) latest(i int) version { return version(e.keys[i].recorded.Load() >> 32) }

// pending reports whether it is unknown which of two versions would survive a kill.
func (e *expected) pending(i int) bool { return e.settled(i) != e.latest(i) }

// begin records that an operation is about to begin, and returns its version.
func (e *expected) begin(i int, present bool) (version, error) {
	if e.pending(i) {
		return 0, errors.New("an operation on a key with a pending one")
	}
	v := e.latest(i).next(present)
	return v, e.record(i, e.settled(i), v)
}

// apply is called when the store has acknowledged the latest version, so that reads see it.
func (e *expected) apply(i int) { e.keys[i].applied.Store(uint32(e.latest(i))) }

// settle records that the version survives kills.
func (e *expected) settle(i int, v version) error {
	e.keys[i].applied.Store(uint32(v))
	return e.record(i, v, v)
}

func (e *expected) record(i int, settled, latest version) error {
	word := uint64(latest)<<32 | uint64(settled)
	e.keys[i].recorded.Store(word)
	_, err := e.file.WriteAt(binary.LittleEndian.AppendUint64(nil, word), expectedHeader+8*int64(i))
	return err
}

// span is which versions of a key a read may see, from the one that was applied when the read
// began, to the one that had begun when it ended.
type span struct{ from, to version }

// before begins a span.
func (e *expected) before(i int) version { return version(e.keys[i].applied.Load()) }

// since ends it.
func (e *expected) since(i int, from version) span { return span{from, e.latest(i)} }

// allows reports whether a read may have found a version of the key, or, for 0, that it is absent.
func (s span) allows(found version) bool {
	if found.present() {
		return s.from <= found && found <= s.to
	}
	// Between two versions that are no neighbours, any may have been a deletion.
	return !s.from.present() || !s.to.present() || s.to>>1 > s.from>>1+1
}

func (s span) String() string {
	if s.from == s.to {
		return s.from.String()
	}
	return fmt.Sprintf("%v, %v, or one between them", s.from, s.to)
}
