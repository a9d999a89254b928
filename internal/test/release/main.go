// Command release prints what is left to do before a version of all modules is tagged, and then the tags, in order.
//
//	make release VERSION=v0.2.0           # writes nothing
//	make release VERSION=v0.2.0 WRITE=1   # writes what needs no decision: versions, date, API, golden files
//
// It never commits, tags or pushes. Without VERSION it takes the newest one of the changelog.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	version := flag.String("version", "", "the `version`, such as v0.2.0; empty for the changelog's newest")
	write := flag.Bool("write", false, "write what needs no decision")
	flag.Parse()
	if err := run(os.Stdout, *version, *write); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, version string, write bool) error {
	clone, err := command(".", "go", "list", "-f", "{{.Root}}", "github.com/simdbloom/simdbloom")
	if err != nil {
		return err
	}
	r, err := newRelease(clone, version, time.Now())
	if err != nil {
		return err
	}
	return r.report(w, write)
}

// command runs a program in a folder, and returns its output.
func command(folder, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = folder
	var problems strings.Builder
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, problems.String())
	}
	return strings.TrimRight(string(out), "\r\n"), nil
}

// report prints the steps, done or left, and what is left to do by hand.
func (r *release) report(w io.Writer, write bool) error {
	fmt.Fprintf(w, "%s, %d modules\n\n", r.version, len(r.modules))
	automatic, open := 0, 0
	for _, s := range r.steps() {
		left, err := s.left()
		if err == nil && len(left) > 0 && write && s.write != nil {
			fmt.Fprintf(w, "write %s\n", s.what)
			if err = s.write(); err == nil {
				left, err = s.left()
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
		if len(left) == 0 {
			fmt.Fprintf(w, "done  %s\n", s.what)
			continue
		}
		open++
		if s.write != nil {
			automatic++
		}
		fmt.Fprintf(w, "LEFT  %s\n", s.what)
		for _, one := range left {
			fmt.Fprintf(w, "        %s\n", one)
		}
	}
	if automatic > 0 {
		fmt.Fprintf(w, "\n\"make release VERSION=%s WRITE=1\" does %d of the %d that are left.\n", r.version, automatic, open)
	}
	tags, err := r.tags()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nThen by hand, in this order:\n\n")
	for i, one := range r.byHand(tags) {
		fmt.Fprintf(w, "%d. %s\n", i+1, one)
	}
	return nil
}
