package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestSmallFiles: files that are read together with others have the keys, records, names and errors that they have
// alone.
func TestSmallFiles(t *testing.T) {
	folder := t.TempDir()
	var names []string
	want := ""
	add := func(text, keys string) {
		names = append(names, filepath.Join(folder, fmt.Sprintf("%04d.txt", len(names))))
		writeFile(t, names[len(names)-1], text)
		want += keys
	}
	for i := range 3 * mostSmall {
		switch line := fmt.Sprintln("line", i); {
		case i%100 == 7:
			add("", "")
		case i%100 == 8:
			add(gzipped(line), line)
		case i%100 == 9:
			add("\xef\xbb\xbf"+strings.TrimSuffix(line, "\n"), line) // the last line without its end
		case i == 300:
			add(lines(5000, smallBytes), lines(5000, smallBytes))
		default:
			add(line, line)
		}
	}
	must(t, folder, "", "build -quiet -bits=30 -o {}/set "+strings.Join(names, " "))
	if got := must(t, folder, want, "check {}/set"); got != want {
		t.Errorf("%d of %d bytes", len(got), len(want))
	}
	if got := must(t, folder, "", "check {}/set "+strings.Join(names, " ")); got != want {
		t.Errorf("%d of %d bytes", len(got), len(want))
	}
	writeFile(t, names[500], "a\nb\rc\n")
	if status, _, errs := call(t, folder, "", "check {}/set "+strings.Join(names, " ")); status != failed || !strings.Contains(errs, names[500]+": the row at byte 2: ") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// TestPrefixOfName: the password list comes in files whose names are the first five digits of the hashes in them.
func TestPrefixOfName(t *testing.T) {
	folder := t.TempDir()
	hash := "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8"
	other := "7C4A8D09CA3762AF61E59520943DC26494F8941B"
	writeFile(t, filepath.Join(folder, hash[:5]+".txt"), "\ufeff"+hash[5:]+":10\r\n\r\n"+strings.Repeat("0", 35)+":1\r\n")
	writeFile(t, filepath.Join(folder, other[:5]+".txt.gz"), gzipped(other[5:]+":9"))
	files := fmt.Sprintf("{}/%s.txt {}/%s.txt.gz", hash[:5], other[:5])
	must(t, folder, "", "build -quiet -csv=1 -delimiter=: -prefix=name -lower -fpr=1e-9 -o {}/set "+files)
	keys := strings.ToLower(hash + "\n" + other + "\n" + hash[:5] + strings.Repeat("0", 35) + "\n")
	if got := must(t, folder, keys+hash[5:]+"\n"+hash[:5]+"\n", "check {}/set"); got != keys {
		t.Errorf("%q", got)
	}
	if got := must(t, folder, "", "check -count -csv=1 -delimiter=: -prefix=name -lower {}/set "+files); got != "3\n" {
		t.Error(got)
	}
	for args, says := range map[string]string{
		"-prefix=5 {}/5BAA6.txt":            `must be "name"`,
		"-prefix=name -size=4 {}/5BAA6.txt": "not for -size",
		"-prefix=name":                      "needs files",
		"-prefix=name -":                    "needs files",
	} {
		if status, _, errs := call(t, folder, "a\n", "build -bits=10 -o {}/no "+args); status != badArguments || !strings.Contains(errs, says) {
			t.Errorf("%s: %d, %s", args, status, errs)
		}
	}
}

// BenchmarkFiles builds sets of 10,000 lines in one file, and in 10,000.
func BenchmarkFiles(b *testing.B) {
	const n = 10000
	folder := b.TempDir()
	var many []string
	for i := range n {
		many = append(many, filepath.Join(folder, fmt.Sprint(i)))
		writeFile(b, many[i], fmt.Sprintf("%040x\n", i))
	}
	one := filepath.Join(folder, "all")
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, "%040x\n", i)
	}
	writeFile(b, one, all.String())
	for _, c := range []struct {
		name  string
		files []string
	}{{"files=1", []string{one}}, {"files=10000", many}} {
		b.Run(c.name, func(b *testing.B) {
			args := append([]string{"build", "-quiet", "-bits=20", "-o", filepath.Join(folder, "set")}, c.files...)
			for b.Loop() {
				var out bytes.Buffer
				if status := run(context.Background(), &streams{strings.NewReader(""), &out, &out}, args); status != 0 {
					b.Fatal(out.String())
				}
			}
		})
	}
}
