// Package linked tests a program that links the builder of one format: it imports no other format's package.
package linked_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestNewBuilderBuildsOnlyWhatIsLinked: the error for any other format names the package to import.
func TestNewBuilderBuildsOnlyWhatIsLinked(t *testing.T) {
	named := regexp.MustCompile(`import _ "github\.com/simdbloom/simdbloom/(\w+)"$`)
	format := simdbloom.Paired
	for ; !strings.HasPrefix(format.String(), "simdbloom.Format("); format++ {
		b, err := simdbloom.NewBuilder(format, 10, keyhash.XX64)
		if b != nil || err == nil {
			t.Errorf("%v is built", format)
			continue
		}
		name := named.FindStringSubmatch(err.Error())
		if name == nil {
			t.Errorf("%v: %v", format, err)
			continue
		}
		if _, err := os.Stat("../../../" + name[1] + "/" + name[1] + ".go"); err != nil {
			t.Errorf("%v: %v", format, err)
		}
	}
	for _, format := range []simdbloom.Format{simdbloom.Reserved, simdbloom.Empty, format, 200, 255} {
		if b, err := simdbloom.NewBuilder(format, 10, keyhash.XX64); b != nil || err == nil || named.MatchString(err.Error()) {
			t.Errorf("%v: %v", format, err)
		}
	}
}

// TestNewBuilderIsThatOfTheFormatsPackage: same bytes, same errors.
func TestNewBuilderIsThatOfTheFormatsPackage(t *testing.T) {
	var want []byte
	for i, newBuilder := range []func(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error){
		bloom.NewBuilder,
		func(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
			return simdbloom.NewBuilder(simdbloom.FastLocal, bitsPerKey, hash, options...)
		},
	} {
		b, err := newBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(133), nil)
		if err != nil {
			t.Fatal(err)
		}
		b.AddString("a")
		data, err := b.Finish()
		if err != nil || len(data) != 133 || i > 0 && !bytes.Equal(data, want) {
			t.Errorf("%d: %x, %v", i, data, err)
		}
		want = data
		for name, refused := range map[string]func() (*simdbloom.Builder, error){
			"0.4 bits per key":    func() (*simdbloom.Builder, error) { return newBuilder(0.4, keyhash.XX64) },
			"no hash":             func() (*simdbloom.Builder, error) { return newBuilder(10, keyhash.Hash{}) },
			"a hash of 32 bits":   func() (*simdbloom.Builder, error) { return newBuilder(10, keyhash.RocksDB32) },
			"a size between":      func() (*simdbloom.Builder, error) { return newBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(134)) },
			"less than a block":   func() (*simdbloom.Builder, error) { return newBuilder(10, keyhash.XX64, simdbloom.WithMaxBytes(68)) },
			"without a goroutine": func() (*simdbloom.Builder, error) { return newBuilder(10, keyhash.XX64, simdbloom.WithConcurrency(0)) },
		} {
			if b, err := refused(); b != nil || err == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
