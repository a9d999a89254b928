package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPrintedRows: rows of no key, one or three, of which runs are in the set, or any, with lines between them that
// are not printed, some chunks long.
func TestPrintedRows(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, lines(0, 1000), "build -quiet -bits=40 -o {}/set")
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 30 {
		columns, likely, blanks := 1+round%2*2, []int{0, 1, 50, 99, 100}[round%5], round%3 == 0
		var list strings.Builder
		var keys, found int
		var printed [2]strings.Builder
		for range []int{1, 64, 65, 3000, 100_000}[round%5] {
			if blanks && random.IntN(9) == 0 {
				list.WriteString("\n")
			}
			var row []string
			var is [2]bool
			for range columns {
				key := random.IntN(1000)
				switch {
				case random.IntN(100) >= likely:
					key += 5000
				case columns > 1 && random.IntN(4) == 0:
					row = append(row, "")
					continue
				}
				keys++
				if key < 1000 {
					found++
				}
				is[key/1000%2] = true
				row = append(row, fmt.Sprint(key))
			}
			text := strings.Join(row, ",") + "\n"
			list.WriteString(text)
			for i, is := range is {
				if is {
					printed[i].WriteString(text)
				}
			}
		}
		text := strings.TrimSuffix(list.String(), "\n")
		args := "check -quiet {}/set"
		if columns > 1 {
			args += " -csv=1-3"
		}
		for i, want := range []string{printed[0].String(), printed[1].String()} {
			if i == 1 {
				args, found = args+" -v", keys-found
			}
			if _, got, stderr := call(t, folder, text, args); got != want {
				t.Fatalf("%s of %d lines: %d bytes, want %d: %s", args, strings.Count(text, "\n")+1, len(got), len(want), stderr)
			}
			if _, got, _ := call(t, folder, text, args+" -count"); got != fmt.Sprintln(found) {
				t.Fatalf("%s -count: %s, want %d", args, got, found)
			}
		}
	}
}
