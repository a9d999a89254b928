package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/sliced"
)

const aboutVerify = `It reads every byte. The exit status is 1 if a checksum is wrong, and 3 if something could not be read.

` + aboutForeign + ` They have no checksums: what they say more than
once is compared.`

// verifyCommand is "simdbloom verify".
type verifyCommand struct{ quiet, asJSON bool }

func (c *verifyCommand) addTo(flags *flag.FlagSet) {
	flags.BoolVar(&c.asJSON, "json", false, "print a JSON object for each set")
	flags.BoolVar(&c.quiet, "quiet", false, "print nothing but errors")
}

// verified is verify's object of -json.
type verified struct {
	Name   string `json:"name"`
	Status string `json:"status"` // OK, corrupt or unreadable
	Bytes  int64  `json:"bytes"`
	Error  string `json:"error,omitempty"`
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
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v := verified{Name: name, Status: "OK", Bytes: bytes}
		switch {
		case errors.Is(err, simdbloom.ErrCorrupt):
			corrupt = true
			v.Status, v.Error = "corrupt", strings.TrimPrefix(withoutPackage(err), "corrupt filter: ")
			fmt.Fprintf(s.err, "%s: CORRUPT: %s\n", name, v.Error)
		case err != nil:
			v.Status, v.Error = "unreadable", withoutPackage(err)
			all = append(all, err)
		}
		all = append(all, c.print(s.out, &v))
	}
	if err := errors.Join(all...); err != nil || !corrupt {
		return err
	}
	return statusError(notFound)
}

func (c *verifyCommand) print(w io.Writer, v *verified) (err error) {
	switch {
	case c.asJSON:
		err = json.NewEncoder(w).Encode(v)
	case v.Error == "" && !c.quiet:
		_, err = fmt.Fprintf(w, "%s: OK, %s\n", v.Name, figures.Bytes(v.Bytes))
	}
	return err
}

// verify compares all checksums of a set or a filter file, and returns how many bytes these are about.
func verify(ctx context.Context, name string, progress *progress) (bytes int64, err error) {
	if !isSet(name) {
		if f, err := openForeign(name); f != nil || err != nil {
			if err != nil {
				return 0, err
			}
			defer f.Close()
			return int64(f.SizeBytes()), f.Verify()
		}
		err := openFully(name)
		if errors.Is(err, simdbloom.ErrCorrupt) && isFilterFile(name) {
			return 0, err
		}
		if err != nil {
			return 0, fileError(name, err)
		}
		info, err := fileInfo(name)
		return info.Offset + info.Length, err
	}
	set, err := openSet(name)
	if err != nil {
		return 0, err
	}
	defer set.Close()
	progress.begin("verifying "+name, "bytes")
	return set.Info().SizeBytes(), set.Verify(ctx, func(done, total int64) { progress.at(done, float64(done)/float64(max(total, 1))) })
}

// openFully opens a filter file or sliced filters, which checks them.
func openFully(name string) error {
	if _, is := slicedInfo(name); is {
		f, err := sliced.Open(name)
		if err != nil {
			return err
		}
		return f.Close()
	}
	f, err := filterfile.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}
