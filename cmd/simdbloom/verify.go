package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/filterfile"
)

const aboutVerify = `It reads every byte. The exit status is 1 if a checksum is wrong.`

// verifyCommand is "simdbloom verify".
type verifyCommand struct{ quiet bool }

func (c *verifyCommand) addTo(flags *flag.FlagSet) {
	flags.BoolVar(&c.quiet, "quiet", false, "print nothing but errors")
}

func (c *verifyCommand) run(ctx context.Context, s *streams, args []string) error {
	if len(args) == 0 {
		return badUsage("name a set or a filter file")
	}
	progress := newProgress(s.err, c.quiet)
	defer progress.end()
	corrupt := false
	var all []error
	for _, name := range args {
		bytes, err := verify(ctx, name, progress)
		progress.end()
		switch {
		case errors.Is(err, filterfile.ErrCorrupt):
			corrupt = true
			fmt.Fprintf(s.err, "%s: CORRUPT: %s\n", name, withoutPackage(err))
		case err != nil:
			all = append(all, err)
		case !c.quiet:
			_, err = fmt.Fprintf(s.out, "%s: sound, %s\n", name, figures.Bytes(bytes))
			all = append(all, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err := errors.Join(all...); err != nil || !corrupt {
		return err
	}
	return statusError(negative)
}

// verify compares all checksums of a set or a filter file, and returns how many bytes these are about.
func verify(ctx context.Context, name string, progress *progress) (bytes int64, err error) {
	if !isSet(name) {
		if f, err := openDCSO(name); f != nil || err != nil {
			if err != nil {
				return 0, err
			}
			defer f.Close()
			return int64(f.SizeBytes()), f.Verify()
		}
		f, err := filterfile.Open(name)
		if errors.Is(err, filterfile.ErrCorrupt) {
			return 0, err
		}
		if err != nil {
			return 0, fileError(name, err)
		}
		defer f.Close()
		return f.Info().Offset + f.Info().Length, nil
	}
	set, err := openSet(name)
	if err != nil {
		return 0, err
	}
	defer set.Close()
	progress.begin("verifying "+name, "bytes")
	return set.SizeBytes(), set.Verify(ctx, func(done, total int64) { progress.at(done, float64(done)/float64(max(total, 1))) })
}
