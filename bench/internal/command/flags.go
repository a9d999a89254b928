package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Parse parses a command's flags, behind which no arguments may come. For -help it prints the usage and
// the flags on stderr. It does not print errors: Run does.
func Parse(flags *flag.FlagSet, args []string, usage string, stderr io.Writer) error {
	if err := ParseWithArguments(flags, args, usage, stderr); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is not a flag", strings.Join(flags.Args(), " "))
	}
	return nil
}

// ParseWithArguments is Parse for a command that has arguments behind its flags.
func ParseWithArguments(flags *flag.FlagSet, args []string, usage string, stderr io.Writer) error {
	flags.SetOutput(io.Discard) // or package flag would print errors, too
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stderr)
		fmt.Fprintf(stderr, "USAGE: %s\n\n", usage)
		flags.PrintDefaults()
	case err != nil:
		err = fmt.Errorf("%w (-help lists the flags)", err)
	}
	return err
}

// Number defines a flag of a number from least to most.
func Number[T int | int64 | uint | float64](flags *flag.FlagSet, value *T, name string, usual, least, most T, usage string) {
	*value = usual
	flags.Var(&number[T]{value, least, most}, name, usage)
}

type number[T int | int64 | uint | float64] struct {
	value       *T
	least, most T
}

func (n *number[T]) String() string {
	if n.value == nil { // package flag asks for the text of the zero value
		return ""
	}
	return fmt.Sprint(*n.value)
}

func (n *number[T]) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= float64(n.least) && x <= float64(n.most)) {
		return fmt.Errorf("must be %v to %v", n.least, n.most)
	}
	if *n.value = T(x); float64(*n.value) != x {
		return errors.New("must be a whole number")
	}
	return nil
}

// The flags that several programs have, each explained here alone.

// Only selects measurements: without the flag, all.
func Only(flags *flag.FlagSet, pattern **regexp.Regexp, usage string) {
	*pattern = regexp.MustCompile("")
	flags.Func("only", usage, func(text string) (err error) {
		*pattern, err = regexp.Compile(text)
		return err
	})
}

// Rounds is how often everything is measured.
func Rounds(flags *flag.FlagSet, rounds *int, usual int) {
	Number(flags, rounds, "rounds", usual, 1, 1000, "`number` of timed rounds, in each of which every filter has its turn")
}

// JSON makes a program print its results for programs.
func JSON(flags *flag.FlagSet, json *bool) {
	flags.BoolVar(json, "json", false, "print one JSON object instead of text")
}

// Threads is how many goroutines do operations at once.
func Threads(flags *flag.FlagSet, threads *int, usual int) {
	Number(flags, threads, "threads", usual, 1, 1000, "`number` of threads")
}
