//go:build linux

package powercut_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/powercut"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/sliced"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var allHashes = func() []uint64 {
	all := make([]uint64, 80_000)
	for i := range all {
		all[i] = keyhash.XX64.SumUint64(uint64(i))
	}
	return all
}()

// hashes returns the first n of a list.
func hashes(n int) []uint64 { return allHashes[:n] }

const oldKeys, newKeys = 300, 1000

func filter(keys int) *simdbloom.Filter { return filterOf(policy.Linear(10), keys) }

func filterOf(p *policy.Policy, keys int) *simdbloom.Filter {
	b := p.NewBuilder()
	b.AddHashes(hashes(keys))
	return must(b.Filter())
}

func writeFilter(path string, keys int) error {
	return filterfile.WriteFile(path, filter(keys), filterfile.WithKeys(keys))
}

// openFilter opens a filter of oldKeys or newKeys keys.
func openFilter(path string) (isNew bool, err error) { return openFilterOf(path, 0) }

// openFilterOf is openFilter of a filter that may have another number of keys than its file says.
func openFilterOf(path string, keys int) (isNew bool, err error) {
	f, err := filterfile.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	said := int(f.Info().Keys)
	if said != oldKeys && said != newKeys {
		return false, fmt.Errorf("%d keys", said)
	}
	if string(f.Bytes()) != string(filter(cmp.Or(keys, said)).Bytes()) {
		return false, errors.New("other bytes")
	}
	return said == newKeys, nil
}

// orNothing is open where there need not be a file.
func orNothing(path string, open func(string) (bool, error)) func() (bool, error) {
	return func() (bool, error) {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return open(path)
	}
}

func only(names ...string) func(string) bool {
	return func(path string) bool {
		for _, name := range names {
			if path == name {
				return true
			}
		}
		return false
	}
}

func TestFilterFiles(t *testing.T) {
	writes := func() error { return writeFilter("filter", newKeys) }
	replaces := func() error { return writeFilter("filter", oldKeys) }
	opens := func() (bool, error) { return openFilter("filter") }
	powercut.Test(t,
		powercut.Writer{Name: "new", Write: writes, Open: orNothing("filter", openFilter), Belongs: only("filter")},
		powercut.Writer{Name: "replaced", Before: replaces, Write: writes, Open: opens, Belongs: only("filter")},
		powercut.Writer{
			Name:   "in the place of a link",
			Before: func() error { return errors.Join(writeFilter("target", oldKeys), os.Symlink("target", "filter")) },
			Write:  writes, Open: opens, Belongs: only("filter", "target"),
		},
		powercut.Writer{
			Name: "in another folder", Before: func() error { return os.Mkdir("folder", 0o777) },
			Write:   func() error { return writeFilter("folder/filter", newKeys) },
			Open:    orNothing("folder/filter", openFilter),
			Belongs: only("folder", "folder/filter"),
		},
		powercut.Writer{
			Name: "a filter that its own file has", Before: replaces,
			Write: func() error {
				f, err := filterfile.Open("filter", filterfile.WithLazyCheck())
				if err != nil {
					return err
				}
				defer f.Close()
				return filterfile.WriteFile("filter", f, filterfile.WithKeys(newKeys))
			},
			Open: func() (bool, error) { return openFilterOf("filter", oldKeys) }, Belongs: only("filter"),
		},
		powercut.Writer{
			Name: "a filter that grows", Before: replaces, Belongs: only("filter"),
			Write: func() error {
				c := must(simdbloom.NewConcurrent(simdbloom.FastLocal, newKeys, 10, keyhash.XX64))
				c.AddHashes(hashes(newKeys))
				return filterfile.WriteFile("filter", c, filterfile.WithKeys(newKeys))
			},
			Open: func() (bool, error) {
				f, err := filterfile.Open("filter")
				if err != nil {
					return false, err
				}
				defer f.Close()
				n := len(f.AppendHits(nil, hashes(newKeys)))
				return f.Format() == simdbloom.FastLocal && n == newKeys, nil
			},
		},
	)
}

// slicedFilters are some of one shape and some of another.
func slicedFilters(n int) *sliced.Filters {
	s := sliced.New(keyhash.XX64)
	for i := range n {
		must(s.Append(filterOf(policy.FastLocal(10), oldKeys+100*(i/3))))
	}
	return s
}

func openSliced(path string) (isNew bool, err error) {
	s, err := sliced.Open(path)
	if err != nil {
		return false, err
	}
	defer s.Close()
	for i, hash := range hashes(oldKeys) {
		if n := len(s.AppendHits(nil, hash)); n != s.Len() {
			return false, fmt.Errorf("%d of %d filters have key %d", n, s.Len(), i)
		}
	}
	return s.Len() == 7, nil
}

func TestSlicedFiles(t *testing.T) {
	replaces := func() error { return slicedFilters(5).WriteFile("filters") }
	opens := func() (bool, error) { return openSliced("filters") }
	powercut.Test(t,
		powercut.Writer{
			Name: "new", Write: func() error { return slicedFilters(7).WriteFile("filters") },
			Open: orNothing("filters", openSliced), Belongs: only("filters"),
		},
		powercut.Writer{
			Name: "more filters in its own file", Before: replaces, Open: opens, Belongs: only("filters"),
			Write: func() error {
				s, err := sliced.Open("filters", filterfile.WithLazyCheck())
				if err != nil {
					return err
				}
				defer s.Close()
				for s.Len() < 7 {
					must(s.Append(filterOf(policy.FastLocal(10), oldKeys)))
				}
				return s.WriteFile("filters")
			},
		},
	)
}
