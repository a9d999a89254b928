// Command passwords does with the command simdbloom what a list of leaked passwords needs: it builds a set of lines
// SHA1:COUNT with carriage returns, updates, merges and verifies it, and looks all lines up after each step. It
// prints times and the number of lost keys, and exits with status 1 if that is not 0.
//
//	go -C bench run ./passwords -lines=5e6
//
// It needs 45 bytes a line on the disk, and 8 more while it builds.
package main

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	log.SetFlags(0)
	lines := flag.Float64("lines", 5e6, "the `number` of lines: the real list had 5e7 in the reports")
	path := flag.String("command", "", "the `path` of simdbloom; without it, the one of this clone is built")
	folder := flag.String("folder", "", "where the lists and sets are written and removed: a temporary `folder` by default")
	flag.Parse()
	j := &job{command: *path}
	err := j.run(*folder, int(*lines))
	if err == nil && j.lost > 0 {
		err = fmt.Errorf("%d keys were lost", j.lost)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("no key was lost")
}

type job struct {
	command string
	folder  string
	lost    int
}

func (j *job) run(parent string, n int) (err error) {
	if j.folder, err = os.MkdirTemp(parent, "passwords"); err != nil {
		return err
	}
	defer os.RemoveAll(j.folder)
	if j.command == "" {
		if j.command, err = command.Simdbloom(j.folder); err != nil {
			return err
		}
	}
	const columns, queries = "-csv=1 -delimiter=: ", 1_000_000
	list, day, other, hashes, absent := j.path("list"), j.path("day"), j.path("other"), j.path("hashes"), j.path("absent")
	for _, l := range []struct {
		path    string
		from, n int
		format  string
	}{
		{list, 0, n, "%X:%d\r\n"},
		{day, n, n / 100, "%X:%d\r\n"},
		{other, 2 * n, n / 10, "%X:%d\r\n"},
		{hashes, 0, min(n, queries), "%x\n"},
		{absent, 4 * n, queries, "%x\n"},
	} {
		if err := writeList(l.path, l.from, l.n, l.format); err != nil {
			return err
		}
	}
	fmt.Println(measured.Describe())
	fmt.Printf("%-40s %10s %10s  %s\n", "STEP", "TIME", "PROCESSOR", "LINES PRINTED, OR NOT FOUND")
	for _, step := range []struct {
		name, args string
		lost       bool // the number that is printed is one of lost keys
	}{
		{"build", "build -quiet -fpr=1e-6 -lower " + columns + "-o set list", false},
		{"check every line", "check -v -count " + columns + "set list", true},
		{"check hashes in small letters", "check -v -count set hashes", true},
		{"check absent hashes", "check -count set absent", false},
		{"build of a day's lines, -add", "build -quiet -add " + columns + "-o set day", false},
		{"check every line", "check -v -count " + columns + "set list day", true},
		{"build of another list", "build -quiet -fpr=1e-6 -lower " + columns + "-o set2 other", false},
		{"merge", "merge -quiet -o all set set2", false},
		{"verify", "verify -quiet all", false},
		{"check every line", "check -v -count " + columns + "all list day other", true},
	} {
		if err := j.step(step.name, strings.Fields(step.args), step.lost); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) path(name string) string { return filepath.Join(j.folder, name) }

// step runs the command, which prints a number or nothing.
func (j *job) step(name string, args []string, lost bool) error {
	run := exec.Command(j.command, args...)
	run.Dir, run.Stderr = j.folder, os.Stderr
	begun := time.Now()
	out, err := run.Output()
	took := time.Since(begun)
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.ExitCode() == 1 && args[0] == "check" {
		err = nil // it found no line
	}
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	printed := strings.TrimSpace(string(out))
	used := run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	fmt.Printf("%-40s %10v %10v  %s\n", name, took.Round(10*time.Millisecond), used.Round(10*time.Millisecond), printed)
	if lost {
		n, err := strconv.Atoi(printed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		j.lost += n
	}
	return nil
}

// writeList writes the SHA-1 hashes of n numbers, each with a count if the format has one.
func writeList(path string, from, n int, format string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	var number []byte
	for i := from; i < from+n; i++ {
		number = strconv.AppendInt(number[:0], int64(i), 10)
		sum := sha1.Sum(number)
		if strings.Contains(format, ":") {
			fmt.Fprintf(w, format, sum, 1+i%1000)
		} else {
			fmt.Fprintf(w, format, sum)
		}
	}
	return errors.Join(w.Flush(), file.Close())
}
