// Command simdbloom builds filters of any number of keys, and looks keys up in them, from a shell:
//
//	simdbloom size -keys=1e9 -fpr=1e-6                    the memory of each format
//	simdbloom build -format=linear -fpr=1e-6 -o set < keys
//	simdbloom check set < candidates                      prints those that may be in the set
//	simdbloom which folder key                            prints the filter files that may contain the key
//	simdbloom info set
//	simdbloom verify set                                  compares all checksums
//	simdbloom merge -o all monday tuesday
//	simdbloom sst /path/to/db/*.sst                       filters of table files
//	simdbloom parquet file.parquet                        filters of Parquet files
//
// A set is a folder, or one filter file: packages filterset and filterfile of this library read and write them.
// "simdbloom help COMMAND" has a command's flags, "simdbloom man" prints a manual page, and "simdbloom completion bash"
// a script by which a shell completes names and flags.
//
// # Exit status
//
// It is 0 if all went well; 1 if check or which printed nothing, verify found a wrong checksum, sst did not find a key,
// or a filter lacks one; 2 if the arguments are wrong: then nothing was read or written; 3 if something could not be
// read or written; and 130 after Ctrl-C.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Exit statuses.
const (
	notFound     = 1 // check, which or sst found no key, or verify a wrong checksum
	badArguments = 2
	failed       = 3 // to read or write
	interrupted  = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, &streams{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:]))
}

// streams are a command's inputs and outputs, apart from files.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// usageError is about arguments.
type usageError struct{ error }

func badUsage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// statusError is the exit status after an error that was reported.
type statusError int

func (s statusError) Error() string { return fmt.Sprint("exit status ", int(s)) }

// run is the program. It returns the exit status.
func run(ctx context.Context, s *streams, args []string) int {
	name := "help"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	c := commandOf(name)
	if c == nil {
		fmt.Fprintf(s.err, "simdbloom: %v\n", noCommand(name))
		return badArguments
	}
	a := c.new()
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is reported once
	a.addTo(flags)
	rest, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		err = c.help(s.out)
	case err != nil:
		err = usageError{withFlag(err, flags)}
	default:
		err = a.run(ctx, s, rest)
	}
	return statusOf(err, s.err, name)
}

func noCommand(name string) error {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return fmt.Errorf("there is no command %q%s: \"simdbloom help\" lists them", name, didYouMean(name, "", names))
}

// withFlag adds the flag that may be meant to an error about an unknown one, and makes "parse error" plain.
func withFlag(err error, flags *flag.FlagSet) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		if text, isNumber := strings.CutSuffix(err.Error(), ": parse error"); isNumber {
			err = errors.New(text + ": not a number")
		}
		return err
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("there is no flag -%s%s", name, didYouMean(name, "-", names))
}

// statusOf reports an error, and returns the exit status.
func statusOf(err error, w io.Writer, name string) int {
	var status statusError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, syscall.EPIPE): // as "| head" does
		return failed
	case errors.Is(err, context.Canceled):
		what := "interrupted"
		if name == "build" {
			what += ": nothing was changed"
		}
		fmt.Fprintf(w, "simdbloom %s: %s\n", name, what)
		return interrupted
	case errors.As(err, new(usageError)) && name == "help":
		fmt.Fprintf(w, "simdbloom: %v\n", err)
		return badArguments
	case errors.As(err, new(usageError)):
		fmt.Fprintf(w, "simdbloom %s: %v (\"simdbloom help %s\" says more)\n", name, err, name)
		return badArguments
	}
	fmt.Fprintf(w, "simdbloom %s: %s\n", name, withoutPackage(err))
	return failed
}

// withoutPackage returns an error's text without the package that it comes from in most commands.
func withoutPackage(err error) string {
	text := err.Error()
	for _, prefix := range []string{"filterset: ", "filterfile: ", "dcso: ", "redisbloom: ", "sliced: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}

// parse parses flags before, between and behind other arguments, which it returns.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		left := flags.Args()
		if read := len(args) - len(left); read > 0 && args[read-1] == "--" {
			return append(rest, left...), nil
		}
		if len(left) == 0 {
			return rest, nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}
