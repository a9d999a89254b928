package ranges_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ranges"
)

// Look up keys in a set that lies in an object store: here, files behind a web server.
func ExampleHTTP() {
	folder, err := os.MkdirTemp("", "sets")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	b, err := filterset.NewBuilder(filepath.Join(folder, "keys.set"), policy.Linear(12), 100_000, 64<<20)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	for i := range uint64(100_000) {
		b.AddUint64(i)
	}
	if err := b.Finish(context.Background()); err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()

	store, err := ranges.HTTP(nil, server.URL)
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	set, err := filterset.OpenAt(ctx, store, "keys.set")
	if err != nil {
		log.Fatal(err)
	}
	hashes := []uint64{set.Hash().SumUint64(7), set.Hash().SumUint64(1_000_000)}
	hits := make([]bool, len(hashes))
	if err := set.ContainsHashes(ctx, hashes, hits); err != nil {
		log.Print(err) // some hits may be true without a reason
	}
	fmt.Println(hits)
	// Output: [true false]
}

// Look up keys in a set in a folder, by ranges.
func ExampleFS() {
	folder, err := os.MkdirTemp("", "sets")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	b, err := filterset.NewBuilder(filepath.Join(folder, "keys.set"), policy.Linear(12), 1, 64<<20)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	b.AddString("apple")
	if err := b.Finish(context.Background()); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	set, err := filterset.OpenAt(ctx, ranges.FS(os.DirFS(folder)), "keys.set")
	if err != nil {
		log.Fatal(err)
	}
	hit, err := set.Contains(ctx, []byte("apple"))
	fmt.Println(hit, err)
	// Output: true <nil>
}
