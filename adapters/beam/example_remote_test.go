package beam_test

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	filters "github.com/simdbloom/simdbloom/adapters/beam"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
)

// Of the visitors, those who may be in a set behind a web server stay.
func ExampleMayContainSetAt() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	p, s := beam.NewPipelineWithRoot()
	filters.BuildSet(s, filters.Set{Dir: folder, Policy: "simdbloom.Linear:16", Parts: 4}, beam.Create(s, "apple", "banana"))
	if err := ptest.Run(p); err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()

	p, s = beam.NewPipelineWithRoot()
	manifest := beam.Create(s, server.URL+"/"+filterset.Manifest)
	found := filters.MayContainSetAt(s, manifest, beam.Create(s, "apple", "cherry"), filters.Remote{Memory: 256 << 20})
	passert.Equals(s, found, "apple")
	if err := ptest.Run(p); err != nil {
		log.Fatal(err)
	}
	// Output:
}

// Google Cloud Storage: a program calls filters.RegisterRanges("gs", openBucket) in an init function.
func ExampleRegisterRanges() {
	filters.RegisterRanges("gs", openBucket)
	// Output:
}

type bucket struct {
	*storage.BucketHandle
	dir string
}

var client = sync.OnceValues(func() (*storage.Client, error) { return storage.NewClient(context.Background()) })

func openBucket(_ context.Context, dir string) (filterfile.Ranges, error) {
	name, dir, _ := strings.Cut(strings.TrimPrefix(dir, "gs://"), "/")
	c, err := client()
	if err != nil {
		return nil, err
	}
	return bucket{c.Bucket(name), dir}, nil
}

func (b bucket) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	r, err := b.Object(b.dir+"/"+name).NewRangeReader(ctx, off, int64(len(p)))
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.ReadFull(r, p)
	return err
}

// TestBucket reads ranges by the client of Google Cloud Storage, of a server in this test.
func TestBucket(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(folder+"/file", []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.StripPrefix("/bucket/dir", http.FileServer(http.Dir(folder))))
	defer server.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", server.URL)
	r, err := openBucket(t.Context(), "gs://bucket/dir")
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 3)
	if err := r.ReadRange(t.Context(), "file", p, 4); err != nil || string(p) != "456" {
		t.Errorf("%q, %v", p, err)
	}
	if err := r.ReadRange(t.Context(), "file", p, 8); err != io.ErrUnexpectedEOF {
		t.Errorf("a file that ends before: %v", err)
	}
}
