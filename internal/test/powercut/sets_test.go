//go:build linux

package powercut_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/powercut"
	"github.com/simdbloom/simdbloom/policy"
)

const setMemory = 16 << 20

func builder(dir string, keys int, options ...filterset.Option) (*filterset.Builder, error) {
	b, err := filterset.NewBuilder(dir, policy.FastLocal(10), int64(keys), setMemory, append(options, filterset.WithParts(2), filterset.WithConcurrency(1))...)
	if err == nil {
		b.AddHashes(hashes(keys))
	}
	return b, err
}

func build(dir string, keys int, options ...filterset.Option) error {
	b, err := builder(dir, keys, options...)
	if err != nil {
		return err
	}
	return b.Finish(context.Background())
}

// openSet opens a set of which the last layer has the old keys or others.
func openSet(dir string) (isNew bool, err error) {
	s, err := filterset.Open(dir)
	if err != nil {
		return false, err
	}
	defer s.Close()
	layers := s.Info().Layers
	keys := int(layers[len(layers)-1].Keys())
	if err := s.Verify(context.Background(), nil); err != nil {
		return false, err
	}
	if n := len(s.AppendHits(nil, hashes(keys))); n != keys {
		return false, fmt.Errorf("%d of %d keys", n, keys)
	}
	return keys != oldKeys, nil
}

// ofSets reports whether a path is that of a folder around one of some sets, or of something in one. It is called in
// the folder in which the sets are.
func ofSets(dirs ...string) func(string) bool {
	return func(name string) bool {
		for _, dir := range dirs {
			rest, below := strings.CutPrefix(name, dir+"/")
			if name == dir || strings.HasPrefix(dir, name+"/") || below && rest == filterset.Manifest {
				return true
			}
			text, err := os.ReadFile(path.Join(dir, filterset.Manifest))
			info := filterset.Info{}
			if err == nil && below && info.UnmarshalText(text) == nil {
				for _, layer := range info.Layers {
					if file, in := strings.CutPrefix(rest+"/", layer.Folder()+"/"); in && file != "hashes/" {
						return true
					}
				}
			}
		}
		return false
	}
}

func TestSets(t *testing.T) {
	old := func() error { return build("set", oldKeys) }
	opens := func() (bool, error) { return openSet("set") }
	opensOrNothing := func(dir string) func() (bool, error) {
		return orNothing(path.Join(dir, filterset.Manifest), func(string) (bool, error) { return openSet(dir) })
	}
	const first = "only a set's first builder may find that its folder was just made"
	there := map[string]string{"fsync .": first}
	const made = "builders have stored their parts, but those of a set that was copied may not be stored"
	parts := map[string]string{"fsync from/layer-N/00000.filter": made, "fsync from/layer-N/00001.filter": made}
	merged := maps.Clone(parts)
	merged["fsync ."] = first
	const manyKeys = 80_000 // of which some hashes are in a file
	powercut.Test(t,
		powercut.Writer{
			Name: "built in folders that are made", Write: func() error { return build("a/b/set", newKeys) },
			Open: opensOrNothing("a/b/set"), Belongs: ofSets("a/b/set"),
		},
		powercut.Writer{
			Name: "built in a folder that another one has just made", Write: func() error { return build("set", newKeys) },
			Others: func() error { return os.Mkdir("set", 0o777) },
			Open:   opensOrNothing("set"),
		},
		powercut.Writer{
			Name: "replaced", Before: old, Write: func() error { return build("set", newKeys) }, Open: opens, Belongs: ofSets("set"), Spare: there,
		},
		powercut.Writer{
			Name: "replaced, of many keys", Before: old, Write: func() error { return build("set", manyKeys) }, Open: opens, Belongs: ofSets("set"), Spare: there,
		},
		powercut.Writer{
			Name: "a layer added", Before: old, Write: func() error { return build("set", newKeys, filterset.WithLayer()) }, Open: opens, Belongs: ofSets("set"), Spare: there,
		},
		powercut.Writer{
			Name: "merged into folders that are made", Before: func() error { return build("from", newKeys) },
			Write: func() error { return filterset.Merge("a/set", "from") },
			Open:  opensOrNothing("a/set"), Belongs: ofSets("a/set", "from"), Spare: parts,
		},
		powercut.Writer{
			Name: "merged into a set", Before: func() error { return errors.Join(old(), build("from", newKeys)) },
			Write: func() error { return filterset.Merge("set", "from") },
			Open:  opens, Belongs: ofSets("set", "from"), Spare: merged,
		},
		powercut.Writer{
			Name:   "merged from a set that was just copied",
			Before: func() error { return errors.Join(old(), build("from", newKeys)) },
			Others: func() error { return os.CopyFS("copied", os.DirFS("from")) },
			Write:  func() error { return filterset.Merge("set", "copied") },
			Open:   opens, Spare: there,
		},
		powercut.Writer{
			Name:   "merged from files that cannot be linked",
			Before: func() error { return errors.Join(old(), build("from", newKeys), linkParts("from")) },
			Write:  func() error { return filterset.Merge("set", "from") },
			Open:   opens, Belongs: func(path string) bool { return strings.HasPrefix(path, "parts") || ofSets("set", "from")(path) },
			Spare: map[string]string{"fsync .": first, "fsync parts/0": made, "fsync parts/1": made},
		},
		powercut.Writer{
			Name: "aborted", Before: old, Aborts: true,
			Write: func() error {
				b, err := builder("set", manyKeys)
				if err != nil {
					return err
				}
				return b.Close()
			},
			Open: opens, Belongs: ofSets("set"),
		},
		powercut.Writer{
			Name: "aborted in folders that are made", Aborts: true,
			Write: func() error {
				b, err := builder("a/b/set", newKeys)
				if err != nil {
					return err
				}
				return b.Close()
			},
			Open: opensOrNothing("a/b/set"), Belongs: only("a", "a/b", "a/b/set"), // without a file, they may be somebody's
			Spare: map[string]string{"fsync .": "they are empty", "fsync a": "they are empty"},
		},
		powercut.Writer{
			Name: "a merge of nothing", Before: old, Aborts: true,
			Write: func() error {
				if err := filterset.Merge("set", "missing"); !errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("%w, not that there is no set", err)
				}
				return nil
			},
			Open: opens, Belongs: ofSets("set"),
		},
	)
}

// linkParts moves a set's parts to another folder, and makes symbolic links to them.
func linkParts(dir string) error {
	err := os.Mkdir("parts", 0o777)
	names, _ := fs.Glob(os.DirFS(dir), "layer-*/*")
	for i, name := range names {
		moved := fmt.Sprint("parts/", i)
		err = errors.Join(err, os.Rename(path.Join(dir, name), moved), os.Symlink("../../"+moved, path.Join(dir, name)))
	}
	return err
}
