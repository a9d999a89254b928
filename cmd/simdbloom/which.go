package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
)

const aboutWhich = `It prints the filter files and the sets in the folder, and in those below it, that may contain the key; with several keys
each line begins with the key and a tab. It reads what the lookups need, and no whole file. Other files are passed over.

  simdbloom which segments user:17

A file of sliced filters, of package sliced, may be in place of the folder: then the ids of its filters are printed.

The exit status is 1 if nothing was printed, and 3 if a filter could not be read: it may contain every key.`

// whichCommand is "simdbloom which".
type whichCommand struct{}

func (whichCommand) addTo(*flag.FlagSet) {}

func (whichCommand) run(ctx context.Context, s *streams, args []string) error {
	if len(args) < 2 {
		return badUsage("name a folder, or a file, and a key")
	}
	name, keys := args[0], args[1:]
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("%s: %w", name, failures.WithoutName(err))
	}
	out := bufio.NewWriter(s.out)
	printed := false
	show := func(key, where string) {
		printed = true
		if len(keys) > 1 {
			where = key + "\t" + where
		}
		fmt.Fprintln(out, where)
	}
	err := interruptible(ctx, func() error {
		if _, is := slicedInfo(name); is {
			return whichIDs(name, keys, show)
		}
		return whichFiles(ctx, name, keys, show)
	})
	if err := errors.Join(err, out.Flush()); err != nil || printed {
		return err
	}
	return statusError(notFound)
}

// whichIDs shows the ids of sliced filters that may contain the keys.
func whichIDs(name string, keys []string, show func(key, where string)) error {
	filters, err := openSliced(name, filterfile.WithLazyCheck())
	if err != nil {
		return err
	}
	defer filters.Close()
	for _, key := range keys {
		for _, id := range filters.AppendKeyHits(nil, []byte(key)) {
			show(key, fmt.Sprint(id))
		}
	}
	return filters.Err()
}

// whichFiles shows the filter files and sets under a name that may contain the keys.
func whichFiles(ctx context.Context, name string, keys []string, show func(key, where string)) error {
	var all []error
	found := 0
	err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		f, err := filterAt(path, entry, err)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			all = append(all, err)
		case f != nil:
			found++
			defer f.Close()
			for _, key := range keys {
				if f.ContainsString(key) {
					show(key, path)
				}
			}
			if err := f.Err(); err != nil {
				all = append(all, fileError(path, err))
			}
		}
		if entry != nil && entry.IsDir() && (f != nil || err != nil) {
			return fs.SkipDir // of a set, or of what cannot be read
		}
		return nil
	})
	if found == 0 && err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: no filter file and no set", name)
	}
	return errors.Join(append(all, err)...)
}

// lazyFilter is a filter file or a set, of which lookups read what they need.
type lazyFilter interface {
	opened
	ContainsString(key string) bool
}

// filterAt opens the filter file or the set at a path, if it is one.
func filterAt(path string, entry fs.DirEntry, err error) (lazyFilter, error) {
	switch {
	case err != nil:
		return nil, err
	case entry.IsDir():
		if _, err := os.Stat(filepath.Join(path, filterset.Manifest)); err != nil {
			return nil, nil
		}
		s, err := filterset.Open(path, filterfile.WithLazyCheck())
		if err != nil {
			return nil, err
		}
		return s, nil
	case !entry.Type().IsRegular() || !isFilterFile(path):
		return nil, nil
	}
	if _, is := slicedInfo(path); is {
		return nil, nil
	}
	f, err := filterfile.Open(path, filterfile.WithLazyCheck())
	if err != nil {
		return nil, fileError(path, err)
	}
	return f, nil
}
