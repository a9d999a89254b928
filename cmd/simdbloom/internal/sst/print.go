package sst

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// textTo returns a function that writes reports as text, with an empty line between them,
// except of files that could not be read.
func textTo(w io.Writer) func(*report) error {
	between := ""
	return func(r *report) error {
		if r.Error != "" {
			return nil
		}
		_, err := io.WriteString(w, between+r.text())
		between = "\n"
		return err
	}
}

// text is the report for people.
func (r *report) text() string {
	var text strings.Builder
	text.WriteString(printable(r.File))
	text.WriteByte('\n')
	for _, line := range r.lines() {
		fmt.Fprintf(&text, "  %-14s %s\n", line[0], line[1])
	}
	return text.String()
}

// lines are labels and values.
func (r *report) lines() (lines [][2]string) {
	add := func(label, format string, args ...any) {
		lines = append(lines, [2]string{label, fmt.Sprintf(format, args...)})
	}
	if r.Database == "" {
		add("file", "%s", r.Format)
	} else {
		add("table", "%s", r.Format)
	}
	if r.Name != "" {
		add("filter", "%s", printable(r.Name))
	}
	if r.Policy != "" && r.Policy != r.Name {
		add("policy", "%s", printable(r.Policy))
	}
	kind := r.Kind
	switch {
	case r.Partitions == 1:
		kind += ", partitioned (1 partition)"
	case r.Partitions > 1:
		kind += fmt.Sprintf(", partitioned (%d partitions)", r.Partitions)
	}
	add("kind", "%s", kind)
	if r.Filters > 0 {
		add("filters", "%d, each for a range of %d bytes of the file", r.Filters, r.RangeBytes)
	}
	if r.Of != "" {
		add("of", "%s", printable(r.Of))
	}
	if r.Kind != "none" && (r.Bytes > 0 || r.format != unknown) {
		add("bytes", "%d", r.Bytes)
	}
	if r.Probes != nil {
		add("probes (k)", "%s", r.Probes)
	}
	if r.Prints != nil {
		prints := fmt.Sprintf("%s bits", r.Prints)
		if r.Longer != nil {
			prints += fmt.Sprintf(", longer for %s of 64 keys", r.Longer)
		}
		add("fingerprints", "%s", prints)
	}
	if r.Layers != nil {
		add("layers", "%s", r.Layers)
	}
	if r.Blocks > 0 {
		add("blocks", "%d of %d bytes", r.Blocks, r.BlockBytes)
	}
	if r.Pairs != "" {
		add("pair indexes", "%s", r.Pairs)
	}
	if r.Keys > 0 {
		add("keys", "%d (%s)", r.Keys, r.KeysFrom)
	}
	if r.BitsPerKey > 0 {
		add("bits/key", "%.2f", r.BitsPerKey)
	}
	switch {
	case r.Setting == nil:
	case r.Setting.Most == mostSetting:
		add("bits/key", "at least %d, by the number of probes", r.Setting.Least)
	default:
		add("bits/key", "%s, by the number of probes", r.Setting)
	}
	if r.FPR != nil {
		add("estimated FPR", "%s", rate(*r.FPR, r.FPRFrom))
	}
	for _, note := range r.Notes {
		add("note", "%s", note)
	}
	return lines
}

// String returns one number, or two.
func (s *span) String() string {
	if s.Least == s.Most {
		return strconv.Itoa(s.Most)
	}
	return fmt.Sprintf("%d to %d", s.Least, s.Most)
}

func rate(rate float64, from string) string {
	text := fmt.Sprintf("%.3g", rate)
	if rate > 0 && rate < 0.5 {
		text += fmt.Sprintf(" (1 in %.0f)", math.Round(1/rate))
	}
	if from != "" {
		text += ", from " + from
	}
	return text
}

// printable quotes a name that contains anything that a terminal might obey. What separates folders on Windows needs no
// quotes.
func printable(name string) string {
	if plain := filepath.ToSlash(name); fmt.Sprintf("%+q", plain) != `"`+plain+`"` {
		return fmt.Sprintf("%+q", name)
	}
	return name
}
