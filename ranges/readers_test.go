package ranges

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestContentRanges: what a server may say of a range, and what makes no sense.
func TestContentRanges(t *testing.T) {
	for header, want := range map[string]struct{ first, last, length int64 }{
		"bytes 0-63/1000": {0, 63, 1000}, "bytes 5-5/6": {5, 5, 6}, "bytes 7-8/*": {7, 8, -1},
	} {
		if is, length, err := parseContentRange(header); err != nil || is != (extent{want.first, want.last}) || length != want.length {
			t.Errorf("%s: %v of %d, %v", header, is, length, err)
		}
	}
	for _, header := range []string{
		"", "bytes", "bytes 0-63", "bytes 0-63/", "bytes 0-63/x", "bytes 0-63/064", "bytes 0-63/64x", "bytes 0-63/-1", "bytes 0-63/63", "bytes 5-4/10",
		"bytes -1-4/10", "bytes */10", "lines 0-63/1000",
	} {
		if is, length, err := parseContentRange(header); err == nil {
			t.Errorf("%q: %v of %d", header, is, length)
		}
	}
}

var errBroken = errors.New("broken")

// body is a response's. It ends with an error.
type body struct {
	io.Reader
	ends   error
	closed bool
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.ends
	}
	return n, err
}

func (b *body) Close() error { b.closed = true; return nil }

// transport answers with the bytes 10 to 13 of 100.
type transport struct {
	header  http.Header
	length  int64
	body    body
	request *http.Request
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.request = r
	header := t.header.Clone()
	header.Set("Content-Range", "bytes 10-13/100")
	return &http.Response{StatusCode: http.StatusPartialContent, Header: header, ContentLength: t.length, Body: &t.body}, nil
}

// TestAnswersOfServers: a range is right if it is whole, and of the version that was seen first.
func TestAnswersOfServers(t *testing.T) {
	answer := &transport{}
	r, err := HTTP(&http.Client{Transport: answer}, "http://host/keys?token=1")
	if err != nil {
		t.Fatal(err)
	}
	modified := func(day int) http.Header { return http.Header{"Last-Modified": {fmt.Sprint(day)}} }
	for _, c := range []struct {
		name   string
		header http.Header
		length int64
		data   string
		ends   error
		ok     bool
	}{
		{"f", http.Header{}, 4, "abcd", io.EOF, true},
		{"f", http.Header{}, -1, "abcd", io.EOF, true},
		{"f", http.Header{}, 0, "abcd", io.EOF, false},
		{"f", http.Header{}, -1, "abc", io.EOF, false},
		{"f", http.Header{}, -1, "abcde", io.EOF, false},
		{"f", http.Header{}, -1, "abc", errBroken, false},
		{"f", http.Header{}, -1, "abcd", errBroken, false},
		{"f", http.Header{"Content-Encoding": {"gzip"}}, -1, "abcd", io.EOF, false},
		{"g", modified(1), 4, "abcd", io.EOF, true},
		{"g", modified(1), 4, "abcd", io.EOF, true},
		{"g", modified(2), 4, "abcd", io.EOF, false},
		{"x%41/b c", modified(2), 4, "abcd", io.EOF, true},
	} {
		answer.header, answer.length, answer.body = c.header, c.length, body{Reader: strings.NewReader(c.data), ends: c.ends}
		p := make([]byte, 4)
		err := r.ReadRange(t.Context(), c.name, p, 10)
		if (err == nil) != c.ok || c.ok && string(p) != "abcd" || c.ends == errBroken && !errors.Is(err, errBroken) {
			t.Errorf("%+v: %q, %v", c, p, err)
		}
		if !answer.body.closed {
			t.Errorf("%+v: the connection stays open", c)
		}
	}
	if got := answer.request; got.URL.String() != "http://host/keys/x%2541/b%20c?token=1" || got.Header.Get("Range") != "bytes=10-13" || got.Header.Get("Accept-Encoding") != "identity" {
		t.Errorf("request for %v: %v", got.URL, got.Header)
	}
	if err := r.ReadRange(t.Context(), "f", nil, 10); err != nil {
		t.Errorf("no bytes: %v", err)
	}
	var none context.Context
	if err := r.ReadRange(none, "f", make([]byte, 1), 0); err == nil {
		t.Error("no context is no error")
	}
}

// TestTransports: without a client there is the usual transport, which keeps more connections.
func TestTransports(t *testing.T) {
	if many, ok := manyIdle().(*http.Transport); !ok || many.MaxIdleConnsPerHost < 100 || many.MaxIdleConns != 0 || many == http.DefaultTransport {
		t.Errorf("%+v", many)
	}
	defer func(usual http.RoundTripper) { http.DefaultTransport = usual }(http.DefaultTransport)
	own := &transport{}
	if http.DefaultTransport = own; manyIdle() != own {
		t.Error("a program's own transport is not used")
	}
}

// file is one of ten bytes, which fails as it says.
type file struct {
	strings.Reader
	stat, read error
	closed     bool
}

func (f *file) Stat() (fs.FileInfo, error) { return f, f.stat }

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if f.read != nil {
		return 0, f.read
	}
	n, err := f.Reader.ReadAt(p, off)
	if off+int64(n) == 10 {
		err = io.EOF // also if all bytes were read
	}
	return n, err
}

func (f *file) Close() error { f.closed = true; return nil }
func (f *file) Open(name string) (fs.File, error) {
	if name != "f" {
		return nil, fs.ErrNotExist
	}
	f.closed = false
	return f, nil
}
func (f *file) Name() string       { return "f" }
func (f *file) Mode() fs.FileMode  { return 0 }
func (f *file) ModTime() time.Time { return time.Time{} }
func (f *file) IsDir() bool        { return false }
func (f *file) Sys() any           { return nil }

// TestFilesOfSystems: ranges up to the last byte, and what goes wrong.
func TestFilesOfSystems(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx   context.Context
		name  string
		from  int64
		f     file
		want  string
		error error
	}{
		{t.Context(), "f", 2, file{}, "2345", nil},
		{t.Context(), "f", 6, file{}, "6789", nil},
		{t.Context(), "f", 7, file{}, "789\x00", io.EOF},
		{t.Context(), "none", 2, file{}, "\x00\x00\x00\x00", fs.ErrNotExist},
		{t.Context(), "f", 2, file{stat: errBroken}, "\x00\x00\x00\x00", errBroken},
		{t.Context(), "f", 2, file{read: errBroken}, "\x00\x00\x00\x00", errBroken},
		{ended, "f", 2, file{}, "\x00\x00\x00\x00", context.Canceled},
	} {
		c.f.Reader = *strings.NewReader("0123456789")
		p := make([]byte, 4)
		if err := FS(&c.f).ReadRange(c.ctx, c.name, p, c.from); !errors.Is(err, c.error) || (err == nil) != (c.error == nil) || string(p) != c.want {
			t.Errorf("%s from %d: %q, %v, want %v", c.name, c.from, p, err, c.error)
		}
		if c.name == "f" && c.ctx != ended && !c.f.closed {
			t.Errorf("%s from %d: it stays open", c.name, c.from)
		}
	}
}
