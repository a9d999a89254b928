package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	everyOpened "github.com/simdbloom/simdbloom/internal/test/opened"
)

// TestOpenedFilters: a filter file of whatever bytes a reader accepts is described and queried without a panic.
func TestOpenedFilters(t *testing.T) {
	name := filepath.Join(t.TempDir(), "filter")
	seen := make(map[string]bool)
	for what, f := range everyOpened.Filters(t) {
		kind := fmt.Sprint(f.Format(), f.SizeBytes()%10, f.SizeBytes() < 100, f.NumProbes())
		if seen[kind] {
			continue
		}
		seen[kind] = true
		var file bytes.Buffer
		if filterfile.Write(&file, f, filterfile.WithKeys(len(seen)%3)) != nil {
			continue // bytes that have no name
		}
		if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range []string{"info -json", "sst", "check"} {
			func() {
				defer func() {
					if fault := recover(); fault != nil {
						t.Errorf("%s of %s panics: %v", args, what, fault)
					}
				}()
				s := &streams{strings.NewReader("key\n"), new(bytes.Buffer), new(bytes.Buffer)}
				run(context.Background(), s, append(strings.Fields(args), name))
			}()
		}
	}
}
