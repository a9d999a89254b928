package filterfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// A cache admits an object when it is requested for the second time: most objects never are. The filter of requested
// objects is stored when the server stops, and read again when it starts.
func ExampleWriteFile_restart() {
	dir := must(os.MkdirTemp("", "cache"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "requested.filter")

	for run, requests := range [][]string{{"logo.png", "logo.png", "a.mp4"}, {"a.mp4", "b.mp4"}} {
		requested := must(requestedBefore(path))
		for _, object := range requests { // from any number of goroutines
			admit := !requested.AddStringIfAbsent(object)
			fmt.Printf("run %d: %s admitted: %v\n", run+1, object, admit)
		}
		if requested.Full() { // an old filter that is full admits too much: begin again
			requested.Reset()
		}
		if err := filterfile.WriteFile(path, requested, filterfile.WithBitsPerKey(10)); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// run 1: logo.png admitted: false
	// run 1: logo.png admitted: true
	// run 1: a.mp4 admitted: false
	// run 2: a.mp4 admitted: true
	// run 2: b.mp4 admitted: false
}

// requestedBefore returns the stored filter, or an empty one for a million objects before the first run.
func requestedBefore(path string) (*simdbloom.Concurrent, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return bloom.NewConcurrent(1_000_000, 10, keyhash.XX64)
	}
	if err != nil {
		return nil, err
	}
	requested := new(simdbloom.Concurrent)
	return requested, requested.UnmarshalBinary(data) // checksums are verified
}
