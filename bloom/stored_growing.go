package bloom

import (
	"io"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// MarshalBinary returns the bytes of a filter file, as package filterfile writes it: the format,
// the key hash's name, checksums, and the filter as it is now. [Mutable.UnmarshalBinary],
// [Filter.UnmarshalBinary] and package filterfile read it.
//
// It reads the filter for the checksums, and copies it. It is an error if m is the zero Mutable, or
// if the name of the key hash is longer than 1,000 bytes.
func (m *Mutable) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// AppendBinary appends to dst what MarshalBinary returns.
func (m *Mutable) AppendBinary(dst []byte) ([]byte, error) { return m.filter.AppendBinary(dst) }

// WriteTo writes to w what MarshalBinary returns, and returns the number of bytes. It does not copy
// the filter: no key may be added meanwhile. Errors of w are wrapped.
func (m *Mutable) WriteTo(w io.Writer) (n int64, err error) { return m.filter.WriteTo(w) }

// UnmarshalBinary makes m the filter in the bytes of a filter file, of which it keeps a copy, as
// [OpenMutable] does: keys that m had are gone, and size and Capacity are the stored filter's. The
// zero Mutable takes the key hash that the file records, XX64 or XXPH3. Any other one keeps its own,
// and the file must record that one: with a hash from keyhash.New, begin with a [NewMutable] of any
// size.
//
// The errors are those of [Filter.UnmarshalBinary], and those of OpenMutable for a filter that keys
// cannot be added to. After an error m is what it was. Do not call it while others use m.
func (m *Mutable) UnmarshalBinary(data []byte) error { return m.unmarshal(data, asm.NewFastLocal) }

// ReadFrom is UnmarshalBinary of all bytes that r gives, and returns how many these are. See
// [Filter.ReadFrom].
func (m *Mutable) ReadFrom(r io.Reader) (n int64, err error) {
	return m.readFrom(r, asm.NewFastLocal)
}

// MarshalBinary is [Mutable.MarshalBinary] of a Snapshot. It is an error if c is the zero Concurrent,
// or if the name of the key hash is longer than 1,000 bytes.
func (c *Concurrent) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// AppendBinary appends to dst what MarshalBinary returns.
func (c *Concurrent) AppendBinary(dst []byte) ([]byte, error) { return c.snapshot().AppendBinary(dst) }

// WriteTo writes to w what MarshalBinary returns, and returns the number of bytes. Errors of w are
// wrapped.
func (c *Concurrent) WriteTo(w io.Writer) (n int64, err error) { return c.snapshot().WriteTo(w) }

// UnmarshalBinary makes c the filter in the bytes of a filter file, as [Mutable.UnmarshalBinary]
// does. Unlike the other methods, it may be called only while no other goroutine uses c.
func (c *Concurrent) UnmarshalBinary(data []byte) error {
	return c.unmarshal(data, asm.NewSharedFastLocal)
}

// ReadFrom is UnmarshalBinary of all bytes that r gives, and returns how many these are. See
// [Filter.ReadFrom].
func (c *Concurrent) ReadFrom(r io.Reader) (n int64, err error) {
	return c.readFrom(r, asm.NewSharedFastLocal)
}

func (g *growing) unmarshal(data []byte, prepare preparer) error {
	file, err := stored.Copy(data)
	if err == nil {
		err = g.take(file, prepare)
	}
	return wrap(err)
}

func (g *growing) readFrom(r io.Reader, prepare preparer) (n int64, err error) {
	file, n, err := stored.ReadAll(r)
	if err == nil {
		err = g.take(file, prepare)
	}
	return n, wrap(err)
}

// take makes g the filter in a file, whose memory it keeps.
func (g *growing) take(file stored.File, prepare preparer) error {
	hash, err := file.HashIn(families, g.filter.hash)
	if err != nil {
		return err
	}
	made, err := openGrowing(file.Body, hash, prepare)
	if err != nil {
		return err
	}
	*g = made
	return nil
}
