package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
)

// checkSetOutput returns an error if a set cannot be written to a folder, or would replace something else.
func checkSetOutput(out string, force bool) error {
	info, err := os.Stat(out)
	switch {
	case err == nil && !info.IsDir():
		return badUsage("%s is a file: a set is a folder, and -file writes one file", out)
	case err != nil:
		if _, err := os.Lstat(out); err == nil {
			return badUsage("%s is a link to nothing", out)
		}
		return nil
	}
	manifest := filepath.Join(out, filterset.Manifest)
	if _, err := os.Stat(manifest); err != nil || force {
		return nil
	}
	if _, ok := readManifest(manifest); !ok {
		return badUsage("%s is not the manifest of a set: -force replaces it", manifest)
	}
	return nil
}

// readManifest returns a set's manifest, and whether the file is one. A pipe is none, and is not waited
// for.
func readManifest(name string) (set filterset.Info, ok bool) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return set, false
	}
	text, err := os.ReadFile(name)
	if err != nil || set.UnmarshalText(text) != nil {
		return filterset.Info{}, false
	}
	return set, true
}

// checkFileOutput returns an error if a filter file cannot be written, or would replace something else.
func checkFileOutput(out string, force bool) error {
	if folder := filepath.Dir(out); !isSet(folder) {
		return badUsage("%s is not a folder that exists", folder)
	}
	link, err := os.Lstat(out)
	if err != nil {
		return nil // writing returns an error if it is not only missing
	}
	info, err := os.Stat(out)
	switch {
	case err == nil && info.IsDir():
		return badUsage("%s is a folder: -file writes a file", out)
	case err == nil && !info.Mode().IsRegular():
		return badUsage("%s is neither a file nor a folder", out)
	case force || err == nil && (info.Size() == 0 && link.Mode().IsRegular() || isFilterFile(out)):
		return nil
	}
	return badUsage("%s is no filter file: -force replaces it", out)
}

func isFilterFile(name string) bool {
	file, err := failures.OpenRegular(name)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 8)
	_, err = io.ReadFull(file, start)
	return err == nil && filterfile.IsFilterFile(start)
}

// sayFolders warns if the folder around a set's folder does not exist, and is made: the path may be mistyped.
func sayFolders(w io.Writer, command, out string) {
	parent := filepath.Dir(filepath.Clean(out))
	if _, err := os.Stat(parent); os.IsNotExist(err) {
		fmt.Fprintf(w, "simdbloom %s: the folder %s does not exist, and is made\n", command, parent)
	}
}
