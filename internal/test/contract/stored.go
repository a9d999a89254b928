package contract

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Stored is the common interface of a Filter, a Mutable and a Concurrent.
type Stored interface {
	filterfile.Source
	Name() string
	Format() simdbloom.Format
	Hash() keyhash.Hash
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
	encoding.TextMarshaler
	encoding.TextUnmarshaler
	io.WriterTo
	io.ReaderFrom
	Contains(key []byte) bool
}

// TestStored stores filters of type F and reads them again. fresh returns a filter of the same key
// hash and of other bytes.
func TestStored[F any, P interface {
	*F
	Stored
}](t *testing.T, filters map[string]P, fresh func(like P) P,
) {
	for name, f := range filters {
		t.Run(name, func(t *testing.T) {
			data, err := f.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			s := storing{f, data, f.Hash() == OwnHash, func() Stored { return fresh(f) }, func() Stored { return P(new(F)) }}
			info, err := filterfile.ReadInfo(bytes.NewReader(data))
			if err != nil || info.Format != f.Name() || !strings.HasSuffix(f.Name(), "."+info.Hash) {
				t.Fatal(info, err)
			}
			s.testWriting(t)
			s.testReading(t)
			s.testForeign(t)
			s.testDamage(t)
			for _, e := range encodings {
				if e.name == "json" && len(data) > 10_000 {
					continue // the text of a large filter is no other case
				}
				testEncoded(t, s, e, func() P { return fresh(f) })
			}
		})
	}
	zero := P(new(F))
	if data, err := zero.AppendBinary([]byte("before")); err == nil || string(data) != "before" {
		t.Errorf("the zero filter was stored (%v)", err)
	}
	if text, err := zero.MarshalText(); err == nil || text != nil {
		t.Errorf("the zero filter has a text (%v)", err)
	}
	if n, err := zero.WriteTo(io.Discard); err == nil || n != 0 {
		t.Errorf("the zero filter was written (%v)", err)
	}
	if said := Panic(func() { zero.Name() }); !strings.HasPrefix(said, "simdbloom: the zero Filter") || !zero.Hash().IsZero() {
		t.Errorf("the zero filter's Name: panic %q", said)
	}
}

// storing is a filter and its file.
type storing struct {
	f     Stored
	data  []byte
	own   bool // its hash is OwnHash
	fresh func() Stored
	zero  func() Stored
}

func (s storing) testWriting(t *testing.T) {
	if file, err := filterfile.Append(nil, s.f); err != nil || !bytes.Equal(file, s.data) {
		t.Errorf("package filterfile writes other bytes (%v)", err)
	}
	if data, err := s.f.AppendBinary([]byte("before")); err != nil || string(data) != "before"+string(s.data) {
		t.Errorf("AppendBinary appends other bytes (%v)", err)
	}
	var stream bytes.Buffer
	if n, err := s.f.WriteTo(&stream); err != nil || n != int64(len(s.data)) || !bytes.Equal(stream.Bytes(), s.data) {
		t.Errorf("WriteTo writes other bytes (%d, %v)", n, err)
	}
	errBroken := errors.New("broken")
	r, w := io.Pipe()
	r.CloseWithError(errBroken)
	if n, err := s.f.WriteTo(w); !errors.Is(err, errBroken) || n != 0 {
		t.Errorf("WriteTo a broken pipe: %d, %v", n, err)
	}
}

func (s storing) testReading(t *testing.T) {
	data := slices.Clone(s.data)
	for name, g := range map[string]Stored{"fresh": s.fresh(), "zero": s.zero()} {
		err := g.UnmarshalBinary(data)
		if name == "zero" && s.own {
			if !errors.Is(err, simdbloom.ErrUnknown) || errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), OwnHash.Name()) {
				t.Errorf("a zero filter cannot know the hash: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(name, err)
		}
		clear(data) // the filter has a copy
		s.check(t, g)
		copy(data, s.data)
		n, err := g.ReadFrom(iotest.HalfReader(bytes.NewReader(data))) // from its own file
		if err != nil || n != int64(len(data)) {
			t.Fatal(name, n, err)
		}
		s.check(t, g)
	}
	f := s.fresh()
	errBroken := errors.New("broken")
	half := data[:len(data)/2]
	n, err := f.ReadFrom(io.MultiReader(bytes.NewReader(half), iotest.ErrReader(errBroken)))
	if !errors.Is(err, errBroken) || errors.Is(err, simdbloom.ErrCorrupt) || n != int64(len(half)) {
		t.Errorf("a broken reader: %d, %v", n, err)
	}
	s.checkFresh(t, f)
}

// check requires that g is the filter.
func (s storing) check(t *testing.T, g Stored) {
	t.Helper()
	body := g.Bytes()
	if !bytes.Equal(body, s.f.Bytes()) {
		t.Fatal("other bytes")
	}
	if len(body) > 0 && uintptr(unsafe.Pointer(&body[0]))%64 != 0 {
		t.Error("not aligned")
	}
	for _, key := range vectors.Keys("le64", 0, 500) {
		if g.Contains(key) != s.f.Contains(key) {
			t.Fatal("other answers")
		}
	}
	if again, err := g.MarshalBinary(); err != nil || !bytes.Equal(again, s.data) {
		t.Errorf("stored again it has other bytes (%v)", err)
	}
}

// checkFresh requires that a filter is as it was before an error.
func (s storing) checkFresh(t *testing.T, f Stored) {
	t.Helper()
	got, err := f.MarshalBinary()
	want, wantErr := s.fresh().MarshalBinary()
	if err != nil || wantErr != nil || !bytes.Equal(got, want) {
		t.Fatal("an error changed the filter", err, wantErr)
	}
}

// refused requires an error that wraps want, and has some words.
func (s storing) refused(t *testing.T, data []byte, want error, words ...string) {
	t.Helper()
	f, zero := s.fresh(), s.zero()
	n, streamErr := f.ReadFrom(bytes.NewReader(data))
	text := base64.StdEncoding.AppendEncode(nil, data)
	for _, err := range []error{f.UnmarshalBinary(data), zero.UnmarshalBinary(data), zero.UnmarshalText(text), streamErr} {
		if !errors.Is(err, want) || errors.Is(err, simdbloom.ErrCorrupt) != (want == simdbloom.ErrCorrupt) {
			t.Fatalf("%d bytes: %v", len(data), err)
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q does not say %q", err, word)
			}
		}
	}
	if n > int64(len(data)) {
		t.Fatalf("%d bytes were read of %d", n, len(data))
	}
	s.checkFresh(t, f)
	if _, err := zero.MarshalBinary(); err == nil {
		t.Fatal("an error filled the zero filter")
	}
}

// testForeign reads files of all formats and key hashes. A Filter becomes any filter of its key hash.
func (s storing) testForeign(t *testing.T) {
	for _, format := range Formats() {
		for _, hash := range append(format.KeyHashes, s.f.Hash()) {
			if hash.Bits() == 32 && !format.Narrow {
				continue // no such filters are built
			}
			b := Must(format.builder(10, hash))
			b.AddString("apple")
			other := Must(b.Filter())
			file := Must(other.MarshalBinary())
			f := s.fresh()
			_, isFilter := f.(*simdbloom.Filter)
			switch err := f.UnmarshalBinary(file); {
			case hash != s.f.Hash():
				if !errors.Is(err, simdbloom.ErrUnknown) || !strings.Contains(err.Error(), s.f.Hash().Name()) || !strings.Contains(err.Error(), strings.TrimPrefix(format.Recorded(hash), format.Family)) {
					t.Errorf("%s: %v", other.Name(), err)
				}
				s.checkFresh(t, f)
			case isFilter || format.addsKeys() && other.Format() == format.Format:
				if err != nil || f.Format() != other.Format() || f.Name() != other.Name() || !bytes.Equal(f.Bytes(), other.Bytes()) || !f.Contains([]byte("apple")) {
					t.Errorf("%s: %v, or another filter", other.Name(), err)
				}
			case hash != OwnHash:
				s.refused(t, file, simdbloom.ErrUnknown, "FastLocal", format.Format.String())
			}
		}
	}
}

// testDamage flips every bit of a small file, and cuts it short everywhere. Of a large one it takes some bytes, more of
// the header.
func (s storing) testDamage(t *testing.T) {
	step, header := 1, 0
	if len(s.data) > 4000 { // Paired filters, and those of some pieces
		step += len(s.data) / 11
		header = len(s.data) - len(s.f.Bytes())
	} else if emulated || testing.Short() {
		step = 37
	}
	data := slices.Clone(s.data)
	g := s.zero()
	for at, next := 0, 0; at < len(data); at = next {
		if next = at + step; at < min(header, 256) { // zeros follow
			next = at + min(step, 13)
		}
		for _, last := range []int{header - 1, len(data) - 1} {
			if at < last {
				next = min(next, last)
			}
		}
		for bit := range 8 {
			data[at] ^= 1 << bit
			if bit == at%8 {
				s.refused(t, data, simdbloom.ErrCorrupt)
			} else if err := g.UnmarshalBinary(data); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("bit %d of byte %d: %v", bit, at, err)
			}
			data[at] ^= 1 << bit
		}
		s.refused(t, data[:at], simdbloom.ErrCorrupt, io.ErrUnexpectedEOF.Error())
	}
	s.refused(t, append(data, 0), simdbloom.ErrCorrupt)
	s.refused(t, slices.Concat(s.data, s.data), simdbloom.ErrCorrupt)
}

// encodings encode filters by MarshalBinary and by MarshalText.
var encodings = []encoded{
	{"gob", func(w io.Writer, value any) error { return gob.NewEncoder(w).Encode(value) }, func(r io.Reader, value any) error { return gob.NewDecoder(r).Decode(value) }},
	{"json", func(w io.Writer, value any) error { return json.NewEncoder(w).Encode(value) }, func(r io.Reader, value any) error { return json.NewDecoder(r).Decode(value) }},
}

type encoded struct {
	name   string
	encode func(w io.Writer, value any) error
	decode func(r io.Reader, value any) error
}

// testEncoded has filters in fields, with a pointer and without.
func testEncoded[F any, P interface {
	*F
	Stored
}](t *testing.T, s storing, e encoded, fresh func() P,
) {
	type fields struct {
		Name    string
		Pointer P
		Value   F
		None    P
		Listed  []P
		ByName  map[string]P
	}
	f := any(s.f).(P)
	written, read := fields{Name: "fields", Pointer: f, Value: *fresh()}, fields{Pointer: fresh(), Value: *fresh()}
	if !s.own { // decoding makes zero filters for these
		written.Listed, written.ByName = []P{f, f}, map[string]P{"one": f}
		read = fields{}
	}
	if err := P(&written.Value).UnmarshalBinary(s.data); err != nil {
		t.Fatal(err)
	}
	var stream bytes.Buffer
	if err := e.encode(&stream, &written); err != nil {
		t.Fatal(e.name, err)
	}
	if err := e.decode(&stream, &read); err != nil {
		t.Fatal(e.name, err)
	}
	if read.Name != written.Name || read.None != nil || len(read.Listed) != len(written.Listed) || len(read.ByName) != len(written.ByName) {
		t.Errorf("%s: other fields", e.name)
	}
	for _, g := range append(read.Listed, read.Pointer, &read.Value) {
		s.check(t, g)
	}
	for _, g := range read.ByName {
		s.check(t, g)
	}
}

// testStored stores a format's filters of every kind.
func (f Format) testStored(t *testing.T) {
	filters := make(map[string]*simdbloom.Filter)
	for _, hash := range f.KeyHashes {
		for name, data := range map[string][]byte{"empty": nil, "reserved": make([]byte, 6), "always true": f.AlwaysTrue, "Ribbon": append(make([]byte, 32), 0xfe, 0, 2, 0, 0)} {
			opened, err := f.Open(data, hash)
			if err != nil && (f.Strict || name == "Ribbon") {
				continue
			}
			// RocksDB's names stand for other formats, too.
			filters[hash.Name()+", "+name] = Must(simdbloom.OpenNamed(Must(opened, err).Name(), data, hash))
		}
		for _, n := range []int{12, 120_000} { // the second takes several pieces
			b := Must(f.builder(10, hash))
			b.AddKeys(vectors.Keys("le64", 0, n))
			filters[fmt.Sprint(hash.Name(), ", ", n)] = Must(b.Filter())
		}
	}
	TestStored(t, filters, func(like *simdbloom.Filter) *simdbloom.Filter {
		return Must(bloom.Open(make([]byte, 7), like.Hash()))
	})
}
