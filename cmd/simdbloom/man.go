package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// printManual prints a manual page, in the language of man.
func printManual(w io.Writer, args []string) error {
	if len(args) > 0 {
		return badUsage("man takes no arguments")
	}
	var text strings.Builder
	text.WriteString(".TH SIMDBLOOM 1\n.SH NAME\nsimdbloom \\- build filters of any number of keys, and look keys up in them\n.SH SYNOPSIS\n")
	for i, c := range commands() {
		if i > 0 {
			text.WriteString(".br\n")
		}
		fmt.Fprintf(&text, "\\fBsimdbloom %s\\fR%s\n", c.name, roff(strings.TrimPrefix(c.usage(), c.name)))
	}
	text.WriteString(".SH DESCRIPTION\nA filter stores a set of keys in a few bits each, and tells whether a key may be in it: \"no\" is always right, \"yes\" nearly always.\nA set is a folder, or one filter file.\n.SH COMMANDS\n")
	for _, c := range commands() {
		fmt.Fprintf(&text, ".SS simdbloom %s\nTo %s.\n", roff(c.usage()), roff(c.brief))
		if c.about != "" {
			text.WriteString(".PP\n" + roffText(c.about))
		}
		c.flags().VisitAll(func(f *flag.Flag) {
			value, usage := flag.UnquoteUsage(f)
			fmt.Fprintf(&text, ".TP\n\\fB\\-%s\\fR", roff(f.Name))
			if value != "" {
				fmt.Fprintf(&text, " \\fI%s\\fR", roff(value))
			}
			text.WriteString("\n" + roff(strings.ReplaceAll(usage, "\n", " ")))
			if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
				fmt.Fprintf(&text, " (default %s)", roff(f.DefValue))
			}
			text.WriteByte('\n')
		})
	}
	fmt.Fprintf(&text, ".SH EXIT STATUS\n%s.SH SEE ALSO\nhttps://github.com/simdbloom/simdbloom\n", roffText(exitStatus))
	_, err := io.WriteString(w, text.String())
	return err
}

var roff = strings.NewReplacer("\\", "\\e", "-", "\\-").Replace

// roffText is text for man. Lines that are indented stay as they are.
func roffText(text string) string {
	var out strings.Builder
	literal := false
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		switch indented := strings.HasPrefix(line, "  "); {
		case indented && !literal:
			out.WriteString(".PP\n.nf\n")
			literal = true
		case !indented && line != "" && literal:
			out.WriteString(".fi\n.PP\n")
			literal = false
		}
		if line == "" && !literal {
			out.WriteString(".PP\n")
			continue
		}
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			out.WriteString("\\&")
		}
		out.WriteString(roff(line) + "\n")
	}
	if literal {
		out.WriteString(".fi\n")
	}
	return out.String()
}
