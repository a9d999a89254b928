//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/powercut"
)

// TestPowerCut: after every command that writes there is the old thing or the new one, whole, whatever the system had
// stored.
func TestPowerCut(t *testing.T) {
	command := func(args string, stdin string) func() error {
		return func() error {
			var problems bytes.Buffer
			if status := run(context.Background(), &streams{strings.NewReader(stdin), new(bytes.Buffer), &problems}, strings.Fields(args)); status != 0 {
				return fmt.Errorf("%s: status %d: %s", args, status, &problems)
			}
			return nil
		}
	}
	before := func(steps ...func() error) func() error {
		return func() (err error) {
			for _, step := range steps {
				err = errors.Join(err, step())
			}
			return err
		}
	}
	oldKeys, newKeys := lines(0, 100), lines(0, 300)
	// opens reports whether a set or a file has the new keys, after it was verified.
	opens := func(path string) func() (bool, error) {
		return func() (bool, error) {
			if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
				return false, nil
			}
			if _, err := os.Lstat(filepath.Join(path, filterset.Manifest)); errors.Is(err, os.ErrNotExist) {
				return false, nil // a folder without a set
			}
			if err := command("verify -quiet "+path, "")(); err != nil {
				return false, err
			}
			for _, keys := range []string{newKeys, oldKeys} {
				var out bytes.Buffer
				run(context.Background(), &streams{strings.NewReader(keys), &out, new(bytes.Buffer)}, []string{"check", path})
				if out.String() == keys {
					return keys == newKeys, nil
				}
			}
			return false, errors.New("keys are lost")
		}
	}
	type row struct {
		ID int64 `parquet:"id"`
	}
	rows := func() error { return parquetgo.WriteFile("rows", []row{{1}, {2}, {3}}) }
	filtered := func(path string) func() (bool, error) {
		return func() (bool, error) {
			if _, err := os.Lstat(path); path == "added" && errors.Is(err, os.ErrNotExist) {
				return false, nil
			}
			if read, err := parquetgo.ReadFile[row](path); err != nil || len(read) != 3 {
				return false, fmt.Errorf("%d rows, %w", len(read), err)
			}
			if err := command("parquet verify -column=id "+path, "")(); err != nil {
				return false, err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return false, err
			}
			f, err := parquetgo.OpenFile(bytes.NewReader(data), int64(len(data)))
			return err == nil && f.RowGroups()[0].ColumnChunks()[0].BloomFilter() != nil, err
		}
	}
	belongs := func(path string) bool {
		return !strings.HasSuffix(path, ".tmp") && !strings.HasSuffix(path, "hashes")
	}
	const first = "only a set's first builder may find that its folder was just made"
	there := map[string]string{"fsync .": first}
	const made = "builders have stored their parts, but those of a set that was copied may not be stored"
	oldSet, oldFile := command("build -quiet -bits=30 -o set", oldKeys), command("build -quiet -bits=30 -file -o file", oldKeys)
	more := command("build -quiet -bits=30 -o more", newKeys)
	powercut.Test(t,
		powercut.Writer{Name: "build", Write: command("build -quiet -bits=30 -o a/set", newKeys), Open: opens("a/set"), Belongs: belongs},
		powercut.Writer{Name: "build again", Before: oldSet, Write: command("build -quiet -bits=30 -o set", newKeys), Open: opens("set"), Belongs: belongs, Spare: there},
		powercut.Writer{Name: "build -add", Before: oldSet, Write: command("build -quiet -add -o set", newKeys), Open: opens("set"), Belongs: belongs, Spare: there},
		powercut.Writer{Name: "build -file", Before: oldFile, Write: command("build -quiet -bits=30 -file -o file", newKeys), Open: opens("file"), Belongs: belongs},
		powercut.Writer{
			Name: "merge", Before: before(oldSet, more), Write: command("merge -quiet -o set more", ""), Open: opens("set"), Belongs: belongs,
			Spare: map[string]string{"fsync .": first, "fsync more/layer-N/00000.filter": made},
		},
		powercut.Writer{Name: "parquet add -o", Before: rows, Write: command("parquet add -column=id -o=added rows", ""), Open: filtered("added"), Belongs: belongs},
		powercut.Writer{Name: "parquet add -in-place", Before: rows, Write: command("parquet add -column=id -in-place rows", ""), Open: filtered("rows"), Belongs: belongs},
		powercut.Writer{
			Name: "parquet add -in-place of a link", Before: before(rows, func() error { return os.Symlink("rows", "link") }),
			Write: command("parquet add -column=id -in-place link", ""), Open: filtered("link"), Belongs: belongs,
		},
	)
}
