package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

func printHelp(w io.Writer, args []string) error {
	switch len(args) {
	case 0:
	case 1:
		c := commandOf(args[0])
		if c == nil {
			return usageError{noCommand(args[0])}
		}
		return c.help(w)
	default:
		return badUsage("at most one command, not %d", len(args))
	}
	var text strings.Builder
	fmt.Fprintf(&text, "simdbloom builds filters of any number of keys, and looks keys up in them.\n\nUSAGE: simdbloom COMMAND [FLAGS] [ARGUMENTS]\n\n")
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(table, "  %s\t%s\n", c.name, c.brief)
	}
	table.Flush()
	_, err := fmt.Fprintf(w, "%s\nsimdbloom help COMMAND prints a command's flags.\n\n%s", &text, exitStatus)
	return err
}

const exitStatus = `The exit status is
  0    if all went well
  1    if check printed no key, verify found a wrong checksum, or sst did not find a key, or a filter lacks one
  2    if the arguments are wrong: nothing was read or written
  3    if something could not be read or written
  130  after Ctrl-C
`

// help prints a command's description and flags.
func (c *command) help(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "USAGE: simdbloom %s\n\nsimdbloom %s: %s.\n", c.usage(), c.name, c.brief)
	if c.about != "" {
		fmt.Fprintf(&text, "\n%s\n", strings.TrimSpace(c.about))
	}
	if c.hasFlags() {
		fmt.Fprintf(&text, "\nFlags:\n")
		flags := c.flags()
		flags.SetOutput(&text)
		flags.PrintDefaults()
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func (c *command) hasFlags() (any bool) {
	c.flags().VisitAll(func(*flag.Flag) { any = true })
	return any
}

// usage is how the command is called, without the program's name.
func (c *command) usage() string {
	usage := c.name
	if c.hasFlags() {
		usage += " [FLAGS]"
	}
	if c.args != "" {
		usage += " " + c.args
	}
	return usage
}
