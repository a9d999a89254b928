// Package command is shared by the programs here: their flags, and the way from their arguments
// to their exit status.
package command

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/cpu"
)

// Run parses a command's arguments, does what they say, and returns the exit status: 0, also
// for help, 1 for failures, those to write output included, and 2 for invalid arguments. It
// reports the mistake on stderr, and says if the machine was too busy for the times to mean much.
func Run[S any](name string, args []string, stdout, stderr io.Writer,
	parse func(args []string, stderr io.Writer) (S, error), do func(settings S, stdout, stderr io.Writer) error,
) int {
	if err := cpu.Problem(); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
	}
	timing.Begin()
	settings, err := parse(args, stderr)
	status := 2
	if err == nil {
		written := &writer{below: stdout}
		status = 1
		if err = do(settings, written, stderr); err == nil {
			err = written.err
		}
	}
	if busy := timing.Busy(); busy != "" {
		fmt.Fprintf(stderr, "%s: %s: run it again on a quiet machine\n", name, busy)
	}
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
	return status
}

// WriteJSON writes the machine-readable result of a command that ended with err. The text of
// err goes into the result's own field first. It returns err and the error of writing.
func WriteJSON(w io.Writer, result any, field *string, err error) error {
	if err != nil {
		*field = err.Error()
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return errors.Join(err, encoder.Encode(result))
}
