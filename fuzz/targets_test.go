package fuzz

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
)

// TestEveryFormatHasItsTargets: the kernels that look up, the builder, and hostile bytes; and doc.go has every target.
// contract.Formats is the list of formats.
func TestEveryFormatHasItsTargets(t *testing.T) {
	var targets []string
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "doc.go") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Skip("no source here: ", err)
		}
		for _, found := range regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`).FindAllSubmatch(text, -1) {
			targets = append(targets, string(found[1]))
		}
		if file == "doc.go" {
			for _, target := range targets {
				documented := target
				for _, of := range contract.Formats() {
					if name := of.Format.String(); target == "Fuzz"+name+"Kernels" || target == "FuzzBuild"+name {
						documented = strings.Replace(target, name, "FORMAT", 1)
					}
				}
				if !regexp.MustCompile(`\b` + documented + `\b`).Match(text) {
					t.Errorf("doc.go does not have %s", target)
				}
			}
		}
	}
	formats := make(map[simdbloom.Format]bool)
	for _, of := range contract.Formats() {
		formats[of.Format] = true
	}
	for format := simdbloom.FastLocal; !strings.HasPrefix(format.String(), "simdbloom.Format("); format++ {
		if !formats[format] {
			t.Errorf("contract.Formats does not have %v", format)
		}
		for _, target := range []string{"Fuzz" + format.String() + "Kernels", "FuzzBuild" + format.String()} {
			if !slices.Contains(targets, target) {
				t.Errorf("%v has no target %s", format, target)
			}
		}
		if !slices.ContainsFunc(openables, func(o openable) bool { return o.format == format }) {
			t.Errorf("FuzzOpen does not open %v", format)
		}
	}
	if len(formats) < 8 {
		t.Errorf("%d formats", len(formats))
	}
}
