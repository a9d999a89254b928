package measured

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// fromUser returns where a file is that the user named. "go -C bench run" changes the working
// directory, and leaves PWD at the directory that the user is in and means.
func fromUser(name string) string {
	directory := os.Getenv("PWD")
	if name == "" || filepath.IsAbs(name) || !filepath.IsAbs(directory) {
		return name
	}
	return filepath.Join(directory, name)
}

// Load reads results from a file that Save has written.
func Load[R any](file string) (*R, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	results := new(R)
	if err := json.Unmarshal(text, results); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return results, nil
}

// Save writes results as JSON to a file: all of it, or, if that fails, nothing. Without a name it
// writes to w.
func Save(file string, w io.Writer, results any) error {
	text, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if file == "" {
		_, err = w.Write(text)
		return err
	}
	part := file + ".part"
	if err := os.WriteFile(part, text, 0o644); err != nil {
		return err
	}
	return os.Rename(part, file)
}

// WritePages writes the pages and the plots of a clone, by their paths in it, of the results in a file of its bench.
func WritePages[R any](clone, file string, pages func(results *R, clone string) (map[string][]byte, error)) error {
	results, err := Load[R](filepath.Join(clone, "bench", file))
	if err != nil {
		return err
	}
	files, err := pages(results, clone)
	if err != nil {
		return err
	}
	for path, text := range files {
		if err := os.WriteFile(filepath.Join(clone, filepath.FromSlash(path)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// TempDir makes a temporary directory, in $TEST_TMPDIR if that is set, which it also makes, as RocksDB's programs do.
func TempDir(pattern string) (string, error) {
	parent := fromUser(os.Getenv("TEST_TMPDIR"))
	if parent != "" {
		if err := os.MkdirAll(parent, 0o777); err != nil {
			return "", err
		}
	}
	return os.MkdirTemp(parent, pattern)
}

// Out is the flag of the file where results are written. A folder that does not exist is an error before hours of
// measuring.
func Out(flags *flag.FlagSet, path *string) {
	flags.Func("o", "write the results as JSON to a `file` instead of standard output", func(name string) error {
		*path = fromUser(name)
		_, err := os.Stat(filepath.Dir(*path))
		return err
	})
}

// Pages is the flag that makes a program write pages instead of measuring.
func Pages(flags *flag.FlagSet, clone *string) {
	File(flags, clone, "pages", "measure nothing, and write the tables and plots of the clone in a `directory` from its file in bench")
}

// File defines a flag of the path of a file or a directory, seen from the user's directory.
func File(flags *flag.FlagSet, path *string, name, usage string) {
	flags.Var((*file)(path), name, usage)
}

type file string

func (f *file) String() string { return string(*f) }

func (f *file) Set(name string) error {
	*f = file(fromUser(name))
	return nil
}
