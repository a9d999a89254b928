package contract_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
)

var update = flag.Bool("update", false, "write the figures, and compare none")

// TestRecorded: the figures are those of the formats, each once. The formats' packages compare them.
func TestRecorded(t *testing.T) {
	var lines []string
	for _, f := range contract.Formats() {
		if *update {
			lines = append(lines, f.Figures(t)...)
		} else if !strings.Contains(contract.Recorded, "\n"+f.Name+", ") && !strings.HasPrefix(contract.Recorded, f.Name+", ") {
			t.Errorf("no figures of %s", f.Name)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/figures.txt", []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
