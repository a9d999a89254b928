package filterfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestUnreadableFiltersAreNotWritten: package bloom takes a broken Ribbon filter for one of an unknown format, and a
// file of it could not be opened. Of a filter that is read lazily, a wrong byte is found before it is copied.
func TestUnreadableFiltersAreNotWritten(t *testing.T) {
	data := must(filterfile.Append(nil, fastLocal(t, 100_000).filter))
	data[len(data)/2] ^= 1
	for name, f := range map[string]filterfile.Source{
		"unknown": must(bloom.Open(append(make([]byte, 100), 0xfe, 0, 7, 0, 0), keyhash.XXPH3)),
		"lazy":    must(filterfile.OpenBytes(data, filterfile.WithLazyCheck())),
	} {
		path := filepath.Join(t.TempDir(), "file")
		made, newErr := filterfile.New(f)
		before, appendErr := filterfile.Append([]byte("before"), f)
		for i, err := range []error{newErr, appendErr, filterfile.Write(io.Discard, f), filterfile.WriteFile(path, f)} {
			if !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s, %d: %v", name, i, err)
			}
		}
		if _, err := os.Stat(path); err == nil || made != nil || string(before) != "before" {
			t.Errorf("%s: something was written", name)
		}
	}
}

// broken is a writer that takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestWritersThatFail: the error is the writer's, and says who wrote.
func TestWritersThatFail(t *testing.T) {
	err := filterfile.Write(broken{}, fastLocal(t, 10).filter)
	if !errors.Is(err, io.ErrClosedPipe) || !strings.HasPrefix(err.Error(), "filterfile: ") {
		t.Error(err)
	}
}
