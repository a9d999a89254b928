//go:build s3

package s3

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestSetsInS3: a set that was uploaded, its manifest last, has the answers of the folder. The page's method is this
// package's.
func TestSetsInS3(t *testing.T) {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	defer server.Close()
	client := s3.New(s3.Options{
		BaseEndpoint: &server.URL, Region: "us-east-1", UsePathStyle: true,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	})
	ctx, bucket := context.Background(), "bucket"
	if _, err := client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	const keys = 300_000
	for _, p := range []*policy.Policy{policy.Linear(12), policy.FastLocal(10)} {
		dir := filepath.Join(t.TempDir(), "keys.set")
		b, err := filterset.NewBuilder(dir, p, keys, 64<<20, filterset.WithParts(4), filterset.WithPieceBytes(4096))
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(keys) {
			b.AddUint64(i)
		}
		if err := b.Finish(ctx); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "layer-*", "*.filter"))
		if err != nil || len(files) != 4 {
			t.Fatal(files, err)
		}
		for _, file := range append(files, filepath.Join(dir, filterset.Manifest)) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := "a/" + filepath.ToSlash(strings.TrimPrefix(file, filepath.Dir(dir)+string(filepath.Separator)))
			if _, err := client.PutObject(ctx, &s3.PutObjectInput{Bucket: &bucket, Key: &name, Body: bytes.NewReader(data)}); err != nil {
				t.Fatal(err)
			}
		}
		set, err := filterset.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
		remote, err := filterset.OpenAt(ctx, store{client, bucket}, "a/keys.set")
		if err != nil {
			t.Fatal(err)
		}
		hashes, hits := make([]uint64, 4000), make([]bool, 4000)
		for i := range hashes {
			hashes[i] = set.Hash().SumUint64(keys - 2000 + uint64(i))
		}
		if err := remote.ContainsHashes(ctx, hashes, hits); err != nil {
			t.Fatal(err)
		}
		for i, hash := range hashes {
			if hits[i] != set.ContainsHash(hash) {
				t.Fatalf("%v: key %d: %v", p, i, hits[i])
			}
		}
		if _, err := filterset.OpenAt(ctx, store{client, bucket}, "none"); err == nil {
			t.Error("a set that is not there is no error")
		}
		t.Logf("%v: %+v", p, remote.Counters())
	}
}

// TestPage: the page has this package's method.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "files.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("store.go")
	if err != nil {
		t.Fatal(err)
	}
	_, method, _ := strings.Cut(string(source), "\nfunc ")
	if !strings.Contains(string(page), "func "+strings.TrimSpace(method)) {
		t.Error("docs/files.md has another method than store.go")
	}
}
