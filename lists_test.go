package simdbloom_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/test/contract"
)

// lists are the files that have a line for each format, and the formats that they leave out. CONTRIBUTING refers to
// them.
var lists = []struct {
	file string
	none []simdbloom.Format // on purpose
}{
	{"format.go", nil},
	{"doc.go", nil},
	{"README.md", nil},
	{"docs/choosing.md", nil},
	{"CHANGELOG.md", nil},
	{"asm/kernel.go", nil},
	{"internal/test/contract/formats.go", nil},
	{"internal/test/digests/formats_test.go", nil},
	{"internal/test/buildtest/kinds_test.go", []simdbloom.Format{simdbloom.Legacy, simdbloom.LevelDB}}, // the formats with 32-bit hashes: their packages' tests
	{"adapters/pebble/policy.go", []simdbloom.Format{simdbloom.Legacy, simdbloom.Blobloom}},            // legacy.go
	{"adapters/pebblev1/policy.go", []simdbloom.Format{simdbloom.Legacy, simdbloom.Blobloom}},
	{"adapters/goleveldb/filter.go", noStores},
	{"cmd/simdbloom/internal/sizes/sizes.go", noStores},
	{"cmd/simdbloom/internal/calculator/page.html", []simdbloom.Format{simdbloom.Legacy, simdbloom.Blobloom}},
	{"bench/internal/pebblefilter/pebblefilter.go", noStores},
	{"bench/internal/chart/chart.go", noStores},
	{"bench/filter_bench/impl.go", noStores},
	{"bench/db_stress/policies.go", noStores},
	{"bench/compare/list.go", nil},
	{"bench/accuracy/formats.go", noStores},
}

// noStores has the format that exists only to read and write blobloom's files: databases do not use it.
var noStores = []simdbloom.Format{simdbloom.Blobloom}

// TestEveryListHasEveryFormat names the files that lack a format, and what else does not know it.
func TestEveryListHasEveryFormat(t *testing.T) {
	for _, f := range formats.All() {
		format, name := simdbloom.Format(f), formats.NameOf(f)
		for _, list := range lists {
			text, err := os.ReadFile(list.file)
			if err != nil {
				t.Skip("no source here: ", err) // a module from a proxy has no nested ones
			}
			if has := strings.Contains(strings.ToLower(string(text)), strings.ToLower(name)); has == slices.Contains(list.none, format) {
				t.Errorf("%s: a line for the format %s is there: %v", list.file, name, has)
			}
		}
		i := slices.IndexFunc(contract.Formats(), func(c contract.Format) bool { return c.Format == format })
		if i < 0 {
			t.Errorf("contract.Formats has no %s", name)
			continue
		}
		c := contract.Formats()[i]
		if _, err := simdbloom.NewBuilder(format, 10, c.Hash); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := formats.AdderOf(f); (err == nil) != (c.NaiveAdd != nil) {
			t.Errorf("%s: adders and contract do not agree that its filters accept keys", name)
		}
	}
}
