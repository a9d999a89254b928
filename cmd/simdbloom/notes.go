package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/keys"
)

// notes are warnings about keys and sets, for the end of a command's last line.
type notes struct {
	texts []string
	loud  bool // -quiet does not silence them: keys may not be the ones that are meant
}

func (n *notes) add(format string, args ...any) {
	n.texts = append(n.texts, fmt.Sprintf(format, args...))
}

func (n *notes) warn(format string, args ...any) {
	n.add(format, args...)
	n.loud = true
}

// print prints a line, and the notes behind it. If quiet is set, it prints only loud ones.
func (n *notes) print(w io.Writer, quiet bool, line string) {
	if !quiet || n.loud {
		fmt.Fprintln(w, strings.Join(append([]string{line}, n.texts...), "; "))
	}
}

// ended notes the findings in a file.
func (i *input) ended(name, hint string, none bool) {
	i.files++
	if none {
		i.empty = append(i.empty, name)
	}
	if hint != "" {
		if name != "-" {
			hint = name + ": " + hint
		}
		i.hints = append(i.hints, hint)
	}
}

// addTo adds notes about odd keys among the n that were read.
func (i *input) addNotes(to *notes, n int64) {
	if rows := i.odd.Rows; rows > n {
		to.warn("%s had no key", figures.Count(rows, "row"))
	} else if rows > 0 {
		to.add("%s had no key", figures.Count(rows, "row"))
	}
	if len(i.empty) > 0 && (i.files > 1 || n > 0) {
		to.warn("%d of %s had no keys, such as %s", len(i.empty), figures.Count(int64(i.files), "file"), i.empty[0])
	}
	if len(i.hints) > 0 {
		to.warn("%s%s", i.hints[0], andOthers(len(i.hints), "file"))
	}
	sample := func(s *keys.Sample, what, advice string) {
		if s.N > 0 {
			to.warn("%s with %s, such as %q%s", figures.Count(s.N, "key"), what, s.First, advice)
		}
	}
	which := map[bool]string{true: "small", false: "capital"}[i.upper]
	sample(&i.odd.Cased, which+" letters beside other characters than hexadecimal digits", ": not changed")
	sample(&i.odd.Blanks, "blanks at the beginning or end", ": -trim drops them")
	advice := ": -csv=1 drops them"
	if i.csv != "" {
		advice = ": -quotes=yes drops them, -quotes=no keeps them"
	}
	sample(&i.odd.InMarks, "quotes around the text", advice)
	if 2*i.odd.Single.N > n {
		sample(&i.odd.Single, "apostrophes around the text", ": they belong to them")
	}
	if 2*i.odd.Ended.N > n {
		sample(&i.odd.Ended, "a comma or semicolon at the end", ": it belongs to them")
	}
	if i.odd.Most > i.odd.Fewest {
		to.warn("rows have %d to %d columns between blanks: -csv=%[3]s- reads all from %[3]s on, and \"sed 's/^ *[0-9]* //'\" leaves the rest of uniq -c's lines",
			i.odd.Fewest, i.odd.Most, i.csv)
	}
	sample(&i.odd.Remarks, "the text of -comment", ": it belongs to them")
	sample(&i.odd.Escaped, "a backslash before a hash", `: "sed 's/^\\//' FILE | simdbloom …" drops it`)
}

// grown warns if the layers of a set have many times the false-positive rate of the first one.
func (n *notes) grown(f *facts) {
	const times = 10
	if f.firstFPR > 0 && f.PredictedFPR >= times*f.firstFPR {
		n.warn("the rates of %s add up to %s times the first one's: a set of all lists has one layer", figures.Count(int64(f.Layers), "layer"),
			figures.Thousands(int64(f.PredictedFPR/f.firstFPR)))
	}
}

func andOthers(n int, what string) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (and of %s)", figures.Count(int64(n-1), "other "+what))
}
