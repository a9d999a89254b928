package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/parquetfilters"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/sst"
)

// command is named by the program's first argument.
type command struct {
	name  string
	args  string // behind the flags
	brief string // description, on a line
	about string // more

	new func() action
}

// action is a command with its flags.
type action interface {
	addTo(flags *flag.FlagSet)
	run(ctx context.Context, s *streams, args []string) error
}

// commands returns all of them, in the order in which people need them.
func commands() []command {
	return []command{
		{
			name: "size", brief: "compare the formats: memory and false-positive rates", about: aboutSize,
			new: func() action { return new(sizeCommand) },
		},
		{
			name: "build", args: "[FILE...]", brief: "build the filters of keys", about: aboutBuild,
			new: func() action { return new(buildCommand) },
		},
		{
			name: "check", args: "SET [FILE...]", brief: "print the keys that may be in a set", about: aboutCheck,
			new: func() action { return new(checkCommand) },
		},
		{
			name: "which", args: "FOLDER KEY...", brief: "print the filter files that may contain a key", about: aboutWhich,
			new: func() action { return whichCommand{} },
		},
		{
			name: "info", args: "SET...", brief: "print what sets and filter files have", about: aboutInfo,
			new: func() action { return new(infoCommand) },
		},
		{
			name: "verify", args: "SET...", brief: "compare all checksums", about: aboutVerify,
			new: func() action { return new(verifyCommand) },
		},
		{
			name: "merge", args: "SET...", brief: "make one set of several", about: aboutMerge,
			new: func() action { return new(mergeCommand) },
		},
		{
			name: "sst", args: "FILE...", brief: "print and query the filters of RocksDB's, Pebble's and LevelDB's tables",
			about: sst.About,
			new:   func() action { return new(sstCommand) },
		},
		{
			name: "parquet", args: "[add|verify] FILE...", brief: "print, query, add and verify the filters of Parquet files",
			about: parquetfilters.About,
			new:   func() action { return new(parquetCommand) },
		},
		{
			name: "completion", args: "bash|zsh|fish", brief: "print what makes a shell complete names and flags", about: aboutCompletion,
			new: func() action { return printCommand(printCompletion) },
		},
		{
			name: "man", brief: "print the manual page", about: "To read it: simdbloom man | man -l -",
			new: func() action { return printCommand(printManual) },
		},
		{
			name: "help", args: "[COMMAND]", brief: "print what commands do, and their flags",
			new: func() action { return printCommand(printHelp) },
		},
		{
			name: "version", brief: "print the version",
			new: func() action { return printCommand(printVersion) },
		},
	}
}

func commandOf(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

// flags returns the command's flags.
func (c *command) flags() *flag.FlagSet {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.new().addTo(flags)
	return flags
}

// printCommand has no flags.
type printCommand func(w io.Writer, args []string) error

func (printCommand) addTo(*flag.FlagSet) {}

func (p printCommand) run(_ context.Context, s *streams, args []string) error { return p(s.out, args) }

// sstCommand is "simdbloom sst".
type sstCommand struct{ sst.Command }

func (c *sstCommand) addTo(flags *flag.FlagSet) { c.AddTo(flags) }

func (c *sstCommand) run(ctx context.Context, s *streams, args []string) error {
	return interruptible(ctx, func() error {
		if err := c.Check(args, s.in); err != nil {
			return usageError{err}
		}
		progress := newProgress(s.err, c.Quiet)
		progress.begin("verifying", "bytes")
		c.Progress = sstProgress{progress}
		if status := c.Run(args, s.out, s.err); status != 0 {
			return statusError(status)
		}
		return nil
	})
}

// sstProgress is that of "simdbloom sst -verify".
type sstProgress struct{ *progress }

func (p sstProgress) At(done, total uint64) { p.at(int64(done), float64(done)/float64(max(total, 1))) }

func (p sstProgress) Clear() { p.end() }

// interruptible calls do, which only reads. If ctx is done it does not wait for its end: the program ends then.
func interruptible(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-done:
		return err
	}
}

// parquetCommand is "simdbloom parquet".
type parquetCommand struct{ parquetfilters.Command }

func (c *parquetCommand) addTo(flags *flag.FlagSet) { c.AddTo(flags) }

func (c *parquetCommand) run(ctx context.Context, s *streams, args []string) error {
	if err := c.Check(args); err != nil {
		return usageError{err}
	}
	return interruptible(ctx, func() error {
		n := c.Run(args, s.out, s.err)
		switch {
		case n > 0 && (parquetfilters.Adds(args) || parquetfilters.Verifies(args)):
			return statusError(failed) // it was reported
		case n > 0:
			return fmt.Errorf("%d of %d files could not be printed", n, len(args))
		case c.Lacking() > 0: // as of sst -verify, after other errors
			return statusError(notFound)
		}
		return nil
	})
}

func printVersion(w io.Writer, args []string) error {
	if len(args) > 0 {
		return badUsage("version takes no arguments")
	}
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = versionOf(info)
	}
	_, err := fmt.Fprintln(w, "simdbloom", version)
	return err
}

// versionOf returns the version with the commit that a clone had, if Go recorded it.
func versionOf(info *debug.BuildInfo) string {
	version := info.Main.Version
	for _, s := range info.Settings {
		short := s.Value[:min(len(s.Value), 12)]
		switch {
		case s.Key == "vcs.revision" && !strings.Contains(version, short):
			version += " commit " + short
		case s.Key == "vcs.modified" && s.Value == "true" && !strings.Contains(version, "dirty"):
			version += " with changes"
		}
	}
	return version + " " + info.GoVersion
}
