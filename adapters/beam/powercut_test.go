//go:build linux

package beam

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/powercut"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestPowerCut: a local set survives, too, whatever the system had stored.
func TestPowerCut(t *testing.T) {
	hashes := make([]uint64, 1000)
	for i := range hashes {
		hashes[i] = keyhash.XX64.SumUint64(uint64(i))
	}
	build := func(dir, id string) error {
		set := Set{Dir: dir, Policy: "simdbloom.FastLocal:10", Parts: 2, ID: id}
		var built []builtPart
		for part := range set.Parts {
			of := []uint64{}
			for _, hash := range hashes {
				if filterset.PartOf(hash, set.Parts) == part {
					of = append(of, hash)
				}
			}
			blocks := [][]byte{appendBlock(nil, of)}
			made, err := (&partFn{Set: set}).ProcessElement(t.Context(), part, func(block *[]byte) bool {
				if len(blocks) == 0 {
					return false
				}
				*block, blocks = blocks[0], nil
				return true
			})
			if err != nil {
				return err
			}
			built = append(built, made)
		}
		_, err := manifestOf(set, built...)
		return err
	}
	const oldID, newID = "00000000000000aa", "00000000000000bb"
	open := func(dir string) func() (bool, error) {
		return func() (isNew bool, err error) {
			if _, err := os.Lstat(path.Join(dir, filterset.Manifest)); dir == "a/b" && errors.Is(err, os.ErrNotExist) {
				return false, nil
			}
			s, err := filterset.Open(dir)
			if err != nil {
				return false, err
			}
			defer s.Close()
			if err := s.Verify(t.Context(), nil); err != nil {
				return false, err
			}
			if len(s.AppendHits(nil, hashes)) != len(hashes) {
				err = errors.New("keys are lost")
			}
			return s.Info().Layers[0].ID == newID, err
		}
	}
	belongs := func(name string) bool { // the files of the old set stay if its manifest was replaced before
		return !strings.Contains(name, temporary)
	}
	powercut.Test(t,
		powercut.Writer{
			Name: "built in folders that are made", Write: func() error { return build("a/b", newID) }, Open: open("a/b"), Belongs: belongs,
		},
		powercut.Writer{
			Name: "replaced", Before: func() error { return build("set", oldID) },
			Write: func() error { return build("set", newID) }, Open: open("set"), Belongs: belongs,
			Spare: map[string]string{"fsync .": "only a set's first pipeline may find that its folder was just made"},
		},
	)
}
