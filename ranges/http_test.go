package ranges_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ranges"
)

// serve answers as a file server, unless other is not nil and handles the request.
func serve(t testing.TB, s *store, other func(w http.ResponseWriter, r *http.Request) bool) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		data, ok := s.files[strings.TrimPrefix(r.URL.Path, "/keys/")]
		if other != nil && other(w, r) {
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, len(data)))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func readerOf(server *httptest.Server) filterfile.Ranges {
	return contract.Must(ranges.HTTP(server.Client(), server.URL+"/keys?token=1"))
}

// TestHTTP: sets and files behind a server have their answers.
func TestHTTP(t *testing.T) {
	present, absent := vectors.Hashes(1, 100_000), vectors.Hashes(2, 5000)
	s, set := setOf(t, policy.Linear(10), present, filterset.WithParts(4))
	var bare atomic.Int64
	server := serve(t, s, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.RawQuery != "token=1" {
			bare.Add(1)
		}
		return false
	})
	r := contract.Must(filterset.OpenAt(ctx, readerOf(server), ""))
	check(t, "HTTP", r, append(present[:5000:5000], absent...), set.ContainsHash)
	if n := bare.Load(); n > 0 {
		t.Errorf("the URL's query was left out of %d requests", n)
	}
	part := set.Info().Layers[0].Folder() + "/" + filterset.PartFile(0)
	contract.Must(filterfile.OpenAt(ctx, readerOf(server), part))
	if _, err := filterfile.OpenAt(ctx, readerOf(server), "gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, address := range []string{"", "file:///x", "keys", "ftp://host/x", "http://", "://"} {
		if _, err := ranges.HTTP(nil, address); err == nil {
			t.Errorf("%q is no error", address)
		}
	}
}

// TestWrongServers: whatever a server does, lookups return an error, and no key is lost.
func TestWrongServers(t *testing.T) {
	present := vectors.Hashes(1, 60_000)
	s, set := setOf(t, policy.Linear(10), present, filterset.WithParts(1), filterset.WithPieceBytes(4096))
	part := set.Info().Layers[0].Folder() + "/" + filterset.PartFile(0)
	data := s.files[part]
	extent := func(r *http.Request) (from, to int) {
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		return from, min(to+1, len(data))
	}
	header := func(w http.ResponseWriter, from, to, length, total int) {
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, len(data)))
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, total))
		if length >= 0 {
			w.Header().Set("Content-Length", fmt.Sprint(length))
		}
		w.WriteHeader(http.StatusPartialContent)
	}
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		error  string
	}{
		"the whole file": {func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }, "whole file"},
		"another ETag": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"new"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		}, "changed or replaced"},
		"another length": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, -1, len(data)+1)
			w.Write(data[from:to])
		}, "changed or replaced"},
		"another range": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from-1, to-1, -1, len(data))
			w.Write(data[from-1 : to-1])
		}, "instead of"},
		"a short range": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to-1, -1, len(data))
			w.Write(data[from : to-1])
		}, "instead of"},
		"a short body": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, -1, len(data))
			w.Write(data[from : to-1])
		}, "connection ended"},
		"a cut connection": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, to-from, len(data))
			w.Write(data[from : (from+to)/2])
			panic(http.ErrAbortHandler)
		}, ""},
		"no answer": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, ""},
		"a long body": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, -1, len(data))
			w.Write(data[from:to])
			w.Write(make([]byte, 100_000))
		}, "more than"},
		"an endless body": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, -1, len(data))
			for {
				if _, err := w.Write(data[from:to]); err != nil {
					return
				}
			}
		}, "more than"},
		"a body that stops": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, -1, len(data))
			w.Write(data[from : to-1])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "deadline"},
		"a body that does not end": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, -1, len(data))
			w.Write(data[from:to])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "deadline"},
		"another length of the body": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, to-from-1, len(data))
			w.Write(data[from : to-1])
		}, "instead of"},
		"no Content-Range": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusPartialContent) }, "Content-Range"},
		"a wrong Content-Range": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 5-2/18446744073709551616")
			w.WriteHeader(http.StatusPartialContent)
		}, "Content-Range"},
		"gzip": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.WriteHeader(http.StatusPartialContent)
		}, "encoding"},
		"404":                  {func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, "404"},
		"416":                  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(416) }, "ends before"},
		"500":                  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "500"},
		"503, again and again": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, "503"},
		"a redirect to itself": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }, "redirects"},
		"wrong bytes": {func(w http.ResponseWriter, r *http.Request) {
			from, to := extent(r)
			header(w, from, to, -1, len(data))
			w.Write(make([]byte, to-from))
		}, "checksum"},
	} {
		var wrong atomic.Bool
		server := serve(t, s, func(w http.ResponseWriter, r *http.Request) bool {
			now := wrong.Load()
			if now {
				c.answer(w, r)
			}
			return now
		})
		r := contract.Must(filterset.OpenAt(ctx, readerOf(server), "", filterfile.WithReadCost(0)))
		if hit, err := r.ContainsHash(ctx, present[0]); !hit || err != nil {
			t.Fatal(name, err)
		}
		wrong.Store(true)
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		if c.error == "deadline" {
			short, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
		}
		hits := make([]bool, 2000)
		err := r.ContainsHashes(short, present[:2000], hits)
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.error) {
			t.Errorf("%s: %v", name, err)
		}
		for i, hit := range hits {
			if !hit {
				t.Fatalf("%s: hash %d is lost", name, i)
			}
		}
		wrong.Store(false)
		check(t, name+", and then as it should be", r, present[:2000], set.ContainsHash)
	}
}

// TestManifestsOfAnyLength: a manifest ends where its checksum says, whether or not a range ends there, too.
func TestManifestsOfAnyLength(t *testing.T) {
	s, _ := setOf(t, policy.FastLocal(10), vectors.Hashes(1, 1000), filterset.WithParts(1))
	own := s.files[filterset.Manifest]
	object, _, _ := bytes.Cut(own, []byte("\n"))
	for _, length := range []int{len(own) + 20, 64<<10 - 1, 64 << 10, 64<<10 + 1, 128 << 10, 128<<10 + 1, 3 << 20, 5 << 20} {
		text := fmt.Appendf(nil, `{"more":%q,%s`, strings.Repeat("x", length-len(own)-len(`"more":"",`)), append(object[1:len(object):len(object)], '\n'))
		text = fmt.Appendf(text, "xxh64 %016x\n", xxhash.Sum64(text))
		if len(text) != length {
			t.Fatalf("%d bytes, want %d", len(text), length)
		}
		s.files[filterset.Manifest] = text
		for _, r := range []filterfile.Ranges{s, readerOf(serve(t, s, nil))} {
			_, err := filterset.OpenAt(ctx, r, "")
			if fits := length < 4<<20; fits != (err == nil) || !fits && !strings.Contains(err.Error(), "memory") {
				t.Errorf("%d bytes: %v", length, err)
			}
		}
	}
}

// TestFS: files that cannot be read at an offset, and replaced ones, are errors.
func TestFS(t *testing.T) {
	s, _ := setOf(t, policy.FastLocal(10), vectors.Hashes(1, 1000), filterset.WithParts(1))
	fsys := fstest.MapFS{}
	for name, data := range s.files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	r := ranges.FS(fsys)
	contract.Must(filterset.OpenAt(ctx, r, ""))
	fsys[filterset.Manifest] = &fstest.MapFile{Data: append([]byte(nil), append(s.files[filterset.Manifest], 0)...)}
	if err := r.ReadRange(ctx, filterset.Manifest, make([]byte, 4), 0); err == nil || !strings.Contains(err.Error(), "replaced") {
		t.Error(err)
	}
	if err := ranges.FS(noReaderAt{fsys}).ReadRange(ctx, filterset.Manifest, make([]byte, 4), 0); err == nil || !strings.Contains(err.Error(), "offset") {
		t.Error(err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if err := r.ReadRange(ended, filterset.Manifest, make([]byte, 4), 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := ranges.FS(fsys).ReadRange(ctx, filterset.Manifest, make([]byte, 100), int64(len(s.files[filterset.Manifest]))); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// noReaderAt has files without ReadAt.
type noReaderAt struct{ fs.FS }

func (n noReaderAt) Open(name string) (fs.File, error) {
	f, err := n.FS.Open(name)
	return struct{ fs.File }{f}, err
}
