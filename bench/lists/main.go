// Command lists compares "simdbloom build" and "simdbloom check" with the programs that people take for finding lines
// of one list in another: grep, ripgrep, sort and comm, as far as they are installed. All get the same two lists, of
// 16 hexadecimal digits a line, half of the second one in the first. It prints times, memory, and whether the lines are
// the right ones.
//
//	go -C bench run ./lists -lines=1e6
//	go -C bench run ./lists -lines=2e7 -without=grep,rg
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/keyhash"
)

func main() {
	log.SetFlags(0)
	lines := flag.Float64("lines", 1e6, "the `number` of lines of each list")
	rounds := flag.Int("rounds", 3, "`times` that each program runs: the shortest time counts")
	without := flag.String("without", "", "`programs` to leave out: grep needs 1.2 kB a line and 10 µs, rg 3 kB")
	folder := flag.String("folder", "", "where the lists are written and removed: a temporary `folder` by default")
	flag.Parse()
	if err := run(*folder, int(*lines), *rounds, strings.Split(*without, ",")); err != nil {
		log.Fatal(err)
	}
}

// programs are compared. Lines have the same length, so rg does without -x, with which version 13 finds nothing
// in lists of 50 lines.
var programs = []struct{ name, line string }{
	{"build", "$simdbloom build -quiet -fpr=1e-6 -o set list"},
	{"check", "$simdbloom check -quiet set queries"},
	{"grep", "grep -F -x -f list queries"},
	{"rg", "rg -F -f list queries"},
	{"sort", "sort list -o sorted && sort queries | comm -12 sorted -"},
}

func run(parent string, lines, rounds int, without []string) error {
	folder, err := os.MkdirTemp(parent, "lists")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path, err := command.Simdbloom(folder)
	if err != nil {
		return err
	}
	want, err := writeLists(folder, lines)
	if err != nil {
		return err
	}
	fmt.Println(measured.Describe())
	fmt.Printf("%-58s %10s %10s %9s  %s\n", "PROGRAM", "TIME", "PROCESSOR", "MEMORY", "LINES")
	for _, p := range programs {
		if _, err := exec.LookPath(p.name); slices.Contains(without, p.name) || !strings.HasPrefix(p.line, "$") && err != nil {
			continue
		}
		least, used, most := time.Duration(0), time.Duration(0), 0
		for range rounds {
			os.Remove(filepath.Join(folder, "found")) // writing over a file takes longer
			if p.name == "build" {
				os.RemoveAll(filepath.Join(folder, "set"))
			}
			process := exec.Command("sh", "-c", "("+p.line+") > found")
			process.Dir, process.Stderr = folder, os.Stderr
			process.Env = append(os.Environ(), "LC_ALL=C", "simdbloom="+path)
			begun := time.Now()
			err := process.Run()
			took := time.Since(begun)
			if err != nil {
				return fmt.Errorf("%s: %w", p.line, err)
			}
			if least == 0 || took < least {
				least, used = took, process.ProcessState.UserTime()+process.ProcessState.SystemTime()
			}
			most = max(most, machine.PeakOf(process.ProcessState))
		}
		text, err := os.ReadFile(filepath.Join(folder, "found"))
		if err != nil {
			return err
		}
		found := ""
		if got := sumOf(text); p.name != "build" {
			found = fmt.Sprintf("%d, and %d are in the list", got.n, want.n)
			if got == want {
				found = fmt.Sprintf("the %d that are in the list", got.n)
			}
		}
		fmt.Printf("%-58s %10v %10v %6d MB  %s\n", strings.TrimPrefix(p.line, "$"), least.Round(10*time.Millisecond), used.Round(10*time.Millisecond), most/1e6, found)
	}
	return nil
}

// sum is the same for the same lines in any order.
type sum struct {
	n   int
	sum uint64
}

func sumOf(text []byte) (s sum) {
	for line := range bytes.Lines(text) {
		s.n++
		s.sum += keyhash.XX64.Sum64(line)
	}
	return s
}

// writeLists writes both lists, and returns the sum of the lines that are in both. No list has a line twice.
func writeLists(folder string, n int) (both sum, err error) {
	list, err := os.Create(filepath.Join(folder, "list"))
	if err != nil {
		return both, err
	}
	defer list.Close()
	queries, err := os.Create(filepath.Join(folder, "queries"))
	if err != nil {
		return both, err
	}
	defer queries.Close()
	toList, toQueries := bufio.NewWriterSize(list, 1<<20), bufio.NewWriterSize(queries, 1<<20)
	for i := range n {
		line := func(number int) []byte { return fmt.Appendf(nil, "%016x\n", keyhash.XX64.SumUint64(uint64(number))) }
		toList.Write(line(i))
		query := line(i)
		if query[0] < '8' {
			query = line(n + i)
		} else {
			both.n++
			both.sum += keyhash.XX64.Sum64(query)
		}
		toQueries.Write(query)
	}
	return both, errors.Join(toList.Flush(), toQueries.Flush(), list.Close(), queries.Close())
}
